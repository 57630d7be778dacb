"""Lessons: the first deal of a game against computer players, by the engine's stateless calls."""

import hashlib
from typing import Any

import msgspec
from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.games.lessons import Moment
from locanda.games.registry import WIRE_TYPES
from locanda.messages import DealRequest, JsonObject, SuggestRequest
from locanda.translations import Language
from services.telegram.records import Lesson
from services.telegram.repositories import Repositories
from services.telegram.screens.games import GAME_SCREENS
from services.telegram.screens.lessons import COURSES, better_move, new_topic, table_of
from services.telegram.screens.notices import refusal_text
from services.telegram.tables.lookup import ActionRefusedError

YOU = 0
"""The seat of the person; the last seat deals, so that they begin."""


class LessonState(Struct, frozen=True):
    """A lesson, as its screen needs it."""

    lesson: Lesson
    moment: Moment


class Lessons:
    """The lessons of people. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories) -> None:
        self._engine = engine
        self._people = repositories.people

    async def begin(self, user: int, game: str) -> LessonState:
        """Begin the lesson of a game, replacing the one that the person is in."""
        course = COURSES.get(game)
        if course is None:
            raise ActionRefusedError("unknown_button")
        request = DealRequest(course.seats, dict(course.options), dealer=course.seats - 1, seed=course.seed)
        deal, events = await self._until_your_turn(game, await self._engine.deal(game, request))
        return await self._save(user, Lesson(game, _wire(deal), events=tuple(events)))

    async def play(self, user: int, step: int, code: str, language: Language) -> LessonState:
        """Play the person's move, and the others' moves up to the person's next turn; or explain why it is refused."""
        lesson = await self._at(user, step)
        move, deal = _move(lesson.game, code), _deal(lesson)
        verdict = await self._engine.check_of(lesson.game, deal, move)
        if not verdict.legal:
            moment = await self._moment(lesson)
            refused = refusal_text(str(verdict.code), dict(verdict.facts or {}), table_of(moment, lesson), language)
            return await self._save(user, structs.replace(lesson, comment=f"🤔 {refused}", selected=frozenset()))
        comment = await self._comment(lesson, move, language)
        answer = await self._engine.play_of(lesson.game, deal, move)
        after, events = await self._until_your_turn(lesson.game, answer.deal)
        played = structs.replace(
            lesson,
            deal=_wire(after),
            step=lesson.step + 1,
            events=(*answer.events, *events),
            comment=comment,
            selected=frozenset(),
        )
        return await self._save(user, played)

    async def select(self, user: int, step: int, place: int, *, selected: bool) -> LessonState:
        """Select or deselect a card."""
        lesson = await self._at(user, step)
        before = lesson.selected if GAME_SCREENS[lesson.game].controls.several else frozenset()
        places = before | {place} if selected else before - {place}
        return await self._save(user, structs.replace(lesson, selected=places, comment=""))

    async def clear(self, user: int, step: int) -> LessonState:
        """Deselect all cards."""
        return await self._save(user, structs.replace(await self._at(user, step), selected=frozenset(), comment=""))

    async def _at(self, user: int, step: int) -> Lesson:
        lesson = await self._people.lesson(user)
        if lesson is None or lesson.step != step:
            raise ActionRefusedError("stale")
        return lesson

    async def _save(self, user: int, lesson: Lesson) -> LessonState:
        moment = await self._moment(lesson)
        topic = new_topic(lesson, moment)
        if topic:
            lesson = structs.replace(lesson, explained=(*lesson.explained, topic))
        await self._people.save_lesson(user, lesson)
        return LessonState(lesson, structs.replace(moment, topic=topic))

    async def _moment(self, lesson: Lesson) -> Moment:
        deal = _deal(lesson)
        view = await self._engine.view_of(lesson.game, deal, YOU)
        moves = (await self._engine.moves_of(lesson.game, deal)).moves if deal.turn == YOU else []
        return Moment(view=view, moves=moves, events=lesson.events)

    async def _comment(self, lesson: Lesson, move: JsonObject, language: Language) -> str:
        """Return what a good player would have done instead, if that is another move."""
        moment = await self._moment(lesson)
        if len(moment.moves) < 2:
            return ""
        request = SuggestRequest(moment.view, level="medium", seed=_chance(_deal(lesson)))
        suggestion = await self._engine.suggest(lesson.game, request, language=language)
        return better_move(moment.view, move, suggestion, lesson.game, language)

    async def _until_your_turn(self, game: str, deal: Any) -> tuple[Any, list[JsonObject]]:  # noqa: ANN401
        """Return the deal at the person's next turn, or at its end, and the events up to then."""
        events: list[JsonObject] = []
        while deal.turn not in {None, YOU}:
            view = await self._engine.view_of(game, deal, deal.turn)
            suggestion = await self._engine.suggest(game, SuggestRequest(view, level="easy", seed=_chance(deal)))
            answer = await self._engine.play_of(game, deal, suggestion.move)
            deal, events = answer.deal, [*events, *answer.events]
        return deal, events


def _chance(deal: Any) -> str:  # noqa: ANN401 - the deal of any game
    """Return the seed of a computer player's random choices: the same moves always lead to the same lesson."""
    return hashlib.sha256(msgspec.json.encode(deal)).hexdigest()


def _deal(lesson: Lesson) -> Any:  # noqa: ANN401 - the deal of any game
    return msgspec.convert(lesson.deal, WIRE_TYPES[lesson.game].Deal)


def _wire(deal: Any) -> JsonObject:  # noqa: ANN401 - the deal of any game
    wire: JsonObject = msgspec.to_builtins(deal)
    return wire


def _move(game: str, code: str) -> JsonObject:
    try:
        return GAME_SCREENS[game].move(code)
    except (LookupError, ValueError):
        raise ActionRefusedError("unknown_button") from None
