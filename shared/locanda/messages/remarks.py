"""Remarks at a table."""

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
"""The remarks that may be made at a table: a fixed list, so that they reveal no cards."""


class MakeRemark(Request, frozen=True):
    """Makes a remark from your seat."""

    remark: RemarkName
    """One of the fixed remarks, which `GET /v1/remarks` lists in words."""


class SaidRemark(Struct, frozen=True):
    """A remark at the table. It changes nothing there, and is not stored."""

    seat: SeatNumber
    """The speaker's seat."""
    remark: RemarkName
    """One of the fixed remarks."""


class RemarkWords(Struct, frozen=True):
    """A remark as people say it."""

    remark: RemarkName
    """The remark's name."""
    text: str
    """The text of the remark; for a sign, its name."""
    sign: str
    """The sign to show instead of the text; empty for a phrase."""


class RemarkList(Struct, frozen=True):
    """The remarks that people can make at a table."""

    remarks: list[RemarkWords]
    """The phrases, then the signs, in display order."""
