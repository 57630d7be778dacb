"""A table's history and its lookalike: equal for one viewer, but different in everything hidden from that viewer."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from services.engine.service.idempotency import Caller
from services.engine.service.tokens import digest
from services.engine.service.transactions import commit_of
from services.engine.store import Snapshot, Store
from services.engine.table import playing, seating
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    DealStart,
    SeatState,
    TableSettings,
    Transition,
    TransitionContext,
    game_of,
    turn_of,
)
from tests.games.subjects import AnyStart, starts

AT = TransitionContext(1_800_000_000_000, think_ms=60_000)
"""The context of every transition. Its time does not advance, so the clock never acts."""
FRESH = -1
"""The number of moves of a match that has not started."""
KEPT = 40
"""The number of last transitions that are stored one by one: more than the store keeps events."""


@dataclass(frozen=True)
class TableHistory:
    """The history of a table, drawn by hypothesis."""

    start: AnyStart
    moves: int
    """The maximum number of moves."""
    computers: frozenset[int]
    gone: int | None
    """The seat of a person who left during the match, or None."""
    viewer: int | None
    terms: tuple[int | None, bool]
    """The seconds for a turn, and whether the table is listed."""

    @property
    def table(self) -> str:
        """The table's id."""
        return sha256(repr(self).encode()).hexdigest()[:22]

    def token(self, seat: int, lookalike: str = "") -> str:
        """Return a seat's token. The viewer's token is the same in both lookalikes."""
        return sha256(f"{self.table} {seat} {'' if seat == self.viewer else lookalike}".encode()).hexdigest()[:43]

    def seed(self, seat: int, lookalike: str = "") -> str:
        """Return a seat's client seed."""
        return self.token(seat, lookalike)[:16]


@st.composite
def table_histories(draw: st.DrawFn, name: str) -> TableHistory:
    """Draw a table of a game at any moment, and a viewer."""
    start = draw(starts(name))
    others = range(1, start.seats)
    moves = draw(st.sampled_from([FRESH, 0, 400]) | st.integers(1, 40) | st.integers(1, 100))
    computers = draw(st.sets(st.sampled_from(others))) if draw(st.booleans()) else set()
    gone = draw(st.none() | st.sampled_from([seat for seat in range(start.seats) if seat not in computers]))
    viewers = [None, *(seat for seat in range(start.seats) if seat not in computers | {gone})]
    terms = (draw(st.none() | st.just(30)), draw(st.booleans()))
    return TableHistory(start, moves, frozenset(computers), gone, draw(st.sampled_from(viewers)), terms)


def transitions_of(history: TableHistory) -> list[Transition]:
    """Return every transition of a history."""
    return list(_steps(history))


def _steps(history: TableHistory) -> Iterator[Transition]:
    match = MatchState(history.table, 1, bytes(32), previous=history.start.previous)
    seconds, listed = history.terms
    terms = TableSettings(history.start.options, seconds, listed)
    transition = seating.open_table(match, history.start.game, _seat(history, 0), terms, AT.now)
    yield transition
    for number in range(1, history.start.seats):
        yield (transition := seating.sit(transition.table, _seat(history, number), 0))
    if history.moves != FRESH:
        yield (transition := playing.start(transition.table, 0, AT))
        yield from _played(history, transition.table)


def _seat(history: TableHistory, number: int) -> SeatState:
    if number in history.computers:
        return SeatState(f"Computer {number}", "computer", "plain")
    return SeatState(
        f"Ospite {number}", "person", token=digest(history.token(number)), client_seed=history.seed(number)
    )


def _played(history: TableHistory, table: AnyTable) -> Iterator[Transition]:
    rng = Random(history.start.seed)
    for number in range(history.moves):
        turn = turn_of(table)
        if turn is None:
            return
        if number == history.moves // 2 and history.gone is not None:
            yield (transition := seating.leave(table, history.gone, history.gone, AT))
            table = transition.table
        move = history.start.choose(rng, table.deal, game_of(table).moves(table.deal))
        yield (transition := playing.play(table, turn, move, AT))
        table = transition.table


def lookalike_of(history: TableHistory, transitions: list[Transition]) -> list[Transition]:
    """Return transitions that look the same to the viewer but differ in everything hidden.

    During a match this includes the secret root; after it, the seed is no longer secret.
    """
    rng = Random(repr(history))
    secret = transitions[-1].table.match.result is None
    return [
        _lookalike(history, transition, rng, rng.randbytes(32) if secret else transition.table.match.root)
        for transition in transitions
    ]


def _lookalike(history: TableHistory, transition: Transition, rng: Random, root: bytes) -> Transition:
    table = transition.table
    deal: Any = table.deal
    if deal is not None:
        deal = game_of(table).determinize(game_of(table).view(deal, history.viewer), rng)
    match = structs.replace(table.match, root=root, client_seeds=_client_seeds(history, table.match))
    log = tuple(
        structs.replace(line, entry=structs.replace(line.entry, match=structs.replace(line.entry.match, root=root)))
        if isinstance(line.entry, DealStart)
        else line
        for line in transition.log
    )
    seats = tuple(_other(history, number, seat) for number, seat in enumerate(table.seats))
    return Transition(structs.replace(table, deal=deal, match=match, seats=seats), log)


def _client_seeds(history: TableHistory, match: MatchState) -> tuple[str, ...]:
    if match.result is not None:
        return match.client_seeds
    return tuple(history.seed(seat, "lookalike") if seed else "" for seat, seed in enumerate(match.client_seeds))


def _other(history: TableHistory, number: int, seat: SeatState) -> SeatState:
    if not seat.token:
        return seat
    return structs.replace(
        seat, token=digest(history.token(number, "lookalike")), client_seed=history.seed(number, "lookalike")
    )


async def store_transitions(store: Store, transitions: list[Transition]) -> None:
    """Store a table as if these transitions had been made in this store."""
    early, late = transitions[:-KEPT], transitions[-KEPT:]
    log = tuple(line for transition in (*early, late[0]) for line in transition.log)
    before: Snapshot | None = None
    for transition in (structs.replace(late[0], log=log), *late[1:]):
        commit = commit_of(transition, before, Caller())
        assert await store.commit(commit) == "committed"
        before = Snapshot(commit.version, commit.data)
