"""The parts of the wire that all games have in common."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

FrenchCard = Annotated[
    str,
    Meta(pattern="^([A2-9TJQK][hdcs])$", max_length=2, title="FrenchCard", description="Rank and suit, as in `7h`."),
]
"""A French card on the wire; the joker is a code of its own where a game has one."""

SeatNumber = Annotated[int, Meta(ge=0, le=9)]
"""A seat, counted from 0 in order of play."""

Count = Annotated[int, Meta(ge=0, le=1_000_000)]

Seed = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, description="32 bytes in hexadecimal digits.")]
"""32 secret bytes as 64 lower-case hexadecimal digits."""

Reason = Literal["closed", "ramino", "blocked", "emptied", "deadlock", "first_out", "all_placed"]


class Result(Struct, frozen=True):
    """How a deal, or a match, ended."""

    ranking: tuple[tuple[SeatNumber, ...], ...]
    """Seats best first, those who tie together."""
    points: tuple[int, ...]
    """Points by seat; what they count is the game's."""
    reason: Reason | None = None
    """Why the deal, or the last deal of the match, ended."""


class Refusal(Struct, frozen=True):
    """Why a move may not be played: a stable code and the facts that explain it, free of hidden cards."""

    code: str
    facts: dict[str, object] = {}


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for a text that is translated later)
    """Mark a text for translation and return it unchanged."""
    return text
