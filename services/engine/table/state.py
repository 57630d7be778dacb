"""The state of a table, its errors, and helpers of all transitions: turns, seats, versions.

A stored table is sound if transitions can have produced it. Soundness is checked only after an unexpected error.
"""

import hmac
from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from locanda.games.base import Refusal
from locanda.games.game import AnyDealState, AnyGame, Ranking
from locanda.games.rules import GAMES
from locanda.messages import ComputerLevel, Level
from services.engine.errors import ProblemError
from services.engine.table.match import MatchState

O = TypeVar("O", bound=Struct)  # noqa: E741  (options)
D = TypeVar("D", bound=AnyDealState)

HOUR, DAY = 3600, 86_400
TABLE_SECONDS = {"open": 6 * HOUR, "playing": 14 * DAY, "over": 3 * DAY}
"""Seconds until a table expires after its last transition, by status. The time for `playing` runs from a person's last
move.
"""
UNPLAYED_SECONDS = DAY
"""Minimum lifetime in seconds of a table in play after transitions other than a person's move, such as the start."""


MOST_MISSED_TURNS = 3
"""Timed-out turns in a match after which a computer player keeps the hand until the match ends."""


class TableError(ProblemError):
    """The table's current state does not allow the action, or does not allow it for this seat."""


class NewerReleaseError(TableError):
    """A newer release wrote data that this release cannot read, or dealt cards under rules that this release lacks."""

    def __init__(self, **facts: object) -> None:
        super().__init__("newer_release")
        self.facts = facts


class MoveRefusedError(ProblemError):
    """The game's rules forbid the move."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.facts = refusal.facts
        self.refusal = refusal


class TransitionContext(Struct, frozen=True):
    """The time of a transition, and the pause of computer players before a move; both in milliseconds."""

    now: int
    think_ms: int = 1000


class ComputerSettings(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The host's settings for computer players. Default values are not stored, like those of a game's options."""

    substitute_level: ComputerLevel = "medium"
    """Level of computer players that play for leavers and absent people, and finish timed-out turns."""
    hints: bool = False
    """Whether seats may ask for hints."""
    fill_seats: bool = True
    """Whether computer players fill empty seats of a rematch if too few people stay."""


class TableSettings(Struct, frozen=True):
    """The host's settings for a table."""

    options: Struct
    turn_seconds: int | None = None
    listed: bool = False
    computers: ComputerSettings = ComputerSettings()
    locked: bool = False


class SeatState(Struct, frozen=True, array_like=True):
    """A seat, and the person or computer player in it."""

    name: str
    kind: Literal["person", "computer"]
    level: Level | None = None
    token: bytes = b""
    """SHA-256 of the bearer token; empty for a computer player."""
    client_seed: str = ""
    """The client seed for the next match. When that match starts, the seed moves from the seat to the match."""
    missed: int = 0
    """Timed-out turns in the match. For an own player (on another server), the number of moves in a row that it has
    missed.
    """
    away: bool = False
    """Whether one of the engine's computer players plays this hand, for a person or an own player."""
    left: bool = False
    """Whether a computer player still has the name of the person who left the seat."""

    @property
    def automatic(self) -> bool:
        """Whether a computer player plays this hand now."""
        return self.kind == "computer" or self.away

    @property
    def gave_up(self) -> bool:
        """Whether a computer player keeps a person's hand until the match ends."""
        return self.kind == "person" and self.away and self.missed >= MOST_MISSED_TURNS


class PastDealState(Struct, frozen=True, array_like=True):
    """A finished deal: the numbers of its match and deal, the match's points after it, and the event that ended it."""

    match: int
    deal: int
    points: tuple[int, ...]
    over: dict[str, Any]


class RematchState(Struct, frozen=True, array_like=True):
    """Answers of the seats, and newcomers, before a rematch."""

    answers: tuple[bool | None, ...] = ()
    """Whether each seat's person stays; None for a person who has not answered."""
    newcomers: tuple[SeatState, ...] = ()
    """People without a seat in the last match. Their seat numbers follow the numbers of its seats."""


class TurnCounts(Struct, frozen=True, array_like=True):
    """Who took the turns of a match, and how long; incomplete if an older release handled some."""

    match: int
    own: tuple[int, ...]
    """Turns that each seat's person took."""
    computer: tuple[int, ...]
    """Turns that a computer player took for each seat, or finished after a timeout."""
    spent: tuple[int, ...] = ()
    """Milliseconds of the reserve that each seat's person has used."""
    since: int = 0
    """When the current turn began, in epoch milliseconds; 0 if unknown."""


class Marks(Struct, frozen=True, array_like=True):
    """Versions at which parts of a table last changed."""

    version: int
    """The table's version when these marks were set. If the table has another version, an earlier release has written
    it.
    """
    cards: int
    """When the deal, the match or the status last changed."""
    seats: int
    """When the seats or the settings last changed."""


class ServerState(Struct, frozen=True, array_like=True):
    """The server of an own player that a person has brought to a table. It is never shown to anyone."""

    url: str
    secret: str | None

    def __repr__(self) -> str:
        """Return a text without the values, which are secret."""
        return "ServerState(...)"


class TableState(Struct, Generic[O, D], frozen=True, array_like=True):
    """Everything that is stored in a table's snapshot. The order of the fields is that of the stored array."""

    game: str
    rules: int
    version: int
    status: Literal["open", "playing", "over"]
    host: int | None
    opened: int
    options: O
    turn_seconds: int | None
    listed: bool
    seats: tuple[SeatState, ...]
    match: MatchState
    deal: D | None = None
    wake: int | None = None
    """When the clock acts, in epoch milliseconds: the time of a computer player's move, or the end of a person's time.
    """
    events: tuple[dict[str, Any], ...] = ()
    computers: ComputerSettings = ComputerSettings()
    past_deals: tuple[PastDealState, ...] = ()
    """The finished deals of the match.

    If releases of different ages play a match, some of its deals may be missing, and deals of the previous match may be
    included.
    """
    rematch: RematchState | None = None
    """Answers for the next match; None before the first answer or newcomer."""
    servers: dict[str, ServerState] | None = None
    """Servers of own players that people have brought to this table, by level; None if there are none."""
    opener: bytes | None = None
    """The group of the client who opened the table (`service/accounts.py`), to whom automatic steps are charged. None
    if an earlier release opened the table."""
    turns: TurnCounts | None = None
    """Who took the turns of the match; None before the first turn."""
    marks: Marks | None = None
    """Versions of the last changes; None if an earlier release opened the table."""
    locked: bool = False
    """Whether the host has locked the table, so that nobody else can sit down."""
    renamed: dict[str, int] = {}
    """When names were recently set, in epoch milliseconds, by the new name."""

    @property
    def everybody(self) -> tuple[SeatState, ...]:
        """All seats, followed by the seats of newcomers."""
        return self.seats if self.rematch is None else (*self.seats, *self.rematch.newcomers)

    @property
    def id(self) -> str:
        """The table's id, which is stored in its match."""
        return self.match.table


AnyTable: TypeAlias = TableState[Struct, AnyDealState]


class DealStart(Struct, Generic[O], frozen=True, array_like=True):
    """The first entry of a deal's log: everything needed to compute the deal and its proof."""

    rules: int
    options: O
    match: MatchState
    """The match when the cards were dealt."""
    previous: Ranking | None


class MoveMade(Struct, frozen=True, array_like=True):
    """A move in a deal's log."""

    seat: int
    move: dict[str, Any]


class LogEntry(Struct, frozen=True):
    """An entry of a deal's log, with its match and deal."""

    match: int
    deal: int
    entry: DealStart[Struct] | MoveMade


class Transition(Struct, frozen=True):
    """The result of a transition: the next table, and entries to append to the deal's log."""

    table: AnyTable
    log: tuple[LogEntry, ...] = ()
    forgets: bool = False
    """Whether earlier snapshots of the table must no longer be kept."""


def game_of(table: AnyTable) -> AnyGame:
    """Return the table's game. Raises `TableError` for older rules, `NewerReleaseError` for newer ones."""
    game = GAMES[table.game]
    if table.rules != game.rules:
        if table.rules > game.rules:
            raise NewerReleaseError(rules=table.rules, known=game.rules)
        raise TableError("rules_changed", rules=table.rules, now=game.rules)
    return game


def most_seats(table: AnyTable, options: Struct) -> int:
    """Return how many seats the options allow. Raises the errors of `game_of`."""
    return max(game_of(table).seats(options))


def seat_of(table: AnyTable, token: bytes) -> int | None:
    """Return the seat whose token has this SHA-256, or None. The comparison takes constant time."""
    matching = None
    for number, seat in enumerate(table.everybody):
        if seat.token and hmac.compare_digest(seat.token, token):
            matching = number
    return matching


def turn_of(table: AnyTable) -> int | None:
    """Return the seat on turn, or None if no deal is in progress."""
    return None if table.deal is None else table.deal.turn


def same_turn(before: AnyTable, after: AnyTable) -> bool:
    """Return whether the same turn continues. A turn may take several moves."""
    return turn_of(before) == turn_of(after) and before.match.deal == after.match.deal


Part: TypeAlias = Literal["table", "cards", "seats"]
"""A part of a table. The version in a request (`If-Match`) is compared with the part's last change."""


def changed_at(table: AnyTable, part: Part) -> int:
    """Return the version of a part's last change; the table's version if unknown."""
    marks = table.marks
    if part == "table" or marks is None or marks.version != table.version:
        return table.version
    return marks.cards if part == "cards" else marks.seats


def with_marks(before: AnyTable, after: AnyTable) -> AnyTable:
    """Return the table after a transition, with `marks` updated for the parts that changed.

    After a data loss the version skips numbers, which makes all earlier versions stale.
    """
    if after.version > before.version + 1:
        return structs.replace(after, marks=None)
    cards = _dealt(after) == _dealt(before) and after.deal == before.deal
    seats = after.seats is before.seats or _arranged(after) == _arranged(before)
    marks = Marks(
        after.version,
        changed_at(before, "cards") if cards else after.version,
        changed_at(before, "seats") if seats and _settings(after) == _settings(before) else after.version,
    )
    return structs.replace(after, marks=marks)


def _dealt(table: AnyTable) -> tuple[object, ...]:
    return (table.status, table.match.number, table.match.deal)


def _arranged(table: AnyTable) -> list[tuple[object, ...]]:
    return [(seat.kind, seat.level, seat.token) for seat in table.seats]


def _settings(table: AnyTable) -> tuple[object, ...]:
    return (table.host, table.options, table.turn_seconds, table.computers, table.status)


def with_seat(table: AnyTable, number: int, seat: SeatState) -> AnyTable:
    """Return the table with one seat replaced."""
    return structs.replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def substitute(table: AnyTable, leaver: SeatState, name: str) -> SeatState:
    """Return the computer player that takes a leaver's seat."""
    level, seed = table.computers.substitute_level, leaver.client_seed
    return SeatState(name, "computer", level, client_seed=seed, left=name == leaver.name)


def advance(table: AnyTable, happened: Sequence[Struct], log: Sequence[LogEntry] = (), **changes: object) -> Transition:
    """Return the transition to the next version, with these events, log entries and further changes of the table."""
    events = tuple(msgspec.to_builtins(happened))
    return Transition(structs.replace(table, version=table.version + 1, events=events, **changes), tuple(log))


def require_status(table: AnyTable, status: Literal["open", "playing"]) -> None:
    """Raise `TableError` `not_open` or `not_playing` if the table has another status."""
    if table.status != status:
        raise TableError(f"not_{status}", status=table.status)


def require_host(table: AnyTable, seat: int | None) -> None:
    """Raise `TableError` `not_host` if the seat is not the host's."""
    if seat is None or seat != table.host:
        raise TableError("not_host", host=table.host)


def require_unlocked(table: AnyTable) -> None:
    """Raise `TableError` `table_locked` if the host has locked the table."""
    if table.locked:
        raise TableError("table_locked")


# --- soundness

YEAR_10000 = 253_402_300_800_000
"""The first epoch milliseconds that `datetime` cannot represent."""


def is_sound(table: AnyTable) -> bool:
    """Return whether the parts of a table are consistent.

    Damaged bytes can still decode, for example to a table with a missing seat, a repeated card, or the turn of a seat
    that does not exist. This check is slower than reading a table, so it runs only after an unexpected error.
    """
    try:
        return _seats_agree(table) and _deal_agrees(table)
    except Exception:  # noqa: BLE001 - its own game cannot read the deal
        return False


def _seats_agree(table: AnyTable) -> bool:
    match, seats = table.match, len(table.seats)
    if not seats:
        return table.status == "over"
    numbers = [match.dealer, *([] if table.host is None else [table.host])]
    counts = [table.version, match.number, match.deal]
    times = [table.opened, table.wake or 0]
    turn = None if table.deal is None else table.deal.turn
    return (
        all(0 <= number < seats for number in numbers)
        and all(0 <= count < 1 << 53 for count in counts)
        and all(0 <= time < YEAR_10000 for time in times)
        and (turn is None or 0 <= turn < seats)
        and len(match.points) in (0, seats)
        and (table.deal is None or len(match.points) == seats)
        and (table.status != "playing" or table.deal is not None)
        and (table.rematch is None or (table.status == "over" and len(table.rematch.answers) == seats))
    )


def _deal_agrees(table: AnyTable) -> bool:
    if table.deal is None:
        return True
    game = GAMES[table.game]
    deal = game.to_wire(table.deal)
    return len(deal.hands) == len(table.seats) and game.from_wire(deal) == table.deal
