"""A group's decisions on its evenings and seasons: proposed changes and the votes on them. No I/O."""

from typing import Literal, TypeAlias

from msgspec import Struct, structs

NEEDED = 3
"""Maximum number of votes that a change needs."""
AGAIN_SECONDS = 86_400.0
"""Seconds after which a person may propose something to the group again."""
Outcome = Literal["open", "made", "declined"]


class LengthChange(Struct, frozen=True, tag="length"):
    """Change how long seasons last."""

    length: Literal["month", "week", "ended"]


class PointsChange(Struct, frozen=True, tag="points"):
    """Change the points for each place, from the next season on."""

    points: tuple[int, ...]


class SeasonEnd(Struct, frozen=True, tag="end"):
    """End the current season."""

    number: int


class EveningChange(Struct, frozen=True, tag="fix"):
    """Change when the group plays, and which game."""

    weekday: int
    minute: int
    game: str
    weekly: bool


class NoEvenings(Struct, frozen=True, tag="drop"):
    """Stop the group's evenings."""


class ZoneChange(Struct, frozen=True, tag="zone"):
    """Change the group's time zone."""

    zone: str


OfSeasons: TypeAlias = LengthChange | PointsChange | SeasonEnd
Change: TypeAlias = OfSeasons | EveningChange | NoEvenings | ZoneChange


class GroupDecision(Struct, frozen=True):
    """A change that a person has proposed, with the votes on it."""

    by: int
    asked: int
    """When the change was proposed (Unix seconds)."""
    change: Change
    votes: dict[int, bool]
    outcome: Outcome = "open"

    def of(self, *, agree: bool) -> list[int]:
        """Return the people who agree, or those who disagree."""
        return [user for user, vote in self.votes.items() if vote is agree]

    def of_person(self, user: int) -> dict[str, object]:
        """Return the data on a person for their export: the change, whether they proposed it, and their vote."""
        return {"change": self.change, "asked": self.by == user, "agrees": self.votes.get(user)}

    def with_vote(self, user: int, *, agree: bool, alone: bool, voters: int) -> "GroupDecision":
        """Return the decision after a vote, by a person who may decide `alone` or by one of `voters` people."""
        voted = structs.replace(self, votes={**self.votes, user: agree})
        if alone:
            return structs.replace(voted, outcome="made" if agree else "declined")
        if len(voted.of(agree=True)) >= needed(voters):
            return structs.replace(voted, outcome="made")
        return structs.replace(voted, outcome="declined" if len(voted.of(agree=False)) >= needed(voters) else "open")


def needed(voters: int) -> int:
    """Return the number of votes that a change needs; `voters` is 0 if anybody may vote."""
    return min(NEEDED, voters // 2 + 1) if voters else NEEDED
