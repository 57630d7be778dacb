"""Versioned records in Redis: a release leaves alone a record that only a later one understands (docs/side-by-side.md).

A record of form 1 has no mark; one of a later form has its number in the field `form`. A record of a form later than
`FORM`, or a damaged one, counts as missing and is not overwritten; the log says so once. Fields that this release does
not know are kept when it writes the record again.
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
"""The latest form that this release knows."""
DECODED = 4096
"""Texts whose records are kept decoded: a table's are read several times at each of its moves."""
MARK = "form"

T = TypeVar("T", bound=Struct)


class LaterFormError(msgspec.MsgspecError):
    """A record has a form that this release does not know."""


class Records:
    """Records in Redis: as JSON in a field of a hash, or as all fields of a hash."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._logged: set[tuple[str, str]] = set()
        """Keys and fields of the records that were found not to be readable."""

    # --- as JSON in a field of a hash

    async def find(self, key: str, field: str, type_: type[T]) -> T | None:
        """Return a record; None also for one of a later form, or a damaged one."""
        text = await self._redis.hget(key, field)
        return None if text is None else self._decoded(key, field, text, type_)

    async def all(self, key: str, type_: type[T], prefix: str = "") -> dict[str, T]:
        """Return the records in a hash by field, of those with a prefix, but those of a later form, or damaged ones."""
        texts = {field: text for field, text in (await self._redis.hgetall(key)).items() if field.startswith(prefix)}
        records = {field: self._decoded(key, field, text, type_) for field, text in texts.items()}
        return {field: record for field, record in records.items() if record is not None}

    async def save(self, key: str, field: str, record: Struct) -> None:
        """Store a record, keeping unknown fields of the stored one.

        Nothing is written over a record of a later form, or a damaged one.
        """
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
        """Return the fields of a record; none for one of a later form, or a damaged one."""
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
    """Log that a record is left alone, without its key, which may name a chat or a person."""
    log.warning("record_left_alone", kind=kind, reason=type(error).__name__)


@lru_cache(DECODED)
def decode(text: str, type_: Any) -> Any:  # noqa: ANN401 - the union of two records has no type of its own
    """Return the record in a JSON text, which nobody may change: others get the same one.

    Raises `LaterFormError`, or `MsgspecError` where it is damaged.
    """
    if msgspec.json.decode(text, type=_Marked).form > FORM:
        raise LaterFormError
    return msgspec.json.decode(text, type=type_)


class _Marked(Struct):
    form: int = 1
