"""Closing a table in mid-match by a vote: the question, and how the vote stands. Pure."""

from typing import Literal

from msgspec import Struct

ClosingOutcome = Literal["open", "kept", "closed"]
"""How a vote to close a table stands: it goes on, the match goes on, or the table is closed."""


class ClosingQuestion(Struct, frozen=True, kw_only=True):
    """The question whether to close a table in mid-match, and the votes on it."""

    ref: str
    letter: str
    """The table's; empty while the chat has no other."""
    agree: list[str]
    """Names of the people who have voted to close it."""
    oppose: list[str]
    needed: int
    """How many votes close the table."""
    voters: int
    """How many people may vote."""

    @property
    def is_lost(self) -> bool:
        """Whether the table stays: no vote is for closing it, or too few are left for a majority."""
        return not self.agree or self.voters - len(self.oppose) < self.needed


class Ballot(Struct, frozen=True):
    """How a vote on closing a table stands."""

    match: int
    """The number of the match."""
    question: ClosingQuestion
    outcome: ClosingOutcome
