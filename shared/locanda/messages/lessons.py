"""The lesson of a game."""

from msgspec import Struct

from locanda.games.base import SeatNumber
from locanda.games.registry import AnyDeal, AnyView
from locanda.messages.values import GameName, GivenMove, JsonObject, Language
from locanda.messages.words import TableWords


class LessonMoment(Struct, frozen=True):
    """A moment of a lesson's deal: the latest events, and the learner's view, as at a table."""

    deal: AnyDeal
    """The deal, hidden cards included; with it, `/check` explains why another move is refused."""
    view: AnyView
    """The learner's view of the deal."""
    moves: list[GivenMove]
    """The learner's legal moves; empty when they are not on turn."""
    events: list[JsonObject]
    """The events of the move that led to this moment; none at the start."""
    words: TableWords
    """The moment in sentences, as those of a table."""


class LessonStep(Struct, frozen=True):
    """A move of the learner, the explanation before it, and the moments after it."""

    text: str
    """The explanation before the move; empty if there is nothing new."""
    move: GivenMove
    """The move that the learner must make."""
    label: str
    """The move in a few words."""
    allowed: str
    """The response to another legal move: that it is legal, and which one the lesson expects."""
    then: list[LessonMoment]
    """The deal after the learner's move, and after each move of the others until the learner is on turn again."""


class Lesson(Struct, frozen=True):
    """A lesson: a deal with prepared cards and moves, played by a learner."""

    game: GameName
    """The game that is taught."""
    language: Language
    """The language of the texts."""
    you: SeatNumber
    """The seat of the learner."""
    names: list[str]
    """The name of each seat, as the texts have it."""
    start: LessonMoment
    """The deal before the first move; the learner is on turn."""
    steps: list[LessonStep]
    """The learner's moves, to the end of the deal."""
    end: str
    """Text about the end of the deal."""
