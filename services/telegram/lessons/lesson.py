"""State of a lesson: the learner's view of its deal, and their next move. No I/O."""

from msgspec import Struct

from locanda.messages import (
    GameName,
    GivenOptions,
    JsonObject,
    Lesson,
    LessonMoment,
    LessonStep,
    Match,
    Seat,
    Table,
    Verdict,
)
from services.telegram.records import LESSON, LessonRecord


class LessonState(Struct, frozen=True):
    """A learner's progress in a lesson, and the engine's verdict on their selected cards."""

    lesson: Lesson
    record: LessonRecord
    verdict: Verdict | None = None

    @property
    def step(self) -> LessonStep | None:
        """The step with the learner's next move; None at the end."""
        return self.lesson.steps[self.record.step] if self.record.step < len(self.lesson.steps) else None

    @property
    def moment(self) -> LessonMoment:
        """The learner's current view of the deal."""
        return self._latest[-1]

    @property
    def events(self) -> tuple[JsonObject, ...]:
        """Events since the learner's last move."""
        return tuple(event for moment in self._latest for event in moment.events)

    @property
    def _latest(self) -> list[LessonMoment]:
        return self.lesson.steps[self.record.step - 1].then if self.record.step else [self.lesson.start]

    def table(self, you: str = "") -> Table:
        """Return the lesson as an API table, for the screens that show tables. `you` is the learner's name."""
        seats = [Seat(0, you, "person", None, away=False)]
        seats += [
            Seat(seat, name, "computer", "easy", away=False) for seat, name in enumerate(self.lesson.names) if seat
        ]
        return Table(
            id=LESSON,
            game=GameName(self.lesson.game),
            rules=1,
            options=GivenOptions({}),
            status="playing",
            version=self.record.step,
            host=0,
            you=0,
            listed=False,
            seats=tuple(seats),
            match=Match(1, 1, (0,) * len(seats), None, "", None, None),
            deal=self.moment.view,
            turn_seconds=None,
            deadline=None,
            moves=self.moment.moves,
            events=[],
        )
