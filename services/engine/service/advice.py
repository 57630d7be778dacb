"""Advice from computer players: a move for a view in the request, hints at a table, reviews of finished deals.

A review shows each of a person's moves next to the move that level `hard` would have played with the same knowledge.
"""

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct

from locanda import messages
from locanda.explanations import ONLY_MOVE, Reason
from locanda.games import choosing, pricing
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation, Situation
from locanda.messages import GivenMove, Language
from locanda.texts.table import reason_text
from locanda.texts.words import move_label
from locanda.translations import translations_in
from services.common.pieces import in_pieces
from services.engine.errors import ProblemError
from services.engine.service import planning, playing_out, thought
from services.engine.service.accounts import Group
from services.engine.service.computers import SEED_BYTES, ComputerPlayers, Thinking, by_the_clock
from services.engine.service.errors import UNEXPECTED_ERRORS, NoThoughtError
from services.engine.service.playing_out import PlayedOut, WrongPart
from services.engine.service.queries import proved
from services.engine.service.thought import Answer, Compared, Question, Rejected, ThoughtBudget
from services.engine.service.validation import ImpossibleError, ValidationError, validation_error
from services.engine.service.workers import Asker, ThoughtFailedError
from services.engine.table import history
from services.engine.table.history import Decision, decisions
from services.engine.table.state import AnyTable, DealStart, MoveMade, TableError, game_of, turn_of

# --- moves and hints

LONGEST_SEARCH = 2000
"""Maximum processor milliseconds of a search whose budget is a number of iterations."""
PATIENCE = 30.0
"""Seconds that a suggestion, or a move of a review, waits for a worker process."""
HINT_PATIENCE = 3.0
"""Seconds that a hint waits for a worker process. After that, the hint is chosen without a search."""


class Advisor:
    """Answers people's requests to computer players."""

    def __init__(self, computers: ComputerPlayers, thinking: Thinking) -> None:
        self._computers = computers
        self._thinking = thinking

    async def suggest(
        self, game: AnyGame, request: messages.SuggestRequest, language: Language, account: Group
    ) -> messages.Suggestion:
        """Return a computer player's move for a view.

        Raises `ValidationError` or `TableError` if the view or the history is invalid, and `NoThoughtError` if no
        worker is free in time.
        """
        situation = _posted_situation(game, request)
        seed = secrets.token_bytes(SEED_BYTES) if request.seed is None else bytes.fromhex(request.seed)
        began = time.monotonic()
        question = thought.question(game, situation, request.level, seed, self._budget(request.budget))
        # The computation may take long, since the client makes up the view and the history.
        answer = thought.read_answer(await self.think(question, _long(account, game), thought.answer_posted))
        if isinstance(answer, Rejected):
            raise ImpossibleError(answer.field, answer.detail)
        elapsed = round((time.monotonic() - began) * 1000)
        return messages.Suggestion(
            GivenMove(answer.move), translated(game, answer.reason, language), answer.simulations, elapsed
        )

    async def play_out(self, game: AnyGame, request: messages.PlayoutsRequest, account: Group) -> PlayedOut | WrongPart:
        """Return the results of play-outs by a worker process, or the invalid part of the request.

        Raises `NoThoughtError` if no worker is free in time.
        """
        return playing_out.read_answer(
            await self._work(playing_out.answer, playing_out.question(game, request), _long(account, game))
        )

    async def plan_rounds(self, request: messages.RoundsRequest, account: Group) -> messages.RoundsAnswer:
        """Return the rounds of a tournament, planned by a worker process.

        Raises `NoThoughtError` if no worker is free in time.
        """
        return planning.read_answer(await self._work(planning.answer, planning.question(request), _long(account)))

    async def _work(self, work: Callable[[bytes], bytes], encoded: bytes, asker: Asker) -> bytes:
        """Return a worker's result for an encoded request. Raises `NoThoughtError` if no worker is free in time."""
        seconds = by_the_clock(playing_out.WORK_SECONDS, asker)
        with _no_thought():
            return await self._thinking.workers.run(work, encoded, seconds, asker)

    def _budget(self, budget: messages.SearchBudget) -> ThoughtBudget:
        if budget.iterations is not None:
            return ThoughtBudget(budget.iterations, LONGEST_SEARCH if budget.ms is None else budget.ms)
        cpu_ms = self._thinking.budget.cpu_ms if budget.ms is None else budget.ms
        return ThoughtBudget(self._thinking.budget.iterations, cpu_ms)

    async def hint(
        self, table: AnyTable, seat: int, language: Language, account: Group, *, words: bool = False
    ) -> messages.Hint:
        """Return the choice of `hard` for the seat on turn; a quick choice without a search if no worker is free.

        Raises `TableError` if the seat may not ask for a hint. With `words`, the hint has a label for the move.
        """
        game = game_of(table)
        _require_hints(table, seat)
        known = await self._computers.known_events(table, seat)
        # The seed is fixed and public, so asking again gives the same hint and reveals nothing more.
        seed = hashlib.sha256(f"hint {table.id} {table.version}".encode()).digest()
        budget = self._thinking.shared_budget(account)
        situation = history.situation(table, seat, known)
        question = thought.question(game, situation, "hard", seed, budget)
        answer = await self._answer(question, Asker(account, HINT_PATIENCE, game=game.name))
        if answer is None:
            chosen = choosing.choose_quickly(game, situation, "hard", thought.rng_of(seed))
            answer = Answer(msgspec.to_builtins(chosen.move), chosen.reason, 0)
        text = move_label(game.name, answer.move, situation.view, language) if words else UNSET
        return messages.Hint(
            GivenMove(answer.move), translated(game, answer.reason, language), answer.simulations, text
        )

    async def _answer(self, question: Question, asker: Asker) -> Answer | None:
        """Return a worker's answer, or None if it takes too long or is not a move."""
        try:
            answer = thought.read_answer(await self.think(question, asker))
        except NoThoughtError:
            return None
        return answer if isinstance(answer, Answer) else None

    async def think(self, question: Question, asker: Asker, think: Callable[[bytes], bytes] = thought.answer) -> bytes:
        """Return a worker's encoded answer. Raises `NoThoughtError` if no worker is free in time."""
        with _no_thought():
            return await self._thinking.ask(question, asker, think)


@contextmanager
def _no_thought() -> Iterator[None]:
    """Raise `NoThoughtError` if no worker process is free in time. An exception inside a worker is raised as it is."""
    try:
        yield
    except ThoughtFailedError as error:
        if error.reason == "failed":
            raise
        raise NoThoughtError from None


def _long(account: Group, game: AnyGame | None = None) -> Asker:
    """Return the requester of work whose length the client determines."""
    return Asker(account, PATIENCE, long=True, game=game.name if game else None)


def translated(game: AnyGame, reason: Reason, language: Language) -> messages.MoveReason:
    """Return a reason with its sentence in a language."""
    return messages.MoveReason(reason.code, reason_text(game.name, reason, translations_in(language)))


def _require_hints(table: AnyTable, seat: int) -> None:
    """Raise `TableError` if a seat may not ask for a hint now."""
    if not table.computers.hints:
        raise TableError("hints_off")
    if table.status != "playing":
        raise TableError("not_playing", status=table.status)
    turn = turn_of(table)
    if turn != seat:
        raise TableError("not_your_turn", turn=turn)


def _posted_situation(game: AnyGame, request: messages.SuggestRequest) -> AnySituation:
    """Return the view and history in a request, after checks of their form only.

    Raises `ValidationError`, `TableError`.
    """
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
        raise validation_error(error, game.event_type, f"history[{at}]", value=event) from None
    return read


# --- reviews

FEWEST, MOST = 12, 200
"""Minimum and maximum number of simulations per move."""
WORST = 3
"""Maximum number of costly moves that are shown with the player's view."""
SHOWN_AT_ONCE = 4
"""Number of a review's moves that are replayed, or described, in one iteration of the event loop."""
REMEMBERED = 256
"""Number of cached reviews, about 20 KB each."""

Key: TypeAlias = tuple[str, int, int, int]
"""Table id, and the numbers of the match, the deal and the seat."""


@dataclass(slots=True)
class _Review:
    """A review, finished or in progress. A retry continues where the last request stopped."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    compared: list[Compared] = field(default_factory=list)
    """The result of `hard` for each of the seat's moves so far."""


class Reviews:
    """Reviews deals. Caches reviews, since they depend only on the deal's log."""

    def __init__(self, advisor: Advisor, iterations: int) -> None:
        self._advisor = advisor
        self._iterations = iterations
        self._found: OrderedDict[Key, _Review] = OrderedDict()

    async def review(
        self,
        game: AnyGame,
        log: tuple[DealStart[Struct], list[MoveMade]],
        seat: int,
        language: Language,
        account: Group,
        *,
        words: bool = False,
    ) -> messages.Review:
        """Return the review of a seat's moves in a finished deal.

        Raises `ProblemError` `proof_lost` if the log is not whole, and `NoThoughtError` if no worker is free in time.
        """
        start, made = log
        try:
            await proved(game, start, made)
            all_decisions = [played async for played in in_pieces(decisions(game, start, made, seat), SHOWN_AT_ONCE)]
        except UNEXPECTED_ERRORS:
            raise ProblemError("proof_lost") from None
        review = self._of((start.match.table, start.match.number, start.match.deal, seat))
        budget, asker = self._budget(all_decisions), _long(account, game)
        async with review.lock:
            for decision in all_decisions[len(review.compared) :]:
                review.compared.append(await self._compare(game, start, decision, budget, asker))
        return await _shown(game, all_decisions, review.compared, language, words=words)

    def _of(self, key: Key) -> _Review:
        review = self._found.setdefault(key, _Review())
        self._found.move_to_end(key)
        if len(self._found) > REMEMBERED:
            self._found.popitem(last=False)
        return review

    def _budget(self, all_decisions: Sequence[Decision]) -> ThoughtBudget:
        """Return the budget per move. The total is fixed, so a review of many moves takes no longer."""
        free = sum(len(decision.moves) > 1 for decision in all_decisions)
        return ThoughtBudget(iterations=max(FEWEST, min(MOST, self._iterations // max(1, free))))

    async def _compare(
        self, game: AnyGame, start: DealStart[Struct], made: Decision, budget: ThoughtBudget, asker: Asker
    ) -> Compared:
        """Return the result of `hard` for a decision. Its random seed is public, so all engines get the same result."""
        if len(made.moves) == 1:
            return Compared(msgspec.to_builtins(made.played), ONLY_MOVE.because(), 0.0)
        public = start.match.deal_seed(start.match.deal).hex()
        seed = hashlib.sha256(f"review {public} {made.number}".encode()).digest()
        question = thought.comparison(thought.question(game, made.situation, "hard", seed, budget), made.played)
        return thought.read_comparison(await self._advisor.think(question, asker, thought.compare))


async def _shown(
    game: AnyGame, all_decisions: Sequence[Decision], compared: Sequence[Compared], language: Language, *, words: bool
) -> messages.Review:
    costly = sorted((at for at, priced in enumerate(compared) if priced.cost > 0), key=lambda at: -compared[at].cost)
    worst = [all_decisions[at].number for at in costly[:WORST]]
    moves = [
        messages.ReviewedMove(
            number=decision.number,
            played=msgspec.to_builtins(decision.played),
            best=priced.best,
            cost=priced.cost,
            value=priced.value,
            reason=translated(game, priced.reason, language),
            view=decision.situation.view if decision.number in worst else None,
            words=_words(game, decision, priced, language) if words else UNSET,
        )
        async for decision, priced in in_pieces(zip(all_decisions, compared, strict=True), SHOWN_AT_ONCE)
    ]
    free = [len(decision.moves) > 1 for decision in all_decisions]
    chosen = [*compress(moves, free)]
    chances = [priced.chance for priced in compress(compared, free)]
    same = sum(move.played == move.best for move in chosen)
    return messages.Review(
        moves,
        worst,
        choices=len(chosen),
        same=same,
        others=[move.number for move in chosen if move.played != move.best and not move.cost],
        well_played=not worst and pricing.well_played(chances, same),
    )


def _words(game: AnyGame, decision: Decision, compared: Compared, language: Language) -> messages.ReviewWords:
    """Return the labels of the played and the best move, in the position before the move."""
    played = msgspec.to_builtins(decision.played)
    labels = [move_label(game.name, move, decision.situation.view, language) for move in (played, compared.best)]
    return messages.ReviewWords(language, *labels)
