"""The keys that open tables, where the host has closed the house to strangers."""

import hmac
from collections.abc import Iterable

from services.engine.http.problems import ProblemError
from services.engine.tokens import digest

HEADER = "X-API-Key"
CHALLENGE = {"WWW-Authenticate": f'ApiKey realm="tables", header="{HEADER}"'}


class Keyring:
    """The host's keys, known by their SHA-256 alone."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._digests = [digest(key) for key in keys]

    def demand(self, key: str | None) -> None:
        """Raise `ProblemError` `no_key` where the house is closed and the key is none of its own."""
        if not self._digests:
            return
        given = digest(key or "")
        # Each key is compared, also after one that fits: the time says nothing about which.
        if not sum(hmac.compare_digest(given, own) for own in self._digests):
            raise ProblemError("no_key", headers=CHALLENGE)
