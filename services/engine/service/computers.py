"""Computer players at tables: which level plays for a seat, and how it chooses its moves.

Replays of deals in progress are cached, so that only moves since the last replay need to be replayed.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec
import structlog
from msgspec import Struct

from locanda.games import choosing
from locanda.games.players import AnySituation
from locanda.messages import COMPUTER_LEVELS, OWN_PREFIX, ComputerLevel, Level, events
from services.engine.service import codec, thought, tokens
from services.engine.service.accounts import Accounts
from services.engine.service.move_time import MoveTime
from services.engine.service.own_players import NoMove, NoMoveError, OwnPlayers
from services.engine.service.thought import Answer, Question, ThoughtBudget
from services.engine.service.workers import LONGEST_THOUGHT, Asker, ThoughtFailedError, ThoughtFailure, Workers
from services.engine.store import Store
from services.engine.store.errors import DamagedError
from services.engine.table import history, playing
from services.engine.table.history import Replay, dealt, replay
from services.engine.table.playing import Choose
from services.engine.table.state import AnyTable, NewerReleaseError, Transition, TransitionContext, game_of

# --- replays of deals, from their logs

REMEMBERED = 256
"""Number of cached replays, about 30 KB each."""


@dataclass(frozen=True, slots=True)
class _Replayed:
    deal: tuple[int, int]
    """Numbers of the match and the deal."""
    count: int
    """Number of lines of the log that were replayed."""
    last: bytes
    found: Replay


class Replays:
    """Cache of replays of deals in progress, which depend only on the logs."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Replayed] = OrderedDict()

    def known(self, table: AnyTable) -> int:
        """Return how many lines of a deal's log need not be read: all lines already replayed, except the last."""
        kept = self._kept.get(table.id)
        return kept.count - 1 if kept is not None and kept.deal == _deal(table) else 0

    async def of(self, table: AnyTable, lines: list[bytes], known: int = 0) -> Replay | None:
        """Return the replay of a deal, or None if the log differs from the cached replay.

        `lines` are the lines of the log after the first `known` ones.

        Raises the errors of `codec.decode_log` and of the game.
        """
        kept = self._kept.pop(table.id, None)
        game = game_of(table)
        if not known:
            start, made = codec.decode_log(table.game, lines)
            replayed = Replay(dealt(game, start))
        elif kept is not None and lines[0] == kept.last:
            made, replayed = codec.decode_moves(lines[1:]), kept.found
        else:
            return None
        for first in range(0, len(made), history.MOVES_AT_ONCE):
            if first:
                await asyncio.sleep(0)
            replayed = replay(game, replayed, made[first : first + history.MOVES_AT_ONCE])
        self._kept[table.id] = _Replayed(_deal(table), known + len(lines), lines[-1], replayed)
        if len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return replayed


def _deal(table: AnyTable) -> tuple[int, int]:
    return table.match.number, table.match.deal


# --- computer players

Fallback: TypeAlias = ThoughtFailure | NoMove | Literal["no_history"]
"""Why a computer player's move was not chosen as planned. `no_history`: the deal's log is not available."""

PATIENCE, LONG_PATIENCE = 5.0, 30.0
"""Wall-clock seconds allowed for a computation, per second of processor time; `PATIENCE_SECONDS` is added. The first
factor is for moves and hints, for which there is a quicker alternative. Both factors are large, since workers have low
priority on a busy machine.
"""
PATIENCE_SECONDS = 3.0
TABLE_BUDGET = ThoughtBudget(cpu_ms=200)
"""Default budget of `hard` at a table."""
SEED_BYTES = 32

log = structlog.stdlib.get_logger("engine.thinking")


@dataclass(frozen=True, slots=True)
class Thinking:
    """What computer players need to compute moves: worker processes, budgets, and callbacks for metrics."""

    workers: Workers
    budget: ThoughtBudget = TABLE_BUDGET
    """Budget of `hard` at a table."""
    review_iterations: int = 2000
    """Total simulations for all moves of a review."""
    timed: Callable[[str, float], None] = lambda _level, _seconds: None
    """Called with the level and the wall-clock seconds of each computation in a worker process."""
    fell_back: Callable[[Fallback], None] = lambda _: None
    """Called with the reason of each move that was not chosen as planned."""
    draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES)
    own_players: OwnPlayers = field(default_factory=OwnPlayers)

    async def ask(self, question: Question, asker: Asker, think: Callable[[bytes], bytes] = thought.answer) -> bytes:
        """Return a worker's answer to a question. Raises `ThoughtFailedError` if there is no answer in time."""
        began = time.monotonic()
        longest = LONGEST_THOUGHT if question.budget.cpu_ms is None else question.budget.cpu_ms / 1000
        answer = await self.workers.run(think, thought.encoded(question), by_the_clock(longest, asker), asker)
        self.timed(question.level, time.monotonic() - began)
        return answer

    def shared_budget(self, account: Hashable, until: float | None = None) -> ThoughtBudget:
        """Return the budget for a move at a table: smaller if more computations wait than there are workers."""
        cpu_ms = None if self.budget.cpu_ms is None else self.budget.cpu_ms * self.workers.share(account)
        return ThoughtBudget(self.budget.iterations, cpu_ms, until)


def by_the_clock(cpu_seconds: float, asker: Asker) -> float:
    """Return the wall-clock seconds allowed for a computation, given its processor time."""
    return PATIENCE_SECONDS + (LONG_PATIENCE if asker.long else PATIENCE) * cpu_seconds


def level_for(table: AnyTable, number: int) -> Level:
    """Return the level that now plays for a seat: the seat's own, or the table's level of substitutes.

    A substitute for a person whose turn timed out plays `medium` instead of `hard`: the rest of that turn is one
    transition, with no time for a search.
    """
    seat = table.seats[number]
    if seat.kind == "computer":
        return "medium" if seat.away else seat.level or "medium"
    substitute = table.computers.substitute_level
    return substitute if seat.away or substitute != "hard" else "medium"


def account_of(table: AnyTable) -> Hashable:
    """Return the account charged for automatic steps at a table: its opener's, or else the table's own."""
    return table.id if table.opener is None else table.opener


class _MoveWanted(Exception):  # noqa: N818  (not an error)
    """Raised when a transition needs another chosen move before it can continue."""

    def __init__(self, table: AnyTable, number: int, happened: Sequence[Struct]) -> None:
        super().__init__()
        self.table, self.number = table, number
        self.happened = [event for event in happened if not isinstance(event, events.TableEvent)]
        """The game's events of the transition so far."""


def _in_turn(made: Sequence[Struct]) -> Choose:
    """Return a function that returns these moves one after the other, and then raises `_MoveWanted`."""
    following = iter(made)

    def choose(table: AnyTable, number: int, happened: Sequence[Struct]) -> Struct:
        for move in following:
            return move
        raise _MoveWanted(table, number, happened)

    return choose


@dataclass(frozen=True, slots=True)
class Plan:
    """A computer player's decision for the seat on turn: the chosen moves, and the transition that they make."""

    table: AnyTable
    number: int
    moves: Sequence[Struct]
    answered: bool | None
    """For an own player (on another server), whether it answered with the first move; None if it was not asked."""
    transition: Transition | None

    def suits(self, table: AnyTable, number: int) -> bool:
        """Return whether the plan still fits a later version of the table: same cards, same seat and same level."""
        same = table.deal == self.table.deal and number == self.number
        return same and level_for(table, number) == level_for(self.table, number)

    def again(self, table: AnyTable, context: TransitionContext) -> Transition | None:
        """Return the transition of the plan's moves from a later version of the table."""
        return playing.wake(table, context, _in_turn(self.moves), answered=self.answered)


class ComputerPlayers:
    """Chooses moves for computer players at tables."""

    def __init__(self, store: Store, thinking: Thinking, accounts: Accounts) -> None:
        self._store = store
        self._thinking = thinking
        self._accounts = accounts
        self._replays = Replays()

    async def plan(
        self, table: AnyTable, number: int, moves_at: MoveTime, context: Callable[[], TransitionContext]
    ) -> Plan:
        """Return a computer player's decision for the seat on turn.

        `moves_at` is the time of the move; computations that take longer are abandoned. `context` returns the
        transition's context, and is called after the moves are chosen.
        """
        player, answered, made = level_for(table, number), None, list[Struct]()
        known = None if player == "plain" else await self.known_events(table, number)
        if player.startswith(OWN_PREFIX):
            move, answered = await self._ask_own_player(table, number, player, known)
            made += () if move is None else (move,)
        level = next((level for level in COMPUTER_LEVELS if level == player), None if player == "plain" else "medium")
        while True:
            await self.turn(table)
            try:
                transition = playing.wake(table, context(), _in_turn(made), answered=answered)
            except _MoveWanted as wanted:
                made.append(await self._chosen(wanted, level, known, moves_at))
            else:
                return Plan(table, number, made, answered, transition)

    async def turn(self, table: AnyTable) -> None:
        """Wait for a turn of the event loop if the table's opener has used much processor time lately."""
        if table.opener is not None:
            await self._accounts.turn(table.opener)

    async def _ask_own_player(
        self, table: AnyTable, number: int, level: str, known: tuple[Struct, ...] | None
    ) -> tuple[Struct | None, bool | None]:
        """Return an own player's move, and whether it answered. Both are None if it could not be asked."""
        began = time.monotonic()
        try:
            move = await self._thinking.own_players.move(table, number, level, known)
        except NoMoveError as error:
            log.info("own_player_failed", player=level, reason=error.reason, table=tokens.short_id(table.id))
            self._thinking.fell_back(error.reason)
            return None, None if error.reason == "busy" else False
        self._thinking.timed("own", time.monotonic() - began)
        return move, True

    async def known_events(self, table: AnyTable, number: int) -> tuple[Struct, ...] | None:
        """Return the game's events since the deal, or None without a log; reads only its new lines if it can."""
        known = self._replays.known(table)
        events = await self._replayed(table, number, known)
        if events is None and known:
            events = await self._replayed(table, number, 0)
        if events is None:
            self._thinking.fell_back("no_history")
        return events

    async def _replayed(self, table: AnyTable, number: int, known: int) -> tuple[Struct, ...] | None:
        lines = await self._store.log(table.id, *_deal(table), known)
        try:
            replayed = await self._replays.of(table, lines, known) if lines else None
            if replayed is not None and history.leads_to(replayed, table, number):
                return replayed.events
        except (NewerReleaseError, DamagedError):
            pass
        except Exception as error:  # noqa: BLE001 - the game continues without history
            log.warning("history_failed", error=type(error).__name__, table=tokens.short_id(table.id))
        return None

    async def _chosen(
        self, wanted: _MoveWanted, level: ComputerLevel | None, known: tuple[Struct, ...] | None, moves_at: MoveTime
    ) -> Struct:
        """Return the move of a level (None: `plain`). Long searches run in a worker process if there is time."""
        table, game, rng = wanted.table, game_of(wanted.table), thought.rng_of(self._thinking.draw_seed())
        situation = history.situation(table, wanted.number, None if known is None else (*known, *wanted.happened))
        if level is None:
            return choosing.choose_plainly(game, situation.view, rng)
        try:
            quick = level in choosing.PLAYERS[table.game].quick
            move = None if quick else await self._think(table, situation, level, moves_at)
            if move is None:
                await self.turn(table)
                move = choosing.choose_quickly(game, situation, level, rng).move
        except Exception as error:  # noqa: BLE001 - the game must not hang
            log.error("player_failed", error=type(error).__name__, game=table.game, level=level)  # noqa: TRY400
            self._thinking.fell_back("failed")
            move = choosing.choose_plainly(game, situation.view, rng)
        return move

    async def _think(
        self, table: AnyTable, situation: AnySituation, level: ComputerLevel, moves_at: MoveTime
    ) -> Struct | None:
        """Return the move that a worker process chooses, or None if it does not answer in time."""
        game, account = game_of(table), account_of(table)
        moves: list[Struct] = game.moves(table.deal)
        if len(moves) == 1:
            return moves[0]
        budget = self._thinking.shared_budget(account, moves_at.search_ends)
        question = thought.question(game, situation, level, self._thinking.draw_seed(), budget)
        try:
            async with asyncio.timeout(moves_at.patience()):
                answer = thought.read_answer(
                    await self._thinking.ask(question, Asker(account, at_table=True, game=game.name))
                )
        except (ThoughtFailedError, TimeoutError) as error:
            self._thinking.fell_back(error.reason if isinstance(error, ThoughtFailedError) else "late")
            return None
        move: Struct | None = msgspec.convert(answer.move, game.move_type) if isinstance(answer, Answer) else None
        return move
