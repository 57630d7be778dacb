"""What the module `lesson` of each game defines: a `COURSE`, topics that are explained while a deal is played."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from locanda.messages import JsonObject


class Moment(Struct, frozen=True):
    """A point of a lesson: what the person sees, and the events since their last move."""

    view: Any
    moves: Sequence[JsonObject]
    events: Sequence[JsonObject]
    topic: str = ""
    """The name of what is explained now."""

    def can(self, **fields: object) -> bool:
        """Return whether a legal move has these fields."""
        return any(fields.items() <= move.items() for move in self.moves)

    def saw(self, event: str) -> bool:
        """Return whether an event of this type has happened since the person's last move."""
        return any(each.get("type") == event for each in self.events)


class Topic(Struct, frozen=True):
    """Something to explain, once, as soon as it matters in the deal."""

    name: str
    text: str
    when: Callable[[Moment], bool]


class Course(Struct, frozen=True):
    """The lesson of a game."""

    seats: int
    topics: tuple[Topic, ...]
    options: Mapping[str, Any] = {}
    seed: str = "4c" * 32


def always(_: Moment) -> bool:
    """Return true: a topic that matters from the start."""
    return True
