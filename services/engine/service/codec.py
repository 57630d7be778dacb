"""Snapshots of tables and lines of logs as bytes: msgpack, with array-like structs to keep snapshots small.

Recently used tables are cached, so that an unchanged one is not decoded again. Bytes of form 1 have no mark. Those of a
later form begin with a byte that msgpack never uses, and the form's number. Releases run side by side on one Redis:
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
"""The newest form of snapshots and log lines that this release knows."""
MARK = 0xC1
"""The first byte of a later form than the first one; no value in msgpack begins with it."""

_FIELDS = len(TableState.__struct_fields__)
_ARRAY16 = 0xDC
_LONGEST_FIXARRAY = 15
_MAY_END = TableState.__struct_fields__[-7:]
"""The last fields; those at the end with default values are left out."""
_HEADS = [bytes((_ARRAY16,)) + (_FIELDS - empty).to_bytes(2, "big") for empty in range(len(_MAY_END) + 1)]
"""The first bytes of a table by the number of this release's last fields that it lacks."""

CACHED_TABLES = 16_384
"""Decoded snapshots in memory, some 4 KB each."""

_NO_SETTINGS = ComputerSettings()
_FIRST_LEVELS = {None, "plain"}
"""The levels of seats that the first form knows."""

_encoder = msgspec.msgpack.Encoder()


class _Head(Struct, array_like=True):
    """The first field of a snapshot, on which the types of the rest depend."""

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


# --- forms


def form_of(table: AnyTable) -> int:
    """Return the oldest form that can hold the whole table, so that as many releases as possible can read it.

    Form 1 has only the level `plain` and no settings of computer players; form 2 no answers about a rematch, and no
    `fill_seats`; form 3 no own players.
    """
    leveled = {seat.level for seat in table.seats} - _FIRST_LEVELS
    if table.servers is not None or any(level.startswith(OWN_PREFIX) for level in leveled if level):
        return 4
    if table.rematch is not None or not table.computers.fill_seats:
        return 3
    return 2 if leveled or table.computers != _NO_SETTINGS else 1


def marked(form: int, encoded: bytes) -> bytes:
    """Return encoded bytes with the mark of their form."""
    return encoded if form == 1 else bytes((MARK, form)) + encoded


def _unmarked(data: bytes) -> bytes:
    """Return the msgpack of a value. Raises `NewerReleaseError` for an unknown form."""
    if not data or data[0] != MARK:
        return data
    if len(data) > 1 and data[1] > FORM:
        raise NewerReleaseError
    return data[2:]


# --- tables


def encode(table: AnyTable, before: bytes = b"") -> bytes:
    """Return the table's snapshot, with the fields of the snapshot `before` that this release does not know.

    `before` is the snapshot with which the transition began; it has been decoded.
    """
    return marked(form_of(table), _short(table, _with_unknown(_encoder.encode(table), _unmarked(before))))


def _short(table: AnyTable, encoded: bytes) -> bytes:
    """Return a table's msgpack without default values at its end, as releases before those fields wrote it."""
    if encoded[:3] != _HEADS[0]:
        return encoded
    empty = 0
    while empty < len(_MAY_END) and not getattr(table, _MAY_END[-1 - empty]):
        empty += 1
    return _HEADS[empty] + encoded[3 : len(encoded) - empty]


def _with_unknown(encoded: bytes, before: bytes) -> bytes:
    """Return a table's msgpack with the unknown trailing fields of another one's."""
    if before[:3] <= _HEADS[0]:  # empty, or no unknown fields: a shorter array has a smaller head
        return encoded
    unknown = _raw_decoder.decode(before)[_FIELDS:]
    return _array([*_raw_decoder.decode(encoded), *unknown]) if unknown else encoded


def decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot. Raises `NewerReleaseError`, `DamagedError`."""
    plain = _unmarked(snapshot)
    try:
        table: AnyTable = _table_decoder(_head_decoder.decode(plain).game).decode(plain)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the bytes, it is one of two errors
        if _is_newer(plain, error):
            raise NewerReleaseError from None
        raise DamagedError from None
    return table


def holds_more(table: AnyTable, snapshot: bytes) -> bool:
    """Return whether a snapshot holds more than the table decoded from it: a transition would lose that.

    Unknown fields at the end of the table itself are not lost: `encode` keeps them.
    """
    stored = _unmarked(snapshot)
    return len(_short(table, _with_unknown(_encoder.encode(table), stored))) < len(stored)


def _is_newer(snapshot: bytes, error: Exception) -> bool:
    """Return whether well-formed bytes do not decode because a newer release wrote them without a mark.

    They then have an unknown game, option or choice, or more fields.
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


# --- tables of the snapshots that were used last
#
# A table is found by all bytes of its snapshot, and never changes: what Redis returns decides, not what is kept here. A
# snapshot that this process has written is known as soon as it is encoded, so it needs no decoding at the next move.


class _Decoded(Struct):
    """The table of a snapshot."""

    table: AnyTable
    holds_more: bool | None = None
    """Whether the snapshot holds more than the table; None as long as no transition has asked."""


_cache: dict[bytes, _Decoded] = {}
"""By snapshot; the one that was used longest ago comes first."""


def cached_decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot, as `decode` does."""
    return _decoded(snapshot).table


def cached_holds_more(snapshot: bytes) -> bool:
    """Return whether a transition would lose a part of a snapshot, as `holds_more` does. Raises as `decode`."""
    decoded = _decoded(snapshot)
    if decoded.holds_more is None:
        decoded.holds_more = holds_more(decoded.table, snapshot)
    return decoded.holds_more


def cached_encode(table: AnyTable, before: bytes = b"") -> bytes:
    """Return the table's snapshot, as `encode` does. It takes the place of the one `before`."""
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
    """Return a line of a deal's log."""
    return _encoder.encode(line.entry)


def decode_log(game: str, lines: list[bytes]) -> tuple[DealStart[Struct], list[MoveMade]]:
    """Return the head and the moves of a deal's log. Raises `NewerReleaseError`, `DamagedError`."""
    head = _unmarked(lines[0])
    try:
        start: DealStart[Struct] = _start_decoder(game).decode(head)
    except Exception as error:  # noqa: BLE001 - as in `decode`
        if str(error).startswith("Object contains unknown field"):
            raise NewerReleaseError from None
        raise DamagedError from None
    return start, decode_moves(lines[1:])


def decode_moves(lines: list[bytes]) -> list[MoveMade]:
    """Return the moves of a deal's log, without its head. Raises `NewerReleaseError`, `DamagedError`."""
    plain = [_unmarked(line) for line in lines]
    try:
        return [_move_decoder.decode(line) for line in plain]
    except Exception:  # noqa: BLE001 - as in `decode`
        raise DamagedError from None
