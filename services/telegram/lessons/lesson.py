"""A step of a lesson: the person's view of its deal, and their next move. Pure."""

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
    """A person's progress in a lesson, and the engine's verdict on their selected cards."""

    lesson: Lesson
    record: LessonRecord
    verdict: Verdict | None = None

    @property
    def step(self) -> LessonStep | None:
        """The move that the person is to make, None at the end."""
        return self.lesson.steps[self.record.step] if self.record.step < len(self.lesson.steps) else None

    @property
    def moment(self) -> LessonMoment:
        """The person's view."""
        return self._latest[-1]

    @property
    def events(self) -> tuple[JsonObject, ...]:
        """Events since their last move."""
        return tuple(event for moment in self._latest for event in moment.events)

    @property
    def _latest(self) -> list[LessonMoment]:
        return self.lesson.steps[self.record.step - 1].then if self.record.step else [self.lesson.start]

    def table(self, you: str = "") -> Table:
        """Return it as a table of the API, for the screens and texts that show tables; `you` is the person's name."""
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
