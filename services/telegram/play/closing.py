"""Closing a table in mid-match by a vote: the question, and how the vote stands. Pure."""

from typing import Literal

from msgspec import Struct

ClosingOutcome = Literal["open", "kept", "closed"]
"""How a vote to close a table stands: it goes on, the match goes on, or the table is closed."""


class ClosingQuestion(Struct, frozen=True, kw_only=True):
    """The question whether to close a table in mid-match, and the votes for it; one against it ends the question."""

    ref: str
    letter: str
    """The table's; empty while the chat has no other."""
    agree: list[str]
    """Names of the people who have voted to close it."""
    needed: int
    """How many votes close the table: those of all who may vote."""


class Ballot(Struct, frozen=True):
    """How a vote on closing a table stands."""

    match: int
    """The number of the match."""
    question: ClosingQuestion
    outcome: ClosingOutcome
