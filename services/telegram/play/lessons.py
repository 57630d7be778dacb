"""A point of a lesson: what the person sees of its deal, and the move that they are to make. Pure."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from locanda.games.lessons import Step, scripts
from locanda.messages import JsonObject, Match, Seat, Table, Verdict
from locanda.texts.lessons import OPPONENTS
from services.telegram.records import LESSON, LessonRecord


class Moment(Struct, frozen=True):
    """A point of a lesson: what the person sees, and what the engine says of the cards that they have selected."""

    view: Any
    moves: Sequence[JsonObject]
    verdict: Verdict | None = None


def step_of(lesson: LessonRecord) -> Step | None:
    """Return the move that the person is to make, None at the end."""
    steps = scripts()[lesson.game].steps
    return steps[lesson.step] if lesson.step < len(steps) else None


def table_of(moment: Moment, lesson: LessonRecord, you: str = "") -> Table:
    """Return a moment of a lesson as a table of the API, for the screens and texts that show tables."""
    seats = [Seat(0, you, "person", None, away=False)]
    seats += [
        Seat(seat, OPPONENTS[seat - 1], "computer", "easy", away=False) for seat in range(1, len(moment.view.counts))
    ]
    return Table(
        id=LESSON,
        game=lesson.game,
        rules=1,
        options={},
        status="playing",
        version=lesson.step,
        host=0,
        you=0,
        listed=False,
        seats=tuple(seats),
        match=Match(1, 1, (0,) * len(seats), None, "", None, None),
        deal=moment.view,
        turn_seconds=None,
        deadline=None,
        moves=[*moment.moves],
        events=[],
    )
