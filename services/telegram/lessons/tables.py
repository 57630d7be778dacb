"""Lessons: the engine gives every moment of a lesson's deal; the bot keeps how far a person is."""

from msgspec import structs

from locanda.client import EngineClient
from locanda.games.lessons import is_same_move
from locanda.messages import GameName, GivenMove, JsonObject
from locanda.texts.selection import takes_several
from locanda.texts.table import problem_text
from locanda.translations import Language, translations_in
from services.telegram.lessons.lesson import LessonState
from services.telegram.move_codes import move_of
from services.telegram.play.cards import selection_to_check
from services.telegram.records import LessonRecord
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, GameCatalogue


class Lessons:
    """The lessons of people. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories, catalogue: GameCatalogue) -> None:
        self._engine = engine
        self._people = repositories.people
        self._catalogue = catalogue

    async def begin(self, user: int, game: str, language: Language) -> LessonState:
        """Begin the lesson of a game, replacing the one that the person is in."""
        state = LessonState(await self._catalogue.lesson(game, language), LessonRecord(game))
        return await self._save(user, state)

    async def play(self, user: int, step: int, code: str, language: Language) -> LessonState:
        """Play the person's move and the others' that follow it in the script; or say why not."""
        state = await self._at(user, step, language)
        game, move, wanted = state.lesson.game, _move(state.lesson.game, code), state.step
        if wanted is not None and is_same_move(wanted.move, move, game):
            return await self._save(user, state, step=step + 1, comment="", selected=frozenset())
        comment = await self._comment(state, GivenMove(move), language)
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
        """Return the lesson in which a person is, unless it is at another step, or over."""
        record = await self._people.lesson(user)
        if record is None or record.step != step:
            raise ActionRefusedError("stale")
        lesson = await self._catalogue.lesson(record.game, language)
        if step >= len(lesson.steps):
            raise ActionRefusedError("stale")
        return LessonState(lesson, record)

    async def _save(self, user: int, state: LessonState, **changes: object) -> LessonState:
        """Store how far a person is after these changes, and return the lesson as it is then."""
        record = structs.replace(state.record, **changes)
        await self._people.save_lesson(user, record)
        now = LessonState(state.lesson, record)
        selection = selection_to_check(now.table(), record.selected)
        if selection is None:
            return now
        verdict = await self._engine.check_of(GameName(record.game), now.moment.deal, selection)
        return structs.replace(now, verdict=verdict)

    async def _comment(self, state: LessonState, move: GivenMove, language: Language) -> str:
        """Return why a move is refused, or that it is legal, but not that of the lesson."""
        verdict = await self._engine.check_of(state.lesson.game, state.moment.deal, move)
        if verdict.legal and state.step is not None:
            return state.step.allowed
        facts, translations = dict(verdict.facts or {}), translations_in(language)
        return problem_text(str(verdict.code), facts, state.table(), {}, translations)


def _move(game: str, code: str) -> JsonObject:
    try:
        return move_of(game, code)
    except (LookupError, ValueError):
        raise ActionRefusedError("stale") from None
