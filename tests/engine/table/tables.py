"""Tables to test with: shorthand for the pure transitions."""

from hashlib import sha256
from random import Random

from msgspec import Struct

from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from services.engine.match import Match
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, Moment, Seat, Terms, game_of, turn_of
from shared.games.registry import GAME_NAMES

ID = "A" * 22
ROOT = b"r" * 32
GATTO, RAMINO, DIAVOLETTO, PRESIDENTE = (GAMES[name] for name in GAME_NAMES)
NOW = 1_000_000


def person(name: str) -> Seat:
    return Seat(name, "person", token=sha256(name.encode()).digest())


def computer(name: str = "Robot") -> Seat:
    return Seat(name, "computer", "plain")


def opened(
    *others: Seat, turn_seconds: int | None = None, options: Struct | None = None, game: AnyGame = GATTO
) -> AnyTable:
    """A table opened by Anna, with the others seated."""
    terms = Terms(options or game.options(), turn_seconds)
    table = seating.open_table(Match(ID, 1, ROOT), game, person("Anna"), terms, NOW).table
    for other in others:
        table = seating.sit(table, other, by=0).table
    return table


def started(
    *others: Seat, turn_seconds: int | None = None, options: Struct | None = None, game: AnyGame = GATTO
) -> AnyTable:
    seats = others or (person("Bruno"), person("Carla"))
    return playing.start(opened(*seats, turn_seconds=turn_seconds, options=options, game=game), 0, Moment(NOW)).table


def any_move(table: AnyTable) -> Struct:
    move: Struct = game_of(table).moves(table.deal)[0]
    return move


def play_on(table: AnyTable, now: int = NOW) -> AnyTable:
    """Play the first legal move of whoever is on turn."""
    turn = turn_of(table)
    assert turn is not None
    if table.seats[turn].automatic:
        assert table.wake is not None
        step = playing.wake(table, Moment(table.wake), Random(1))
        assert step is not None
        return step.table
    return playing.play(table, turn, any_move(table), Moment(now)).table


def played_out(table: AnyTable) -> AnyTable:
    while table.status == "playing":
        table = play_on(table)
    return table


def kinds(table: AnyTable) -> list[str]:
    """The types of what happened last."""
    return [event["type"] for event in table.events]
