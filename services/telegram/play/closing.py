"""The vote on closing a table during a match. No I/O."""

from typing import Literal

from msgspec import Struct

ClosingOutcome = Literal["open", "kept", "closed"]
"""State of the vote: still open, declined (the table is kept), or accepted."""


class ClosingQuestion(Struct, frozen=True, kw_only=True):
    """The question whether to close a table during a match, with the votes for that. One vote against ends the vote."""

    ref: str
    letter: str
    """The table's letter; empty while the chat has only one table."""
    agree: list[str]
    """Names of the people who have voted to close the table."""
    needed: int
    """Number of votes needed to close the table: the number of people who may vote."""
    outcome: ClosingOutcome = "open"
