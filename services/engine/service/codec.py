"""Encodes tables and log lines as msgpack, with structs as arrays to keep them small.

Recently used tables are cached, so that an unchanged table is not decoded again. Format 1 has no marker. Later formats
begin with a byte that msgpack never uses, followed by the format's number. Releases run side by side on one Redis:
docs/side-by-side.md says what may change and how.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from locanda.games.rules import GAMES
from locanda.messages import OWN_PREFIX
from services.engine.store.errors import DamagedError
from services.engine.table.state import (
    AnyTable,
    ComputerSettings,
    DealStart,
    LogEntry,
    MoveMade,
    NewerReleaseError,
    TableState,
)

FORM = 4
"""Newest format of snapshots and log lines that this release knows."""
MARK = 0xC1
"""First byte of formats later than 1. No msgpack value begins with it."""

_FIELDS = len(TableState.__struct_fields__)
_ARRAY16 = 0xDC
_LONGEST_FIXARRAY = 15
_MAY_END = TableState.__struct_fields__[-7:]
"""The trailing fields that may be omitted. Those at the end are omitted if they have default values."""
_HEADS = [bytes((_ARRAY16,)) + (_FIELDS - empty).to_bytes(2, "big") for empty in range(len(_MAY_END) + 1)]
"""First bytes of a table's msgpack, by the number of omitted trailing fields."""

CACHED_TABLES = 16_384
"""Number of cached tables, about 4 KB each."""

_NO_SETTINGS = ComputerSettings()
_FIRST_LEVELS = {None, "plain"}
"""The levels of computer players that format 1 knows."""

_encoder = msgspec.msgpack.Encoder()


class _Head(Struct, array_like=True):
    """The first field of a snapshot, which determines the types of the rest."""

    game: str


_head_decoder = msgspec.msgpack.Decoder(_Head)
_raw_decoder = msgspec.msgpack.Decoder(list[Raw])
_move_decoder = msgspec.msgpack.Decoder(MoveMade)


@cache
def _table_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(TableState[GAMES[game].options, GAMES[game].deal_type])  # type: ignore[misc]


@cache
def _start_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(DealStart[GAMES[game].options])  # type: ignore[misc]


# --- formats


def form_of(table: AnyTable) -> int:
    """Return the oldest format that can hold the whole table, so that as many releases as possible can read it.

    Format 1 has only the level `plain`, and no settings of computer players. Format 2 lacks the answers about a rematch
    and `fill_seats`. Format 3 has no own players (computer players on other servers).
    """
    leveled = {seat.level for seat in table.seats} - _FIRST_LEVELS
    if table.servers is not None or any(level.startswith(OWN_PREFIX) for level in leveled if level):
        return 4
    if table.rematch is not None or not table.computers.fill_seats:
        return 3
    return 2 if leveled or table.computers != _NO_SETTINGS else 1


def marked(form: int, encoded: bytes) -> bytes:
    """Return encoded bytes with the marker of their format."""
    return encoded if form == 1 else bytes((MARK, form)) + encoded


def _unmarked(data: bytes) -> bytes:
    """Return the msgpack without the marker. Raises `NewerReleaseError` for an unknown format."""
    if not data or data[0] != MARK:
        return data
    if len(data) > 1 and data[1] > FORM:
        raise NewerReleaseError
    return data[2:]


# --- tables


def encode(table: AnyTable, before: bytes = b"") -> bytes:
    """Return the table's snapshot, including fields of `before` that this release does not know.

    `before` is the snapshot that was decoded at the beginning of the transition.
    """
    return marked(form_of(table), _short(table, _with_unknown(_encoder.encode(table), _unmarked(before))))


def _short(table: AnyTable, encoded: bytes) -> bytes:
    """Return a table's msgpack without default values at its end, so that releases without those fields can read it."""
    if encoded[:3] != _HEADS[0]:
        return encoded
    empty = 0
    while empty < len(_MAY_END) and not getattr(table, _MAY_END[-1 - empty]):
        empty += 1
    return _HEADS[empty] + encoded[3 : len(encoded) - empty]


def _with_unknown(encoded: bytes, before: bytes) -> bytes:
    """Return a table's msgpack with the trailing fields of `before` that this release does not know."""
    if before[:3] <= _HEADS[0]:  # `before` is empty or has no unknown fields, since shorter arrays have smaller heads
        return encoded
    unknown = _raw_decoder.decode(before)[_FIELDS:]
    return _array([*_raw_decoder.decode(encoded), *unknown]) if unknown else encoded


def decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot.

    Raises `NewerReleaseError` if only a newer release can read the snapshot, and `DamagedError` for other invalid
    bytes.
    """
    plain = _unmarked(snapshot)
    try:
        table: AnyTable = _table_decoder(_head_decoder.decode(plain).game).decode(plain)
    except Exception as error:  # noqa: BLE001 - becomes one of two errors
        if _is_newer(plain, error):
            raise NewerReleaseError from None
        raise DamagedError from None
    return table


def holds_more(table: AnyTable, snapshot: bytes) -> bool:
    """Return whether a snapshot holds data that the decoded table lacks, so that a transition would lose it.

    Unknown fields at the end of the table itself do not count, since `encode` keeps them.
    """
    stored = _unmarked(snapshot)
    return len(_short(table, _with_unknown(_encoder.encode(table), stored))) < len(stored)


def _is_newer(snapshot: bytes, error: Exception) -> bool:
    """Return whether well-formed bytes cannot be decoded because a newer release wrote them without a marker.

    Such bytes have an unknown game, option or choice, or more fields.
    """
    try:
        fields = _raw_decoder.decode(snapshot)
        game = msgspec.msgpack.decode(fields[0], type=str)
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
        return False
    named = ("Object contains unknown field", "Invalid enum value", "Invalid value", "Expected `str` matching regex")
    return game not in GAMES or len(fields) > _FIELDS or str(error).startswith(named)


def _array(fields: list[Raw]) -> bytes:
    if len(fields) <= _LONGEST_FIXARRAY:
        return bytes((0x90 | len(fields),)) + b"".join(fields)
    return bytes((_ARRAY16,)) + len(fields).to_bytes(2, "big") + b"".join(fields)


# --- cache of recently used tables


class _Decoded(Struct):
    """A decoded snapshot."""

    table: AnyTable
    holds_more: bool | None = None
    """Whether the snapshot holds data that the table lacks; None until a transition asks for it."""


_cache: dict[bytes, _Decoded] = {}
"""Decoded tables by snapshot, least recently used first."""


def cached_decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot, as `decode` does, from the cache if possible."""
    return _decoded(snapshot).table


def cached_decode_to_change(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot, as `cached_decode` does.

    Also raises `NewerReleaseError` if a transition would lose data of a newer release.
    """
    decoded = _decoded(snapshot)
    if decoded.holds_more is None:
        decoded.holds_more = holds_more(decoded.table, snapshot)
    if decoded.holds_more:
        raise NewerReleaseError
    return decoded.table


def cached_encode(table: AnyTable, before: bytes = b"") -> bytes:
    """Return the table's snapshot, as `encode` does, and cache it in place of `before`."""
    snapshot = encode(table, before)
    _cache.pop(before, None)
    _keep(snapshot, _Decoded(table, holds_more=False))
    return snapshot


def _decoded(snapshot: bytes) -> _Decoded:
    cached = _cache.pop(snapshot, None)
    if cached is None:
        cached = _Decoded(decode(snapshot))
    _keep(snapshot, cached)
    return cached


def _keep(snapshot: bytes, decoded: _Decoded) -> None:
    _cache[snapshot] = decoded
    if len(_cache) > CACHED_TABLES:
        del _cache[next(iter(_cache))]


# --- logs


def encode_line(line: LogEntry) -> bytes:
    """Return a line of a deal's log as bytes."""
    return _encoder.encode(line.entry)


def decode_log(game: str, lines: list[bytes]) -> tuple[DealStart[Struct], list[MoveMade]]:
    """Return the first line and the moves of a deal's log. Raises the same errors as `decode`."""
    head = _unmarked(lines[0])
    try:
        start: DealStart[Struct] = _start_decoder(game).decode(head)
    except Exception as error:  # noqa: BLE001 - as in `decode`
        if str(error).startswith("Object contains unknown field"):
            raise NewerReleaseError from None
        raise DamagedError from None
    return start, decode_moves(lines[1:])


def decode_moves(lines: list[bytes]) -> list[MoveMade]:
    """Return moves of a deal's log, given its lines without the first. Raises the same errors as `decode`."""
    plain = [_unmarked(line) for line in lines]
    try:
        return [_move_decoder.decode(line) for line in plain]
    except Exception:  # noqa: BLE001 - as in `decode`
        raise DamagedError from None
