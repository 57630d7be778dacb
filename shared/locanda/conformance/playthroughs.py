"""Golden play-throughs and refused moves: what `python -m tests.conformance` writes, and every implementation repeats.

Each line of the file is one of them as JSON, so that it can be read by any program.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from locanda.messages import JsonObject

FILE = Path(__file__).with_name("playthroughs.jsonl.gz")


class GoldenStep(Struct, frozen=True):
    """A moment of a deal, and the move that was made then."""

    turn: int
    """The seat on turn."""
    moves: list[JsonObject]
    """Its legal moves; their order means nothing."""
    viewer: int | None
    """A seat, or null for a spectator."""
    view: JsonObject
    """What the viewer sees."""
    move: JsonObject
    """The move that is made."""
    events: list[JsonObject]
    """What happens then, in order."""


class PlayThrough(Struct, frozen=True, kw_only=True, tag_field="kind", tag="deal"):
    """A deal that is dealt from a seed, and played to its end."""

    game: str
    rules: int
    """The version of the rules by which it was played."""
    options: JsonObject
    seats: int
    dealer: int
    seed: str
    start: JsonObject
    """The deal before the first move."""
    steps: list[GoldenStep]
    end: JsonObject
    """The deal after the last move."""
    result: JsonObject
    """How it ended."""


class RefusedMove(Struct, frozen=True, kw_only=True, tag_field="kind", tag="refused"):
    """A move that the rules forbid."""

    game: str
    rules: int
    deal: JsonObject
    """The deal in which it is tried."""
    move: JsonObject
    code: str
    """The code of its refusal."""
    facts: JsonObject
    """What explains the code."""


Golden: TypeAlias = PlayThrough | RefusedMove


def stored() -> Iterator[Golden]:
    """Yield what is stored."""
    decoder = msgspec.json.Decoder[Golden](Golden)
    for line in gzip.decompress(FILE.read_bytes()).splitlines():
        yield decoder.decode(line)
