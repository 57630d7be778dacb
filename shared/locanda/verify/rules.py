"""Recomputes moves and results with the rules of an engine that the user chooses."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import IO, Any, Protocol

from .agreement import same
from .form import read_bounded
from .sentences import say


class RefusedMoveError(Exception):
    """The rules refuse a move; the message says why."""


class Rules(Protocol):
    """Rules of the games."""

    def version(self, game: str) -> int | None:
        """Return the version of a game's rules; None for an unknown game."""

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:  # noqa: ANN401  (any JSON value)
        """Return the deal after a move, and the result if the deal is over. Raises `RefusedMoveError`."""


class EngineRules:
    """The rules of an engine, used through its stateless API calls. Methods raise `OSError` if it does not answer."""

    TRIES = 20

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def version(self, game: str) -> int | None:
        """Return the version of a game's rules. Raises `OSError` for a game that the engine does not have."""
        version: int = self._call(f"/v1/games/{game}", None)["rules_version"]
        return version

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:  # noqa: ANN401  (any JSON value)
        """Return the deal after a move, and the result if the deal is over. Raises `RefusedMoveError`."""
        played = self._call(f"/v1/games/{game}/play", {"deal": deal, "move": move})
        return played["deal"], played["result"]

    def _call(self, path: str, body: object) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"})  # noqa: S310
        for _ in range(self.TRIES):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  (the user names the engine)
                    return self._decoded(answer)
            except urllib.error.HTTPError as error:
                if error.code in (400, 409, 422):
                    raise RefusedMoveError(self._decoded(error).get("code", error.code)) from None
                if error.code != 429:  # too many requests
                    raise
                time.sleep(min(float(error.headers.get("Retry-After") or 1), 10))
            except http.client.HTTPException as error:
                raise OSError(say("{url} does not answer in HTTP: {error}", url=self._url, error=repr(error))) from None
        raise OSError(say("{url} is too busy", url=self._url))

    def _decoded(self, answer: IO[bytes]) -> dict[str, Any]:
        try:
            return dict(json.loads(read_bounded(answer)))
        except (ValueError, TypeError, RecursionError):
            raise OSError(say("what answers at {url} is no engine", url=self._url)) from None


def replay_errors(proof: dict[str, Any], rules: Rules) -> Iterator[str]:
    """Yield a sentence if a move is illegal, or if the moves do not lead from the start to the result."""
    deal, result = proof["start"], None
    for number, made in enumerate(proof["moves"]):
        if made["seat"] != deal["turn"]:
            yield say("`moves[{number}]` is of seat {seat}, which was not on turn", number=number, seat=made["seat"])
            return
        try:
            deal, result = rules.play(proof["game"], deal, made["move"])
        except RefusedMoveError as error:
            yield say("`moves[{number}]` is against the rules: {error}", number=number, error=error)
            return
    if result is None:
        yield say("`moves` do not end the deal")
    elif not same(result, proof["result"]):
        yield say("`result` is not what the moves lead to")
