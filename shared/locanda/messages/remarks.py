"""What is said at a table."""

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
"""What may be said at a table: these alone, so that nobody can tell of cards."""


class MakeRemark(Request, frozen=True):
    """Says something from one's seat."""

    remark: RemarkName
    """What is said: one of the fixed remarks, which `GET /v1/remarks` has in words."""


class SaidRemark(Struct, frozen=True):
    """What somebody has said at the table. It changes nothing there, and is kept nowhere."""

    seat: SeatNumber
    """Who says it."""
    remark: RemarkName
    """What they say."""


class RemarkWords(Struct, frozen=True):
    """A remark as people say it."""

    remark: RemarkName
    """The remark's name."""
    text: str
    """What is said; of a sign, its name."""
    sign: str
    """What is shown in the place of the text; empty for a phrase."""


class RemarkList(Struct, frozen=True):
    """What may be said at a table."""

    remarks: list[RemarkWords]
    """The phrases, then the signs, in the order in which they are to be shown."""
