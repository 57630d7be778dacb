"""Actions in lessons: the engine has the script of each lesson, the bot stores each learner's progress."""

from msgspec import structs

from locanda.client import EngineClient
from locanda.games.lessons import is_same_move
from locanda.messages import GameName, GivenMove
from locanda.texts.selection import takes_several
from locanda.texts.table import problem_text
from locanda.translations import Language, translations_in
from services.telegram.lessons.lesson import LessonState
from services.telegram.play.cards import selection_to_check
from services.telegram.records import LessonRecord
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, GameCatalogue
from services.telegram.tables.match import pressed_move


class Lessons:
    """Actions of learners in their lessons. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories, catalogue: GameCatalogue) -> None:
        self._engine = engine
        self._people = repositories.people
        self._catalogue = catalogue

    async def begin(self, user: int, game: str, language: Language) -> LessonState:
        """Begin a game's lesson, replacing the learner's current one."""
        state = LessonState(await self._catalogue.lesson(game, language), LessonRecord(game))
        return await self._save(user, state)

    async def play(self, user: int, step: int, code: str, language: Language) -> LessonState:
        """Play the learner's move and the script's replies. If another move is expected, only store a comment."""
        state = await self._at(user, step, language)
        game, wanted = state.lesson.game, state.step
        move = pressed_move(game, code)
        if wanted is not None and is_same_move(wanted.move, move, game):
            return await self._save(user, state, step=step + 1, comment="", selected=frozenset())
        comment = await self._comment(state, move, language)
        return await self._save(user, state, comment=f"🤔 {comment}", selected=frozenset())

    async def select(self, user: int, step: int, place: int, language: Language, *, selected: bool) -> LessonState:
        """Select or deselect a card."""
        state = await self._at(user, step, language)
        before = state.record.selected if takes_several(state.lesson.game) else frozenset()
        places = before | {place} if selected else before - {place}
        return await self._save(user, state, selected=places, comment="")

    async def clear(self, user: int, step: int, language: Language) -> LessonState:
        """Deselect all cards."""
        return await self._save(user, await self._at(user, step, language), selected=frozenset(), comment="")

    async def _at(self, user: int, step: int, language: Language) -> LessonState:
        """Return a learner's lesson. Raises `ActionRefusedError` if it is at another step or over."""
        record = await self._people.lesson(user)
        if record is None or record.step != step:
            raise ActionRefusedError("stale")
        lesson = await self._catalogue.lesson(record.game, language)
        if step >= len(lesson.steps):
            raise ActionRefusedError("stale")
        return LessonState(lesson, record)

    async def _save(self, user: int, state: LessonState, **changes: object) -> LessonState:
        """Store a learner's changed progress; return the lesson with the verdict on their selected cards."""
        record = structs.replace(state.record, **changes)
        await self._people.save_lesson(user, record)
        now = LessonState(state.lesson, record)
        selection = selection_to_check(now.table(), record.selected)
        if selection is None:
            return now
        verdict = await self._engine.check_of(GameName(record.game), now.moment.deal, selection)
        return structs.replace(now, verdict=verdict)

    async def _comment(self, state: LessonState, move: GivenMove, language: Language) -> str:
        """Return why a move is illegal, or the lesson's comment on a legal move other than the expected one."""
        verdict = await self._engine.check_of(state.lesson.game, state.moment.deal, move)
        if verdict.legal and state.step is not None:
            return state.step.allowed
        facts, translations = dict(verdict.facts or {}), translations_in(language)
        return problem_text(str(verdict.code), facts, state.table(), {}, translations)
