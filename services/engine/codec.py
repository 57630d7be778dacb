"""Tables and logs as bytes: msgpack, with array-like structs so that a snapshot stays small."""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from services.engine.games.registry import GAMES
from services.engine.table.state import AnyTable, DealStart, LogLine, MoveMade, Table

_encoder = msgspec.msgpack.Encoder()


class _Head(Struct, array_like=True):
    """The first field of a snapshot, which tells how to read the rest."""

    game: str


_head_decoder = msgspec.msgpack.Decoder(_Head)
_move_decoder = msgspec.msgpack.Decoder(MoveMade)


@cache
def _table_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(Table[GAMES[game].options, GAMES[game].deal_type])  # type: ignore[misc]


@cache
def _start_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(DealStart[GAMES[game].options])  # type: ignore[misc]


encode: Callable[[AnyTable], bytes] = _encoder.encode
"""Returns the table's snapshot."""


def decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot."""
    table: AnyTable = _table_decoder(_head_decoder.decode(snapshot).game).decode(snapshot)
    return table


def encode_line(line: LogLine) -> bytes:
    """Return a line of a deal's log."""
    return _encoder.encode(line.entry)


def decode_log(game: str, lines: list[bytes]) -> tuple[DealStart[Struct], list[MoveMade]]:
    """Return the head and the moves of a deal's log."""
    start: DealStart[Struct] = _start_decoder(game).decode(lines[0])
    return start, [_move_decoder.decode(line) for line in lines[1:]]
