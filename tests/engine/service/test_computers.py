"""Computer players at tables, through the service: their level, their knowledge, and that nothing blocks them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda.games import choosing
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation
from locanda.games.rules import GAMES
from services.engine.service import codec, computers, thought
from services.engine.service.accounts import Accounts
from services.engine.service.assembly import Service
from services.engine.service.computers import Thinking, level_for
from services.engine.service.idempotency import Caller
from services.engine.service.thought import Question, ThoughtBudget
from services.engine.service.transactions import commit_of
from services.engine.service.workers import ThoughtFailedError, Workers
from services.engine.store import Snapshot, Store, connect, keys
from services.engine.table import playing, seating
from services.engine.table.state import (
    AnyTable,
    ComputerSettings,
    SeatState,
    Transition,
    TransitionContext,
    game_of,
    turn_of,
)
from tests.engine.table.tables import GATTO, ID, NOW, PRESIDENTE, any_move, opened, person

LATER = NOW + 10**6
PATIENT = 120.0
"""Timeout in seconds, long enough for a process that starts slowly."""
FEW = ThoughtBudget(iterations=2)
LEVELS = ("easy", "medium", "hard")


class InlineWorkers(Workers):
    """Runs searches on the event loop, and records their requests."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[Question] = []

    async def run(self, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
        self.asked.append(msgspec.msgpack.decode(data, type=Question))
        return think(data)


class FailingWorkers(Workers):
    """Workers that never return a result."""

    async def run(self, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
        raise ThoughtFailedError("late")


class StoredTable:
    """A table in a store, and a service that wakes it. The random choices of computer players are reproducible."""

    def __init__(self, store: Store, workers: Workers, think_ms: int = 0) -> None:
        self.store = store
        self.fallbacks: list[str] = []
        self.thinking = Thinking(workers, FEW, fell_back=self.fallbacks.append, draw_seed=lambda: b"chance")
        self.service = Service(store, lambda: LATER, think_ms, thinking=self.thinking)

    async def put(self, transition: Transition, before: AnyTable | None = None) -> AnyTable:
        """Commit a transition of the table."""
        snapshot = None if before is None else Snapshot(before.version, codec.encode(before))
        assert await self.store.commit(commit_of(transition, snapshot, Caller())) == "committed"
        return transition.table

    async def start(self, *others: SeatState, moves: int = 12, game: AnyGame = GATTO, **changes: Any) -> AnyTable:
        """Start a table and play this number of moves. Then play on until a computer player is on turn."""
        table = await self.put(Transition(structs.replace(opened(*others, game=game), **changes)))
        table = await self.put(playing.start(table, 0, TransitionContext(NOW)), table)
        while moves > 0 or not table.seats[turn_of(table) or 0].automatic or len(legal(table)) == 1:
            people = tuple(structs.replace(seat, kind="person") for seat in table.seats)
            played = playing.play(
                structs.replace(table, seats=people), turn_of(table) or 0, any_move(table), TransitionContext(NOW)
            )
            after = structs.replace(played.table, seats=table.seats, wake=NOW)
            table = await self.put(structs.replace(played, table=after), table)
            moves -= 1
        return table

    async def replace(self, table: AnyTable) -> None:
        """Replace the stored table by another table with the same version."""
        data = table.version.to_bytes(8, "big") + codec.encode(table)
        await self.store._backend.call(("SET", keys.of(ID).state, data))

    async def wake(self) -> AnyTable:
        """Wake the table, and return its new state."""
        await self.service.waking.wake(ID)
        return (await self.service.queries.access(ID, None)).table


def legal(table: AnyTable) -> list[Any]:
    return game_of(table).moves(table.deal)


def computer(level: Any = "hard", name: str = "Robot") -> SeatState:
    return SeatState(name, "computer", level)


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    connected = await connect(None)
    yield connected
    await connected.close()


@pytest.fixture
def table(store: Store) -> StoredTable:
    return StoredTable(store, InlineWorkers())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", [GATTO, PRESIDENTE])
async def test_a_computer_player_knows_its_view_and_what_has_happened(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch, game: AnyGame, level: Any
) -> None:
    situations: list[tuple[AnySituation, str]] = []
    choose = choosing.choose

    def listen(game: AnyGame, situation: AnySituation, level: Any, *rest: Any) -> Any:
        situations.append((situation, level))
        return choose(game, situation, level, *rest)

    monkeypatch.setattr(choosing, "choose", listen)
    before = await table.start(computer(level), computer(level), moves=12, game=game)
    seat = turn_of(before)
    after = await table.wake()
    assert after.version == before.version + 1
    ((situation, at),) = situations
    assert situation.view == game.view(before.deal, seat)
    assert at == level
    happened = [event for event in situation.history or () if isinstance(event, game.event_type)]
    assert len(happened) >= 12
    assert table.fallbacks == []


@pytest.mark.parametrize("level", LEVELS)
async def test_hidden_cards_do_not_change_what_a_computer_player_does(
    store: Store, table: StoredTable, level: Any
) -> None:
    before = await table.start(computer(level), computer(level), computer(level), moves=5)
    game, seat = game_of(before), turn_of(before)
    view = game.view(before.deal, seat)
    lookalikes = [game.determinize(view, Random(number)) for number in range(5)]
    assert all(deal != before.deal for deal in lookalikes)
    moves = []
    for deal in (before.deal, *lookalikes):
        await table.replace(structs.replace(before, deal=deal))
        events = (await table.wake()).events
        moves.append([event for event in events if event["type"] in {"played", "passed"}])
        await store._backend.call(("RPOP", keys.of(ID).log))
    assert len(moves[0]) == 1
    assert all(move == moves[0] for move in moves)
    assert table.fallbacks == []
    assert len({thought.encoded(asked_for) for asked_for in table.thinking.workers.asked}) == (level == "hard")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("seat", "substitutes", "level"),
    [
        (computer("plain"), "hard", "plain"),
        (computer("easy"), "hard", "easy"),
        (structs.replace(person("Bruno"), away=True), "hard", "hard"),
        (structs.replace(person("Bruno"), away=True), "easy", "easy"),
        (person("Bruno"), "easy", "easy"),
        (person("Bruno"), "hard", "medium"),
    ],
)
def test_the_absent_are_played_for_at_the_level_of_substitutes(seat: SeatState, substitutes: Any, level: str) -> None:
    settings = ComputerSettings(substitute_level=substitutes)
    assert level_for(structs.replace(opened(seat), computers=settings), 1) == level


async def test_a_turn_whose_time_is_up_is_finished_at_once(table: StoredTable) -> None:
    settings = ComputerSettings(substitute_level="hard")
    before = await table.start(computer("easy"), person("Carla"), turn_seconds=30, computers=settings)
    people = tuple(structs.replace(seat, kind="person") for seat in before.seats)
    await table.replace(structs.replace(before, seats=people))
    after = await table.wake()
    assert [event["type"] for event in after.events][:1] == ["timed_out"]
    assert (turn_of(after), after.match.deal) != (turn_of(before), before.match.deal)
    assert table.thinking.workers.asked == []  # type: ignore[attr-defined]


async def test_hard_plays_as_medium_where_no_thought_comes_in_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = StoredTable(store, FailingWorkers(1))
    levels: list[str] = []
    choose = choosing.choose

    def listen(game: AnyGame, situation: AnySituation, level: Any, *rest: Any) -> Any:
        levels.append(level)
        return choose(game, situation, level, *rest)

    monkeypatch.setattr(choosing, "choose", listen)
    before = await table.start(computer(), computer())
    assert (await table.wake()).version == before.version + 1
    assert levels == ["medium"]
    assert table.fallbacks == ["late"]


DIAVOLETTO = GAMES["diavoletto"]


async def test_a_level_that_is_not_quick_in_a_game_is_asked_in_a_worker(table: StoredTable) -> None:
    before = await table.start(computer("medium"), game=DIAVOLETTO)
    assert (await table.wake()).version == before.version + 1
    assert [(asked_for.game, asked_for.level) for asked_for in table.thinking.workers.asked] == [  # type: ignore[attr-defined]
        ("diavoletto", "medium")
    ]
    assert table.fallbacks == []


async def test_each_move_of_a_turn_whose_time_is_up_is_asked_in_a_worker(table: StoredTable) -> None:
    before = await table.start(computer("easy"), game=DIAVOLETTO, turn_seconds=30)
    people = tuple(structs.replace(seat, kind="person", level=None) for seat in before.seats)
    await table.replace(structs.replace(before, seats=people))
    after = await table.wake()
    thoughts = table.thinking.workers.asked  # type: ignore[attr-defined]
    assert turn_of(after) != turn_of(before)
    assert 1 <= len(thoughts) <= len(after.events)
    assert {thought.level for thought in thoughts} == {"medium"}
    views = [msgspec.msgpack.decode(thought.view, type=DIAVOLETTO.view_type) for thought in thoughts]
    assert views[0] == DIAVOLETTO.view(before.deal, turn_of(before))
    assert all(view != views[0] for view in views[1:])


async def test_a_choice_that_comes_too_late_is_made_quickly(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table, levels, choose = StoredTable(store, FailingWorkers(1)), list[str](), choosing.choose

    def listen(game: AnyGame, situation: AnySituation, level: Any, *rest: Any) -> Any:
        levels.append(level)
        return choose(game, situation, level, *rest)

    monkeypatch.setattr(choosing, "choose", listen)
    before = await table.start(computer("medium"), game=DIAVOLETTO)
    assert (await table.wake()).version == before.version + 1
    assert levels == ["easy"]
    assert table.fallbacks == ["late"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("choices", [1, 2])
async def test_a_forced_move_comes_as_late_as_a_choice(
    store: Store, level: Any, choices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = StoredTable(store, InlineWorkers(), think_ms=120)
    before = await table.start(computer(level), computer(level))
    moves = GATTO.moves
    monkeypatch.setitem(GAMES, GATTO.name, replace(GATTO, moves=lambda deal: moves(deal)[:choices]))
    began = asyncio.get_running_loop().time()
    after = await table.wake()
    assert after.version == before.version + 1
    assert asyncio.get_running_loop().time() - began >= 0.119


async def test_a_search_ends_before_the_moment_of_the_move(store: Store) -> None:
    workers = InlineWorkers()
    table = StoredTable(store, workers, think_ms=120)
    await table.start(computer(), computer())
    began = asyncio.get_running_loop().time()
    await table.wake()
    (thought,) = workers.asked
    assert thought.budget.until is not None
    assert began < thought.budget.until < asyncio.get_running_loop().time()


async def test_a_table_whose_log_is_lost_goes_on(table: StoredTable) -> None:
    before = await table.start(computer("medium"), computer("medium"))
    await table.store._backend.call(("DEL", keys.of(ID).log))
    assert (await table.wake()).version == before.version + 1
    assert table.fallbacks == ["no_history"]


@pytest.mark.parametrize("level", LEVELS)
async def test_a_player_that_fails_plays_on_plainly(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch, level: Any
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    before = await table.start(computer("easy"), computer("easy"))
    monkeypatch.setattr(choosing, "choose", fail)
    assert (await table.wake()).version == before.version + 1
    assert table.fallbacks == ["failed"]


async def test_a_move_meanwhile_makes_the_player_decide_anew(store: Store) -> None:
    class Meanwhile(InlineWorkers):
        async def run(self, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
            if not self.asked:
                now = (await table.service.queries.access(ID, None)).table
                await table.put(playing.play(now, turn_of(now) or 0, any_move(now), TransitionContext(NOW)), now)
                people = (await table.service.queries.access(ID, None)).table
                await table.replace(structs.replace(people, seats=before.seats, wake=NOW))
            return await super().run(think, data, *rest)

    table = StoredTable(store, Meanwhile())
    before = await table.start(computer(), computer(), computer(), moves=5)
    after = await table.wake()
    assert after.version >= before.version + 2


async def test_what_changes_no_cards_meanwhile_does_not_undo_a_computers_thought(store: Store) -> None:
    """Otherwise one seat could make repeated changes and keep all computer players from moving."""

    class Changing(InlineWorkers):
        async def run(self, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
            answered = await super().run(think, data, *rest)
            now = (await watched.service.queries.access(ID, None)).table
            changed = structs.replace(now, version=now.version + 1, events=())
            await watched.put(Transition(changed), now)
            return answered

    watched = StoredTable(store, workers := Changing())
    before = await watched.start(computer(), computer(), moves=5)
    after = await watched.wake()
    assert (after.version, after.deal != before.deal) == (before.version + 2, True)
    assert len(workers.asked) == 1


async def test_who_comes_back_while_a_computer_thinks_has_the_hand_at_once(store: Store) -> None:
    class Returning(InlineWorkers):
        async def run(self, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
            answered = await super().run(think, data, *rest)
            now = (await watched.service.queries.access(ID, None)).table
            await watched.put(seating.come_back(now, turn_of(now) or 0, TransitionContext(LATER)), now)
            return answered

    watched = StoredTable(store, Returning())
    settings = ComputerSettings(substitute_level="hard")
    before = await watched.start(computer("easy"), computer("easy"), computers=settings, turn_seconds=30)
    absent = tuple(structs.replace(seat, kind="person", away=True) for seat in before.seats)
    await watched.replace(structs.replace(before, seats=absent))
    after = await watched.wake()
    assert [event["type"] for event in after.events] == ["returned"]
    assert (after.deal, after.wake) == (before.deal, LATER + 30_000)


@pytest.mark.slow
async def test_the_search_of_hard_runs_in_a_process(store: Store) -> None:
    workers = Workers(1)
    table = StoredTable(store, workers)
    try:
        before = await table.start(computer(), computer())
        table.service.waking._computers = computers.ComputerPlayers(store, table.thinking, Accounts())
        assert (await table.wake()).version == before.version + 1
        assert len(workers.processes) == 1
        assert table.fallbacks == []
    finally:
        await table.service.close()
    assert workers.processes == []
