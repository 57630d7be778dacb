"""Lessons: a game's script, played by the engine's stateless calls."""

from typing import Any

import msgspec
from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.games.lessons import YOU, Step, is_move_of, scripts
from locanda.games.registry import WIRE_TYPES
from locanda.messages import JsonObject
from locanda.selection import takes_several
from locanda.texts.lessons import allowed
from locanda.texts.table import problem_text
from locanda.texts.words import move_label
from locanda.translations import Language, translations_in
from services.telegram.move_codes import move_of
from services.telegram.play.cards import selection_to_check
from services.telegram.play.lessons import Moment, step_of, table_of
from services.telegram.records import LessonRecord
from services.telegram.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError


class LessonState(Struct, frozen=True):
    """A lesson, as its screen needs it."""

    lesson: LessonRecord
    moment: Moment


class Lessons:
    """The lessons of people. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories) -> None:
        self._engine = engine
        self._people = repositories.people

    async def begin(self, user: int, game: str) -> LessonState:
        """Begin the lesson of a game, replacing the one that the person is in."""
        if game not in scripts():
            raise ActionRefusedError("unknown_button")
        return await self._save(user, LessonRecord(game, scripts()[game].deal))

    async def play(self, user: int, step: int, code: str, language: Language) -> LessonState:
        """Play the person's move and the others' that follow it in the script; or say why not."""
        lesson = await self._at(user, step)
        move, wanted = _move(lesson.game, code), step_of(lesson)
        if wanted is None:
            raise ActionRefusedError("stale")
        if not is_move_of(wanted, move, lesson.game):
            comment = await self._comment(lesson, wanted, move, language)
            return await self._save(user, structs.replace(lesson, comment=f"🤔 {comment}", selected=frozenset()))
        deal, events = _deal(lesson), list[JsonObject]()
        for each in (wanted.move, *wanted.others):
            answer = await self._engine.play_of(lesson.game, deal, each)
            deal, events = answer.deal, [*events, *answer.events]
        return await self._save(
            user, LessonRecord(lesson.game, msgspec.to_builtins(deal), step + 1, events=tuple(events))
        )

    async def select(self, user: int, step: int, place: int, *, selected: bool) -> LessonState:
        """Select or deselect a card."""
        lesson = await self._at(user, step)
        before = lesson.selected if takes_several(lesson.game) else frozenset()
        places = before | {place} if selected else before - {place}
        return await self._save(user, structs.replace(lesson, selected=places, comment=""))

    async def clear(self, user: int, step: int) -> LessonState:
        """Deselect all cards."""
        return await self._save(user, structs.replace(await self._at(user, step), selected=frozenset(), comment=""))

    async def _at(self, user: int, step: int) -> LessonRecord:
        lesson = await self._people.lesson(user)
        if lesson is None or lesson.step != step or lesson.explained:  # by release 0.1.0
            raise ActionRefusedError("stale")
        return lesson

    async def _save(self, user: int, lesson: LessonRecord) -> LessonState:
        await self._people.save_lesson(user, lesson)
        return LessonState(lesson, await self._moment(lesson))

    async def _moment(self, lesson: LessonRecord) -> Moment:
        deal = _deal(lesson)
        view = await self._engine.view_of(lesson.game, deal, YOU)
        moment = Moment(view, (await self._engine.moves_of(lesson.game, deal)).moves)
        selection = selection_to_check(table_of(moment, lesson), lesson.selected)
        if selection is None:
            return moment
        return structs.replace(moment, verdict=await self._engine.check_of(lesson.game, deal, selection))

    async def _comment(self, lesson: LessonRecord, wanted: Step, move: JsonObject, language: Language) -> str:
        """Return why a move is refused, or that it is legal, but not that of the lesson."""
        verdict = await self._engine.check_of(lesson.game, _deal(lesson), move)
        moment = await self._moment(lesson)
        if verdict.legal:
            label = move_label(lesson.game, wanted.move, moment.view, language)
            return allowed(label, translations_in(language))
        table = table_of(moment, lesson)
        return problem_text(str(verdict.code), dict(verdict.facts or {}), table, {}, translations_in(language))


def _deal(lesson: LessonRecord) -> Any:  # noqa: ANN401 - the deal of any game
    return msgspec.convert(lesson.deal, WIRE_TYPES[lesson.game].Deal)


def _move(game: str, code: str) -> JsonObject:
    try:
        return move_of(game, code)
    except (LookupError, ValueError):
        raise ActionRefusedError("stale") from None
