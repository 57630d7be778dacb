"""Safe retries: the record stored for an `Idempotency-Key`, and the first reply reconstructed from it."""

from msgspec import Struct

from services.engine.errors import ProblemError
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.store import IdempotencyRecord, StoredAnswer
from services.engine.table.state import DAY, HOUR

ANSWER_SECONDS = HOUR
"""Seconds for which a retry gets the first reply."""
TOKEN_SECONDS = DAY
"""Seconds for which a retry gets the first reply, if that has a token."""


class Caller(Struct):
    """The sender of a write, the table version that it expects, and the key that identifies a retry."""

    token: str | None = None
    version: int | None = None
    """The table version that the request expects (`If-Match`)."""
    key: str | None = None
    fingerprint: bytes = b""
    """SHA-256 of the request, since a key is valid for one request only."""
    account: Group = b""
    """The client's account of processor time."""
    digest: bytes | None = None
    """SHA-256 of the token, as seats store it."""
    answer_key: bytes | None = None
    """The key of the stored answer. It includes the token, so different callers may use the same idempotency key."""

    def __post_init__(self) -> None:
        if self.token is not None:
            self.digest = tokens.digest(self.token)
        if self.key is not None:
            self.answer_key = tokens.digest(f"{self.token or ''} {self.key}")


class TableReply(Struct, frozen=True):
    """A reply with a table, and the table's version."""

    version: int
    body: bytes
    """The body as JSON."""
    repeated: bool = False
    """Whether this repeats the reply to an earlier request with the same key."""


def idempotency_record(caller: Caller, nonce: bytes) -> IdempotencyRecord | None:
    """Return the record to store for the caller's key.

    The reply can be rebuilt from the record, which contains no token. The record of a reply with a token is kept
    longer, since there is no other way to get the token again.
    """
    if caller.answer_key is None:
        return None
    seconds = TOKEN_SECONDS if nonce else ANSWER_SECONDS
    whose, seated = caller.digest or caller.account, caller.digest is not None
    return IdempotencyRecord(caller.answer_key, caller.fingerprint, nonce, seconds, whose, seated)


def replayed_token(answer: StoredAnswer, caller: Caller) -> str | None:
    """Return the token of the first reply, if any. Raises `ProblemError` `key_reused` for another request."""
    if answer.fingerprint != caller.fingerprint:
        raise ProblemError("key_reused")
    return tokens.token_for(caller.key or "", answer.note) if answer.note else None
