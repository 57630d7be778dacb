"""The memory of a table in Redis: `MEMORY USAGE` of all its keys, for each game, from opening to the end of a match."""

from collections.abc import Iterator
from random import Random
from typing import cast

from msgspec import Struct

from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from services.engine.service import codec, tokens
from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of
from services.engine.store import Snapshot, Store, connect, keys
from services.engine.table import playing, seating
from services.engine.table.match import MatchState
from services.engine.table.state import AnyTable, SeatState, TableSettings, Transition, TransitionContext, turn_of

AT = TransitionContext(4_000_000_000_000)
"""A time far in the future, so that nothing at these tables is due for an engine's clock."""
ZSET_ENTRY = 96
"""Bytes of a table's deadline in its bucket's sorted set: the nodes of a skip list and of a dictionary."""


class Cost(Struct):
    """The memory of a table in Redis, in bytes."""

    game: str
    seats: int
    idle: int
    snapshot: int
    """The largest snapshot during play."""
    playing: int
    """State, events and deadline at their largest, without the log, during play."""
    log: float
    """The average size of a move's line in the log."""
    answer: int
    """The largest reply that is stored for an idempotency key."""
    over: int
    """State and events once the match is over."""


async def costs(redis_url: str) -> list[Cost]:
    """Play a match of each game with few and with many people, and measure its memory."""
    store = await connect(redis_url)
    try:
        return [await _cost(store, game, seats) for game in GAMES.values() for seats in _seats(game)]
    finally:
        await store.close()


def _seats(game: AnyGame) -> list[int]:
    return sorted({min(game.suggested), max(game.suggested)})


def _opened(game: AnyGame, seats: int, rng: Random) -> Iterator[Transition]:
    """Yield the transitions up to the start of the match, with names, tokens and client seeds as the bot sends them."""
    people = [
        SeatState(f"Giocatore {number}", "person", token=rng.randbytes(32), client_seed=rng.randbytes(8).hex())
        for number in range(seats)
    ]
    match = MatchState(tokens.new_table_id(), 1, rng.randbytes(32))
    transition = seating.open_table(match, game, people[0], TableSettings(game.options(), turn_seconds=60), 0)
    yield transition
    for person in people[1:]:
        yield (transition := seating.sit(transition.table, person))
    yield playing.start(transition.table, 0, AT)


async def _cost(store: Store, game: AnyGame, seats: int) -> Cost:
    rng = Random(1)
    cost = Cost(game.name, seats, 0, 0, 0, 0.0, 0, 0)
    snapshot: Snapshot | None = None
    for transition in _opened(game, seats, rng):
        snapshot = await _commit(store, transition, snapshot)
        if not cost.idle:
            cost.idle = await _held(store, transition.table)
    table, moves = transition.table, 0
    while (turn := turn_of(table)) is not None:
        transition = playing.play(table, turn, rng.choice(game.moves(table.deal)), AT)
        snapshot, table, moves = await _commit(store, transition, snapshot), transition.table, moves + 1
        cost.snapshot = max(cost.snapshot, len(snapshot.data))
        cost.playing = max(cost.playing, await _held(store, table))
        cost.answer = max(cost.answer, await _weight(store, keys.of(table.id).answers + _key(table).hex()))
    cost.over = await _held(store, table)
    cost.log = await _weight(store, keys.of(table.id).log) / moves
    return cost


def _key(table: AnyTable) -> bytes:
    return Caller(key=f"{table.version}").answer_key or b""


async def _commit(store: Store, transition: Transition, snapshot: Snapshot | None) -> Snapshot:
    caller = Caller(key=f"{transition.table.version}", fingerprint=bytes(32))
    assert await store.commit(commit_of(transition, snapshot, caller)) == "committed"
    return Snapshot(transition.table.version, codec.encode(transition.table))


async def _held(store: Store, table: AnyTable) -> int:
    """Return the bytes of the table's state, events and deadline."""
    names = keys.of(table.id)
    deadline = ZSET_ENTRY if table.wake is not None else 0
    return deadline + await _weight(store, names.state) + await _weight(store, names.events)


async def _weight(store: Store, key: str) -> int:
    return cast("int | None", await store._backend.call(("MEMORY", "USAGE", key, "SAMPLES", 0))) or 0
