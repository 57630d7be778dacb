"""What computer players advise people who ask: the move in a view, and hints at a table."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from locanda import messages
from locanda.messages import Language
from locanda.reasons import Reason
from locanda.texts.reasons import reason_text
from locanda.texts.words import move_label
from locanda.translations import translations_in
from services.engine.games.base import AnyGame
from services.engine.players import choosing
from services.engine.players.base import AnySituation, Situation
from services.engine.service import thought
from services.engine.service.computers import NO_BUDGET, SEED_BYTES, ComputerPlayers, Thinking
from services.engine.service.errors import NoThoughtError
from services.engine.service.thought import Answer, Question, Rejected, ThoughtBudget
from services.engine.service.validation import ImpossibleError, ValidationError, validation_error
from services.engine.service.workers import ThoughtFailedError
from services.engine.table import history
from services.engine.table.state import AnyTable, TableError, game_of, turn_of

LONGEST_SEARCH = 5000
"""Milliseconds of processor after which a search ends that was asked for in iterations."""
WAITING_PER_WORKER = 4
"""Thoughts that may wait for a process; beyond, further ones are refused."""


class Advisor:
    """Asks computer players for people: one thought for each process at a time, so that tables' moves come between."""

    def __init__(self, computers: ComputerPlayers, thinking: Thinking) -> None:
        self._computers = computers
        self._thinking = thinking
        self._asking = 0
        self._free = asyncio.Semaphore(thinking.workers.count)

    async def suggest(self, game: AnyGame, request: messages.SuggestRequest, language: Language) -> messages.Suggestion:
        """Return a computer player's move in a view. Raises `ValidationError`, `TableError`, `NoThoughtError`."""
        situation = _posted_situation(game, request)
        seed = secrets.token_bytes(SEED_BYTES) if request.seed is None else bytes.fromhex(request.seed)
        began = time.monotonic()
        asked = thought.question(game, situation, request.level, seed, self._budget(request.budget))
        found = thought.read_answer(await self.think(asked, thought.answer_posted))
        if isinstance(found, Rejected):
            raise ImpossibleError(found.field, found.detail)
        elapsed = round((time.monotonic() - began) * 1000)
        return messages.Suggestion(found.move, translated(game, found.reason, language), found.simulations, elapsed)

    def _budget(self, asked: messages.SearchBudget) -> ThoughtBudget:
        if asked.iterations is None and asked.ms is None:
            return self._thinking.budget
        return ThoughtBudget(asked.iterations, LONGEST_SEARCH if asked.ms is None else asked.ms)

    async def hint(self, table: AnyTable, seat: int, language: Language, *, words: bool = False) -> messages.Hint:
        """Return what `hard` would play in a seat on turn; where no process is free, `medium`. Raises `TableError`.

        `words`: with the label of the move.
        """
        game = game_of(table)
        _require_hints(table, seat)
        known = await self._computers.known_events(table, seat)
        # Public, and the same for each who asks again: hints tell no more than the first one did.
        seed = hashlib.sha256(f"hint {table.id} {table.version}".encode()).digest()
        budget = self._thinking.shared_budget()
        situation = history.situation(table, seat, known)
        found = await self._answer(thought.question(game, situation, "hard", seed, budget))
        if found is None:
            chosen = choosing.choose(game, situation, "medium", Random(seed), NO_BUDGET)  # noqa: S311  (guards nothing)
            found = Answer(msgspec.to_builtins(chosen.move), chosen.reason, 0)
        text = move_label(game.name, found.move, situation.view, language) if words else UNSET
        return messages.Hint(found.move, translated(game, found.reason, language), found.simulations, text)

    async def _answer(self, asked: Question) -> Answer | None:
        """Return a process's answer; None where it gives none in time."""
        try:
            found = thought.read_answer(await self.think(asked))
        except NoThoughtError:
            return None
        return found if isinstance(found, Answer) else None

    async def think(self, asked: Question, think: Callable[[bytes], bytes] = thought.answer) -> bytes:
        """Return a process's answer. Raises `NoThoughtError` where none is free in time."""
        if self._asking >= WAITING_PER_WORKER * self._thinking.workers.count:
            raise NoThoughtError
        self._asking += 1
        try:
            async with self._free:
                return await self._thinking.ask(asked, think)
        except ThoughtFailedError:
            raise NoThoughtError from None
        finally:
            self._asking -= 1


def translated(game: AnyGame, reason: Reason, language: Language) -> messages.MoveReason:
    """Return a reason as a sentence."""
    return messages.MoveReason(reason.code, reason_text(game.name, reason, translations_in(language)))


def _require_hints(table: AnyTable, seat: int) -> None:
    """Raise `TableError` where the seat may not ask for a hint now."""
    if not table.computers.hints:
        raise TableError("hints_off")
    if table.status != "playing":
        raise TableError("not_playing", status=table.status)
    turn = turn_of(table)
    if turn != seat:
        raise TableError("not_your_turn", turn=turn)


def _posted_situation(game: AnyGame, request: messages.SuggestRequest) -> AnySituation:
    """Return the situation of a request, whose form alone is checked. Raises `ValidationError`, `TableError`."""
    view: Any = request.view
    if not isinstance(view, game.view_type):
        raise ValidationError("view.game", f"the path names {game.name}")
    if view.seat is None:
        raise ImpossibleError("view.seat", "a spectator has no move")
    if view.turn != view.seat:
        raise TableError("not_your_turn", turn=view.turn)
    if request.history is UNSET:
        return Situation(view, None)
    return Situation(view, tuple([_event(game, at, event) for at, event in enumerate(request.history)]))


def _event(game: AnyGame, at: int, event: messages.JsonObject) -> Struct:
    try:
        read: Struct = msgspec.convert(event, game.event_type)
    except msgspec.ValidationError as error:
        raise validation_error(error, f"history[{at}]") from None
    return read
