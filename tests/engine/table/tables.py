"""Tables for tests, and short forms of the pure transitions."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random

from msgspec import Struct

from locanda.games import choosing
from locanda.games.game import AnyGame
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.table import playing, rematch, seating
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    SeatState,
    TableSettings,
    Transition,
    TransitionContext,
    game_of,
    turn_of,
)

ID = "A" * 22
ROOT = b"r" * 32
GATTO, RAMINO, DIAVOLETTO, PRESIDENTE = (GAMES[name] for name in GAME_NAMES)
NOW = 1_000_000


def person(name: str) -> SeatState:
    return SeatState(name, "person", token=sha256(name.encode()).digest())


def computer(name: str = "Robot") -> SeatState:
    return SeatState(name, "computer", "plain")


def opened(
    *others: SeatState, turn_seconds: int | None = None, options: Struct | None = None, game: AnyGame = GATTO
) -> AnyTable:
    """A table that Anna has opened, with the other people seated."""
    terms = TableSettings(options or game.options(), turn_seconds)
    table = seating.open_table(MatchState(ID, 1, ROOT), game, person("Anna"), terms, NOW).table
    for other in others:
        table = seating.sit(table, other, by=0).table
    return table


def started(
    *others: SeatState, turn_seconds: int | None = None, options: Struct | None = None, game: AnyGame = GATTO
) -> AnyTable:
    seats = others or (person("Bruno"), person("Carla"))
    return playing.start(
        opened(*seats, turn_seconds=turn_seconds, options=options, game=game), 0, TransitionContext(NOW)
    ).table


def begun(table: AnyTable) -> Transition:
    """The transition that begins a match. The host starts the first match; a rematch begins when all people stay."""
    context = TransitionContext(NOW)
    if table.status == "open":
        return playing.start(table, 0, context)
    people = [number for number, seat in enumerate(table.seats) if seat.kind == "person"]
    waiting = [number for number in people if rematch.stays(table, number) is None]
    transition = Transition(table)
    for number in waiting:
        transition = rematch.answer(table, number, stay=True, client_seed=None, context=context)
        table = transition.table
    return transition


def after(transition: Transition | None) -> AnyTable:
    """The table after a transition, which must not be None."""
    assert transition is not None
    return transition.table


def any_move(table: AnyTable) -> Struct:
    move: Struct = game_of(table).moves(table.deal)[0]
    return move


def plainly(rng: Random) -> playing.Choose:
    """The choice function of computer players of level plain."""

    def choose(table: AnyTable, number: int, _: Sequence[Struct]) -> Struct:
        game = game_of(table)
        return choosing.choose_plainly(game, game.view(table.deal, number), rng)

    return choose


def play_on(table: AnyTable, now: int = NOW) -> AnyTable:
    """Play the first legal move of the seat on turn, or wake the table if a computer player is on turn."""
    turn = turn_of(table)
    assert turn is not None
    if table.seats[turn].automatic:
        assert table.wake is not None
        transition = playing.wake(table, TransitionContext(table.wake), plainly(Random(1)))
        assert transition is not None
        return transition.table
    return playing.play(table, turn, any_move(table), TransitionContext(now)).table


def played_out(table: AnyTable) -> AnyTable:
    while table.status == "playing":
        table = play_on(table)
    return table


def event_types(table: AnyTable) -> list[str]:
    """The types of the last events."""
    return [event["type"] for event in table.events]
