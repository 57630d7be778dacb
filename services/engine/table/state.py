"""What a table is, and what every step on it has in common."""

import hmac
from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from services.engine.games.game import AnyGame, Dealt, Ranking
from services.engine.games.registry import GAMES
from services.engine.match import Match
from shared.games.base import Refusal

O = TypeVar("O", bound=Struct)  # noqa: E741  (options)
D = TypeVar("D", bound=Dealt)


class TableError(Exception):
    """The house forbids it: `code` is stable, `facts` explain it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class IllegalMoveError(Exception):
    """The game forbids the move."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class Moment(Struct, frozen=True):
    """When a step happens, and how long computer players seem to think; both in milliseconds."""

    now: int
    think: int = 1000


class Terms(Struct, frozen=True):
    """What the host decides about a table."""

    options: Struct
    turn_seconds: int | None = None
    listed: bool = False


class Seat(Struct, frozen=True, array_like=True):
    """A seat and who holds it."""

    name: str
    kind: Literal["person", "computer"]
    level: Literal["plain"] | None = None
    token: bytes = b""
    """SHA-256 of the bearer token; empty for a computer player."""
    client_seed: str = ""
    missed: int = 0
    """Turns let pass in a row."""
    away: bool = False

    @property
    def automatic(self) -> bool:
        """Does a computer player hold this hand?"""
        return self.kind == "computer" or self.away


class Table(Struct, Generic[O, D], frozen=True, array_like=True):
    """Everything there is to know about a table."""

    game: str
    rules: int
    version: int
    status: Literal["open", "playing", "over"]
    host: int | None
    opened: int
    options: O
    turn_seconds: int | None
    listed: bool
    seats: tuple[Seat, ...]
    match: Match
    deal: D | None = None
    wake: int | None = None
    """When the clock acts: a computer player's move, or the end of a person's time."""
    events: tuple[dict[str, Any], ...] = ()
    """What happened in the last step."""

    @property
    def id(self) -> str:
        """The table's id, which its matches bear."""
        return self.match.table


AnyTable: TypeAlias = Table[Struct, Dealt]


class DealStart(Struct, Generic[O], frozen=True, array_like=True):
    """The head of a deal's log: all that a fresh deal, and the proof of it, come from."""

    rules: int
    options: O
    match: Match
    """As it stood when the cards were dealt."""
    previous: Ranking | None


class MoveMade(Struct, frozen=True, array_like=True):
    """A move in a deal's log."""

    seat: int
    move: dict[str, Any]


class LogLine(Struct, frozen=True):
    """A line for the log of a deal."""

    match: int
    deal: int
    entry: DealStart[Struct] | MoveMade


class Step(Struct, frozen=True):
    """A transition's outcome."""

    table: AnyTable
    log: tuple[LogLine, ...] = ()


def game_of(table: AnyTable) -> AnyGame:
    """Return the table's game. Raises `TableError` where its rules are not the ones of this release."""
    game = GAMES[table.game]
    if table.rules != game.rules:
        raise TableError("rules_changed", rules=table.rules, now=game.rules)
    return game


def seat_of(table: AnyTable, token: bytes) -> int | None:
    """Return the seat whose token has this SHA-256, comparing in constant time."""
    found = None
    for number, seat in enumerate(table.seats):
        if seat.token and hmac.compare_digest(seat.token, token):
            found = number
    return found


def turn_of(table: AnyTable) -> int | None:
    """Return the seat on turn, or none where no deal is under way."""
    return None if table.deal is None else table.deal.turn


def deadline(table: AnyTable) -> int | None:
    """Return when the time of the person on turn is up, or none where the clock waits for nobody."""
    turn = turn_of(table)
    return None if turn is None or table.seats[turn].automatic else table.wake


def alarm(table: AnyTable, before: AnyTable, at: Moment) -> int | None:
    """Return when the clock acts for the seat on turn; a person's time for a turn runs on from move to move."""
    turn = turn_of(table)
    if turn is None:
        return None
    if table.seats[turn].automatic:
        return at.now + at.think
    if table.turn_seconds is None:
        return None
    if same_turn(before, table) and not before.seats[turn].automatic:
        return before.wake
    return at.now + table.turn_seconds * 1000


def same_turn(before: AnyTable, after: AnyTable) -> bool:
    """Tell whether the same seat is on turn without interruption: a turn may take several moves."""
    return turn_of(before) == turn_of(after) and before.match.deal == after.match.deal


def with_seat(table: AnyTable, number: int, seat: Seat) -> AnyTable:
    """Return the table with another seat in the place of one."""
    return structs.replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def step(table: AnyTable, happened: Sequence[Struct], log: Sequence[LogLine] = (), **changes: object) -> Step:
    """Finish a transition by its last changes: the version grows by one, and the table remembers what happened."""
    events = tuple(msgspec.to_builtins(happened))
    return Step(structs.replace(table, version=table.version + 1, events=events, **changes), tuple(log))


def demand_status(table: AnyTable, status: Literal["open", "playing"]) -> None:
    """Raise `TableError` `not_open` or `not_playing` where the table is neither."""
    if table.status != status:
        raise TableError(f"not_{status}", status=table.status)


def demand_host(table: AnyTable, seat: int | None) -> None:
    """Raise `TableError` `not_host` where somebody else acts."""
    if seat is None or seat != table.host:
        raise TableError("not_host", host=table.host)
