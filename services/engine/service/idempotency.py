"""Safe retries: the record under an `Idempotency-Key`, and the first reply rebuilt from it."""

from msgspec import Struct

from services.engine.errors import ProblemError
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.store import IdempotencyRecord, StoredAnswer
from services.engine.table.state import DAY, HOUR

ANSWER_SECONDS = HOUR
"""How long a repetition of a request is recognized."""
TOKEN_SECONDS = DAY
"""The time for replies with a token."""


class Caller(Struct):
    """The sender of a write, the version that it expects, and how a repetition of the request is recognized."""

    token: str | None = None
    version: int | None = None
    """The table's version that the request is for (`If-Match`)."""
    key: str | None = None
    """`Idempotency-Key`."""
    fingerprint: bytes = b""
    """SHA-256 of the request: a key counts for one request only."""
    account: Group = b""
    """The client's account."""
    digest: bytes | None = None
    """SHA-256 of the token, as a seat stores it."""
    answer_key: bytes | None = None
    """The key under which the first answer is stored; different callers may use the same idempotency key."""

    def __post_init__(self) -> None:
        if self.token is not None:
            self.digest = tokens.digest(self.token)
        if self.key is not None:
            self.answer_key = tokens.digest(f"{self.token or ''} {self.key}")


class TableReply(Struct, frozen=True):
    """A reply that shows a table, with its version."""

    version: int
    body: bytes
    """JSON."""
    repeated: bool = False
    """Whether it is the first reply once more, to a request that was done before."""


def idempotency_record(caller: Caller, nonce: bytes) -> IdempotencyRecord | None:
    """Return what to store under the caller's key: enough to make the first reply again, but not its token.

    A reply with a token is kept longer: there is no other way to get the token again.
    """
    if caller.answer_key is None:
        return None
    seconds = TOKEN_SECONDS if nonce else ANSWER_SECONDS
    whose, seated = caller.digest or caller.account, caller.digest is not None
    return IdempotencyRecord(caller.answer_key, caller.fingerprint, nonce, seconds, whose, seated)


def replayed_token(answer: StoredAnswer, caller: Caller) -> str | None:
    """Return the token of the first reply, if it had one. Raises `ProblemError` `key_reused` for another request."""
    if answer.fingerprint != caller.fingerprint:
        raise ProblemError("key_reused")
    return tokens.token_for(caller.key or "", answer.note) if answer.note else None
