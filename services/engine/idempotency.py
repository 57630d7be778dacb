"""Retries that are safe: the first answer to an `Idempotency-Key`, given again without acting twice."""

from dataclasses import dataclass

import msgspec
from msgspec import Struct, structs

from services.engine import tokens
from services.engine.store.store import Answer
from shared.messages import Seated


class KeyReusedError(Exception):
    """The idempotency key was used before, for another request."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and how a repetition of the request is known."""

    token: str | None = None
    version: int | None = None
    """The table's version that the request is for (`If-Match`)."""
    key: str | None = None
    """`Idempotency-Key`."""
    fingerprint: bytes = b""
    """SHA-256 of what is asked: a key is good for one request only."""

    @property
    def digest(self) -> bytes | None:
        """What a seat stores of the token."""
        return None if self.token is None else tokens.digest(self.token)

    @property
    def answer_key(self) -> bytes | None:
        """Under what the first answer is stored: a key counts for its caller alone."""
        return None if self.key is None else tokens.digest(f"{self.token or ''} {self.key}")


class Reply(Struct, frozen=True, array_like=True):
    """The answer to a write."""

    version: int
    body: bytes
    nonce: bytes = b""
    """Where the answer carries a token: what the token is derived from. The token itself is never stored."""


def stored(reply: Reply, caller: Caller) -> Answer:
    """Return the answer as it is stored."""
    return Answer(caller.fingerprint, msgspec.msgpack.encode(reply))


def replay(answer: Answer, caller: Caller) -> Reply:
    """Return the first answer again. Raises `KeyReusedError` where the request was another one."""
    if answer.fingerprint != caller.fingerprint:
        raise KeyReusedError
    reply = msgspec.msgpack.decode(answer.body, type=Reply)
    return with_token(reply, tokens.token_for(caller.key or "", reply.nonce)) if reply.nonce else reply


def with_token(reply: Reply, token: str) -> Reply:
    """Return the reply with the token that it hands out."""
    seated = msgspec.json.decode(reply.body, type=Seated)
    return structs.replace(reply, body=msgspec.json.encode(structs.replace(seated, token=token)))
