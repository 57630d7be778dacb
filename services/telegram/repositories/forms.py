"""Versioned records in Redis, so that different releases can run side by side (docs/side-by-side.md).

The version is called form. A record of form 1 has no mark; later forms have their number in the field `form`. A record
of a form later than `FORM`, or a damaged one, counts as missing and is not overwritten; the log says so once. Unknown
fields are kept when a record is written again.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import structlog
from msgspec import Struct

from services.telegram.repositories.remembered import RememberedRedis

log = structlog.get_logger(__name__)

FORM = 1
"""The latest form that this release can read."""
DECODED = 4096
"""Size of the cache of decoded records: a table's records are read several times at each move."""
MARK = "form"

T = TypeVar("T", bound=Struct)


class LaterFormError(msgspec.MsgspecError):
    """A record has a later form than this release can read."""


class Records:
    """Records in Redis, stored as JSON in a field of a hash, or as all fields of a hash."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._logged: set[tuple[str, str]] = set()
        """Keys and fields of unreadable records that were logged."""

    # --- as JSON in a field of a hash

    async def find(self, key: str, field: str, type_: type[T]) -> T | None:
        """Return a record; None if it is missing, of a later form, or damaged."""
        text = await self._redis.hget(key, field)
        return None if text is None else self._decoded(key, field, text, type_)

    async def all(self, key: str, type_: type[T], prefix: str = "") -> dict[str, T]:
        """Return the readable records in a hash by field, for fields with a prefix."""
        texts = {field: text for field, text in (await self._redis.hgetall(key)).items() if field.startswith(prefix)}
        records = {field: self._decoded(key, field, text, type_) for field, text in texts.items()}
        return {field: record for field, record in records.items() if record is not None}

    async def save(self, key: str, field: str, record: Struct) -> None:
        """Store a record, and keep unknown fields of the stored one. An unreadable stored record is not overwritten."""
        text = await self._redis.hget(key, field)
        if text is not None and self._decoded(key, field, text, type(record)) is None:
            return
        before = {} if text is None else msgspec.json.decode(text)
        encoded = msgspec.json.encode(before | msgspec.to_builtins(record)).decode()
        await self._redis.hset(key, {field: encoded})

    def _decoded(self, key: str, field: str, text: str, type_: type[T]) -> T | None:
        try:
            record: T = decode(text, type_)
        except msgspec.MsgspecError as error:
            self._log(key, field, error)
            return None
        return record

    # --- as all fields of a hash

    async def fields(self, key: str) -> dict[str, str]:
        """Return the fields of a record; empty if it is missing, of a later form, or damaged."""
        fields = await self._redis.hgetall(key)
        return {} if self._is_later(key, fields.get(MARK)) else fields

    async def set_fields(self, key: str, fields: Mapping[str, object]) -> None:
        """Set fields of a record, unless it is of a later form or damaged."""
        if not self._is_later(key, await self._redis.hget(key, MARK)):
            await self._redis.hset(key, fields)

    def _is_later(self, key: str, mark: str | None) -> bool:
        later = mark is not None and not (mark.isdecimal() and int(mark) <= FORM)
        if later:
            self._log(key, "", LaterFormError())
        return later

    def _log(self, key: str, field: str, error: msgspec.MsgspecError) -> None:
        if (key, field) not in self._logged:
            self._logged.add((key, field))
            log_left_alone(key.split(":")[1], error)


def log_left_alone(kind: str, error: msgspec.MsgspecError) -> None:
    """Log that a record is unreadable and left alone, without its key, which may name a chat or a person."""
    log.warning("record_left_alone", kind=kind, reason=type(error).__name__)


@lru_cache(DECODED)
def decode(text: str, type_: Any) -> Any:  # noqa: ANN401 - the union of two records has no type of its own
    """Decode a record from JSON. The result is cached and shared, so do not change it.

    Raises `LaterFormError`, or `MsgspecError` if the record is damaged.
    """
    if msgspec.json.decode(text, type=_Marked).form > FORM:
        raise LaterFormError
    return msgspec.json.decode(text, type=type_)


class _Marked(Struct):
    form: int = 1
