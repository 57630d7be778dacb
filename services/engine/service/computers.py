"""Computer players at tables: the level that plays for a seat, and its moves, from the loop or from a worker.

Deals in progress are kept replayed in memory: a computer player replays only what came after its last move.
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

# --- deals replayed from their logs

REMEMBERED = 256
"""The number of cached replays, of some 30 KB each."""


@dataclass(frozen=True, slots=True)
class _Replayed:
    deal: tuple[int, int]
    """The match and the deal."""
    count: int
    """How many lines of its log were replayed."""
    last: bytes
    """The last line."""
    found: Replay


class Replays:
    """Replays of deals in progress. They are functions of the log's bytes, and may be forgotten at any time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Replayed] = OrderedDict()

    def known(self, table: AnyTable) -> int:
        """Return the number of a deal's log lines that need not be read: all replayed ones but the last."""
        kept = self._kept.get(table.id)
        return kept.count - 1 if kept is not None and kept.deal == _deal(table) else 0

    async def of(self, table: AnyTable, lines: list[bytes], known: int = 0) -> Replay | None:
        """Return the replay of a deal's log, of which `lines` come after the known ones; None if they do not agree.

        Raises what `codec.decode_log` and the game raise.
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
"""Why a computer player's move was not chosen as planned; `no_history`: the deal's log is not available."""

PATIENCE, LONG_PATIENCE = 5.0, 30.0
"""Wall-clock time of a thought, as a multiple of its processor time, besides `PATIENCE_SECONDS`: for a move or a hint,
which a quicker one can replace, and for all else. Workers have low priority on a busy machine.
"""
PATIENCE_SECONDS = 3.0
TABLE_BUDGET = ThoughtBudget(cpu_ms=200)
"""The default budget of `hard` at a table."""
SEED_BYTES = 32

log = structlog.stdlib.get_logger("engine.thinking")


@dataclass(frozen=True, slots=True)
class Thinking:
    """What computer players need to think: workers, budgets and callbacks for metrics."""

    workers: Workers
    budget: ThoughtBudget = TABLE_BUDGET
    """The budget of `hard` at a table."""
    review_iterations: int = 2000
    """Simulations for all moves of a review together."""
    timed: Callable[[str, float], None] = lambda _level, _seconds: None
    """Called with the level and the seconds by the clock on the wall of each thought in a process."""
    fell_back: Callable[[Fallback], None] = lambda _: None
    """Called with the reason of each choice by another level than intended."""
    draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES)
    own_players: OwnPlayers = field(default_factory=OwnPlayers)

    async def ask(self, question: Question, asker: Asker, think: Callable[[bytes], bytes] = thought.answer) -> bytes:
        """Return a worker's answer to a question. Raises `ThoughtFailedError`."""
        began = time.monotonic()
        longest = LONGEST_THOUGHT if question.budget.cpu_ms is None else question.budget.cpu_ms / 1000
        answer = await self.workers.run(think, thought.encoded(question), by_the_clock(longest, asker), asker)
        self.timed(question.level, time.monotonic() - began)
        return answer

    def shared_budget(self, account: Hashable, until: float | None = None) -> ThoughtBudget:
        """Return the budget for a move at a table: smaller if more thoughts are pending than there are workers."""
        cpu_ms = None if self.budget.cpu_ms is None else self.budget.cpu_ms * self.workers.share(account)
        return ThoughtBudget(self.budget.iterations, cpu_ms, until)


def by_the_clock(cpu_seconds: float, asker: Asker) -> float:
    """Return the seconds by the clock on the wall that a thought with a process may take."""
    return PATIENCE_SECONDS + (LONG_PATIENCE if asker.long else PATIENCE) * cpu_seconds


def level_for(table: AnyTable, number: int) -> Level:
    """Return the level at which a computer now plays for a seat: the seat's own, or that of substitutes.

    A turn that ended by time-out is finished in one transition, so without a search.
    """
    seat = table.seats[number]
    if seat.kind == "computer":
        return "medium" if seat.away else seat.level or "medium"
    substitute = table.computers.substitute_level
    return substitute if seat.away or substitute != "hard" else "medium"


def account_of(table: AnyTable) -> Hashable:
    """Return the account charged for automatic steps at a table: its opener's, or one of its own."""
    return table.id if table.opener is None else table.opener


class _MoveWanted(Exception):  # noqa: N818  (it is no error)
    """A transition cannot go on before a move is chosen."""

    def __init__(self, table: AnyTable, number: int, happened: Sequence[Struct]) -> None:
        super().__init__()
        self.table, self.number = table, number
        self.happened = [event for event in happened if not isinstance(event, events.TableEvent)]
        """The game's events of the transition so far."""


def _in_turn(made: Sequence[Struct]) -> Choose:
    """Return the function that chooses these moves one after the other; then it raises `_MoveWanted`."""
    following = iter(made)

    def choose(table: AnyTable, number: int, happened: Sequence[Struct]) -> Struct:
        for move in following:
            return move
        raise _MoveWanted(table, number, happened)

    return choose


@dataclass(frozen=True, slots=True)
class Plan:
    """A computer player's decision for a seat on turn: the chosen moves and their transition."""

    table: AnyTable
    number: int
    moves: Sequence[Struct]
    answered: bool | None
    """Of an own player, whether the first move is its own."""
    transition: Transition | None

    def suits(self, table: AnyTable, number: int) -> bool:
        """Return whether the cards and the player are the same at a later version of the table."""
        same = table.deal == self.table.deal and number == self.number
        return same and level_for(table, number) == level_for(self.table, number)

    def again(self, table: AnyTable, context: TransitionContext) -> Transition | None:
        """Return the transition from a later version of the table that the plan suits."""
        return playing.wake(table, context, _in_turn(self.moves), answered=self.answered)


class ComputerPlayers:
    """Moves for computer players at tables."""

    def __init__(self, store: Store, thinking: Thinking, accounts: Accounts) -> None:
        self._store = store
        self._thinking = thinking
        self._accounts = accounts
        self._replays = Replays()

    async def plan(
        self, table: AnyTable, number: int, moves_at: MoveTime, context: Callable[[], TransitionContext]
    ) -> Plan:
        """Return a computer player's decision for a seat on turn.

        `moves_at` is the time of the move: thoughts that take longer are abandoned. `context` returns its context, once
        its moves are chosen.
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
        """Wait, if the table's opener is busy, for a turn of the loop in which no other piece of their work begins."""
        if table.opener is not None:
            await self._accounts.turn(table.opener)

    async def _ask_own_player(
        self, table: AnyTable, number: int, level: str, known: tuple[Struct, ...] | None
    ) -> tuple[Struct | None, bool | None]:
        """Return an own player's move, and whether it has answered; neither if it could not be asked."""
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
        """Return the game's events since the deal, from the log; None if they are not available.

        Only new lines are read, unless they do not lead to the current table.
        """
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
        except Exception as error:  # noqa: BLE001 - whatever the log holds, the table goes on
            log.warning("history_failed", error=type(error).__name__, table=tokens.short_id(table.id))
        return None

    async def _chosen(
        self, wanted: _MoveWanted, level: ComputerLevel | None, known: tuple[Struct, ...] | None, moves_at: MoveTime
    ) -> Struct:
        """Return the move of a level, None for a plain one. A worker takes long searches while there is time."""
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
        except Exception as error:  # noqa: BLE001 - a game never hangs: who cannot choose well plays on plainly
            log.error("player_failed", error=type(error).__name__, game=table.game, level=level)  # noqa: TRY400
            self._thinking.fell_back("failed")
            move = choosing.choose_plainly(game, situation.view, rng)
        return move

    async def _think(
        self, table: AnyTable, situation: AnySituation, level: ComputerLevel, moves_at: MoveTime
    ) -> Struct | None:
        """Return the move that a worker chooses, None if it is not found in time."""
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
