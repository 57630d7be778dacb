"""A group's decisions about its evenings and seasons: a requested change, and the votes on it. Pure."""

from typing import Literal, TypeAlias

from msgspec import Struct, structs

NEEDED = 3
"""The most votes that a change takes."""
AGAIN_SECONDS = 86_400.0
"""Seconds after which a person may ask the group again."""
Outcome = Literal["open", "made", "declined"]


class LengthChange(Struct, frozen=True, tag="length"):
    """How long seasons last."""

    length: Literal["month", "week", "ended"]


class PointsChange(Struct, frozen=True, tag="points"):
    """Points of the places in later seasons."""

    points: tuple[int, ...]


class SeasonEnd(Struct, frozen=True, tag="end"):
    """The end of the season under way."""

    number: int


class EveningChange(Struct, frozen=True, tag="fix"):
    """When the group plays, and what."""

    weekday: int
    minute: int
    game: str
    weekly: bool


class NoEvenings(Struct, frozen=True, tag="drop"):
    """No more evenings."""


class ZoneChange(Struct, frozen=True, tag="zone"):
    """The group's time zone."""

    zone: str


OfSeasons: TypeAlias = LengthChange | PointsChange | SeasonEnd
Change: TypeAlias = OfSeasons | EveningChange | NoEvenings | ZoneChange


class GroupDecision(Struct, frozen=True):
    """A change that somebody wishes who does not decide alone."""

    by: int
    asked: int
    """When they asked the group (Unix seconds)."""
    change: Change
    votes: dict[int, bool]
    """By person, whether they agree."""
    outcome: Outcome = "open"

    def of(self, *, agree: bool) -> list[int]:
        """Return those who agree, or who do not."""
        return [user for user, vote in self.votes.items() if vote is agree]

    def of_person(self, user: int) -> dict[str, object]:
        """Return what it says of a person: whether they wish the change, and their vote."""
        return {"change": self.change, "asked": self.by == user, "agrees": self.votes.get(user)}

    def with_vote(self, user: int, *, agree: bool, alone: bool, voters: int) -> "GroupDecision":
        """Return it after the vote of a person, who may decide alone; `voters` may vote."""
        voted = structs.replace(self, votes={**self.votes, user: agree})
        if alone:
            return structs.replace(voted, outcome="made" if agree else "declined")
        if len(voted.of(agree=True)) >= needed(voters):
            return structs.replace(voted, outcome="made")
        return structs.replace(voted, outcome="declined" if len(voted.of(agree=False)) >= needed(voters) else "open")


def needed(voters: int) -> int:
    """Return the number of votes that a change needs, for a number of voters; 0 if anybody may decide."""
    return min(NEEDED, voters // 2 + 1) if voters else NEEDED
