"""A table's whole life, and its twin: the same to one viewer, and other in all that he may not see."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from services.engine import codec
from services.engine.idempotency import Caller
from services.engine.match import Match
from services.engine.store import Snapshot, Store
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, DealStart, Moment, Seat, Step, Terms, game_of, turn_of
from services.engine.tokens import digest
from services.engine.writing import transition
from tests.engine.games.subjects import Start, starts

AT = Moment(1_800_000_000_000, think=60_000)
"""When everything happens: time stands still, so that no clock moves."""
FRESH = -1
"""So many moves stand for a match that has not started."""
KEPT = 40
"""Of so many last steps a table's events are stored, more than the store keeps."""


@dataclass(frozen=True)
class Life:
    """How a table came to be what it is."""

    start: Start
    moves: int
    """At most so many have been made."""
    computers: frozenset[int]
    gone: int | None
    """The seat of a person who left in mid-game."""
    viewer: int | None
    terms: tuple[int | None, bool]
    """Seconds for a turn, and whether strangers find the table."""

    @property
    def table(self) -> str:
        """Its id."""
        return sha256(repr(self).encode()).hexdigest()[:22]

    def token(self, seat: int, twin: str = "") -> str:
        """Return a seat's token; the viewer's is the same in both twins."""
        return sha256(f"{self.table} {seat} {'' if seat == self.viewer else twin}".encode()).hexdigest()[:43]

    def seed(self, seat: int, twin: str = "") -> str:
        """Return a seat's share in the shuffle."""
        return self.token(seat, twin)[:16]


@st.composite
def lives(draw: st.DrawFn, name: str) -> Life:
    """Any table of a game at any moment, and somebody who looks at it."""
    start = draw(starts(name))
    others = range(1, start.seats)
    moves = draw(st.sampled_from([FRESH, 0, 400]) | st.integers(1, 40) | st.integers(1, 100))
    computers = draw(st.sets(st.sampled_from(others))) if draw(st.booleans()) else set()
    gone = draw(st.none() | st.sampled_from([seat for seat in range(start.seats) if seat not in computers]))
    viewers = [None, *(seat for seat in range(start.seats) if seat not in computers | {gone})]
    terms = (draw(st.none() | st.just(30)), draw(st.booleans()))
    return Life(start, moves, frozenset(computers), gone, draw(st.sampled_from(viewers)), terms)


def lived(life: Life) -> list[Step]:
    """Return every step of a life."""
    return list(_steps(life))


def _steps(life: Life) -> Iterator[Step]:
    match = Match(life.table, 1, bytes(32), previous=life.start.previous)
    seconds, listed = life.terms
    terms = Terms(life.start.options, seconds, listed)
    step = seating.open_table(match, life.start.game, _seat(life, 0), terms, AT.now)
    yield step
    for number in range(1, life.start.seats):
        yield (step := seating.sit(step.table, _seat(life, number), 0))
    if life.moves != FRESH:
        yield (step := playing.start(step.table, 0, AT))
        yield from _played(life, step.table)


def _seat(life: Life, number: int) -> Seat:
    if number in life.computers:
        return Seat(f"Computer {number}", "computer", "plain")
    return Seat(f"Ospite {number}", "person", token=digest(life.token(number)), client_seed=life.seed(number))


def _played(life: Life, table: AnyTable) -> Iterator[Step]:
    rng = Random(life.start.seed)
    for number in range(life.moves):
        turn = turn_of(table)
        if turn is None:
            return
        if number == life.moves // 2 and life.gone is not None:
            yield (step := seating.leave(table, life.gone, life.gone, AT))
            table = step.table
        move = life.start.choose(rng, table.deal, game_of(table).moves(table.deal))
        yield (step := playing.play(table, turn, move, AT))
        table = step.table


def twin_of(life: Life, steps: list[Step]) -> list[Step]:
    """Return the life that looks the same to the viewer; what he cannot see lies otherwise, in every step.

    While a match goes on that is also the secret root; once it is over, its seed is no secret any more.
    """
    rng = Random(repr(life))
    secret = steps[-1].table.match.result is None
    return [_twin(life, step, rng, rng.randbytes(32) if secret else step.table.match.root) for step in steps]


def _twin(life: Life, step: Step, rng: Random, root: bytes) -> Step:
    table = step.table
    deal: Any = table.deal
    if deal is not None:
        deal = game_of(table).imagine(game_of(table).view(deal, life.viewer), rng)
    match = structs.replace(table.match, root=root, client_seeds=_client_seeds(life, table.match))
    log = tuple(
        structs.replace(line, entry=structs.replace(line.entry, match=structs.replace(line.entry.match, root=root)))
        if isinstance(line.entry, DealStart)
        else line
        for line in step.log
    )
    seats = tuple(_other(life, number, seat) for number, seat in enumerate(table.seats))
    return Step(structs.replace(table, deal=deal, match=match, seats=seats), log)


def _client_seeds(life: Life, match: Match) -> tuple[str, ...]:
    if match.result is not None:
        return match.client_seeds
    return tuple(life.seed(seat, "twin") if seed else "" for seat, seed in enumerate(match.client_seeds))


def _other(life: Life, number: int, seat: Seat) -> Seat:
    if not seat.token:
        return seat
    return structs.replace(seat, token=digest(life.token(number, "twin")), client_seed=life.seed(number, "twin"))


async def put(store: Store, steps: list[Step]) -> None:
    """Bring a table into a store as if it had been played there."""
    early, late = steps[:-KEPT], steps[-KEPT:]
    log = tuple(line for step in (*early, late[0]) for line in step.log)
    before: Snapshot | None = None
    for step in (structs.replace(late[0], log=log), *late[1:]):
        assert await store.commit(transition(step, before, Caller())) == "committed"
        before = Snapshot(step.table.version, codec.encode(step.table))
