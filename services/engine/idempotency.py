"""Retries that are safe: the first answer to an `Idempotency-Key`, given again without acting twice."""

from msgspec import Struct

from services.engine import tokens
from services.engine.store.store import Answer, Idempotency

ANSWER_SECONDS = 3600
"""How long a repetition of a request is known."""
TOKEN_SECONDS = 86_400
"""How long where the answer hands out a token."""


class KeyReusedError(Exception):
    """The idempotency key was used before, for another request."""


class Caller(Struct):
    """Who asks, and how a repetition of the request is known."""

    token: str | None = None
    version: int | None = None
    """The table's version that the request is for (`If-Match`)."""
    key: str | None = None
    """`Idempotency-Key`."""
    fingerprint: bytes = b""
    """SHA-256 of what is asked: a key is good for one request only."""
    digest: bytes | None = None
    """What a seat stores of the token."""
    answer_key: bytes | None = None
    """Under what the first answer is stored: a key counts for its caller alone."""

    def __post_init__(self) -> None:
        if self.token is not None:
            self.digest = tokens.digest(self.token)
        if self.key is not None:
            self.answer_key = tokens.digest(f"{self.token or ''} {self.key}")


class Reply(Struct, frozen=True):
    """An answer that shows a table to its viewer."""

    version: int
    body: bytes
    """JSON."""


def kept(caller: Caller, nonce: bytes) -> Idempotency | None:
    """Return what is kept under the caller's key: enough to give the first answer again, but never the token in it.

    A key that stands for a token, which cannot be had again otherwise, is remembered longest.
    """
    if caller.answer_key is None:
        return None
    seconds = TOKEN_SECONDS if nonce else ANSWER_SECONDS
    return Idempotency(caller.answer_key, caller.fingerprint, nonce, seconds)


def replayed(answer: Answer, caller: Caller) -> str | None:
    """Return the token that the first answer gave, if it gave one. Raises `KeyReusedError` at another request."""
    if answer.fingerprint != caller.fingerprint:
        raise KeyReusedError
    return tokens.token_for(caller.key or "", answer.note) if answer.note else None
