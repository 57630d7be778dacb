"""Messages about remarks that people make at a table."""

from typing import Literal

from msgspec import Struct

from locanda.games.base import SeatNumber
from locanda.messages.values import Request

RemarkName = Literal[
    "nice",
    "well_played",
    "lucky",
    "your_turn",
    "thinking",
    "congratulations",
    "applause",
    "laughter",
    "tears",
    "amazement",
]
"""The possible remarks. The list is fixed, so that remarks cannot reveal cards."""


class MakeRemark(Request, frozen=True):
    """Makes a remark from your seat."""

    remark: RemarkName
    """One of the fixed remarks; `GET /v1/remarks` has their texts."""


class SaidRemark(Struct, frozen=True):
    """A remark at a table. It is not stored and does not change the table."""

    seat: SeatNumber
    """The seat that made the remark."""
    remark: RemarkName
    """One of the fixed remarks."""


class RemarkWords(Struct, frozen=True):
    """A remark as people see it."""

    remark: RemarkName
    """Name of the remark."""
    text: str
    """Text of the remark; for a sign, its name."""
    sign: str
    """Emoji to show instead of the text; empty for a phrase."""


class RemarkList(Struct, frozen=True):
    """The remarks that people can make at a table."""

    remarks: list[RemarkWords]
    """The phrases, then the signs, in display order."""
