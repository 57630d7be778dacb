"""Messages of a game's lesson."""

from msgspec import Struct

from locanda.games.base import SeatNumber
from locanda.games.registry import AnyDeal, AnyView
from locanda.messages.values import GameName, GivenMove, JsonObject, Language
from locanda.messages.words import TableWords


class LessonMoment(Struct, frozen=True):
    """A position of a lesson's deal: its latest events and the learner's view, as at a table."""

    deal: AnyDeal
    """The deal with all hidden cards; with it, `/check` explains why another move is refused."""
    view: AnyView
    """The learner's view of the deal."""
    moves: list[GivenMove]
    """The learner's legal moves; empty if the learner is not on turn."""
    events: list[JsonObject]
    """The events of the move that led to this position; empty at the start."""
    words: TableWords
    """The position in sentences, as for a table."""


class LessonStep(Struct, frozen=True):
    """A move of the learner, the explanation before it, and the positions after it."""

    text: str
    """The explanation before the move; empty if there is nothing new to explain."""
    move: GivenMove
    """The move that the learner must make."""
    label: str
    """Label of the move."""
    allowed: str
    """The answer to a different legal move: that it is legal, and which move the lesson expects."""
    then: list[LessonMoment]
    """The positions after the learner's move and after each move of the other seats, until the learner is on turn
    again."""


class Lesson(Struct, frozen=True):
    """A lesson: a learner plays a deal with prepared cards and moves."""

    game: GameName
    """The game that is taught."""
    language: Language
    """The language of the texts."""
    you: SeatNumber
    """The learner's seat."""
    names: list[str]
    """The name of each seat, as used in the texts."""
    start: LessonMoment
    """The position before the first move; the learner is on turn."""
    steps: list[LessonStep]
    """The learner's moves, to the end of the deal."""
    end: str
    """The text at the end of the deal."""
