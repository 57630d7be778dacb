"""Messages about tables, their seats, matches and events."""

from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from locanda.games.base import Count, Result, SeatNumber, Seed, Version
from locanda.games.registry import AnyView
from locanda.messages.rules import Selection
from locanda.messages.values import (
    OWN_PREFIX,
    SIGNING_SECRET,
    AnyGameName,
    AnyOptions,
    ClientSeed,
    FillSeats,
    GameName,
    GivenMove,
    GivenOptions,
    HintsAllowed,
    JsonObject,
    Level,
    Locked,
    PlayerName,
    Request,
    SeatableLevel,
    Status,
    SubstituteLevel,
    TableId,
    Token,
    TurnSeconds,
)
from locanda.messages.words import TableWords


# Default values are omitted: engines of earlier releases refuse fields that they do not know.
class OpenTable(Request, frozen=True, omit_defaults=True):
    """Opens a table. You become its host, on seat 0."""

    game: AnyGameName
    """The game to play."""
    name: PlayerName
    """The host's name."""
    options: AnyOptions = {}
    """Options that differ from the game's defaults."""
    turn_seconds: TurnSeconds | None = None
    """Time limit for a person's turn, in seconds; null for no limit."""
    listed: bool = False
    """Whether the public lists include the table: to join while it is open, to watch while it is in play."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True
    locked: Locked = False


class ChangeTable(Request, frozen=True):
    """Changes an open table, or locks any table; fields left out keep their values. Host only."""

    options: AnyOptions | UnsetType = UNSET
    """All options of the table; options left out get the game's defaults."""
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    """Time limit for a person's turn, in seconds; null for no limit."""
    listed: bool | UnsetType = UNSET
    """Whether the public lists include the table: to join while it is open, to watch while it is in play."""
    substitute_level: SubstituteLevel | UnsetType = UNSET
    hints: HintsAllowed | UnsetType = UNSET
    fill_seats: FillSeats | UnsetType = UNSET
    locked: Locked | UnsetType = UNSET


class OwnServer(Request, frozen=True):
    """An external server that chooses moves: it gets requests like those of `suggest`, and answers with the `move`."""

    url: Annotated[str, Meta(pattern="^https?://[^\\s/?#@]+([/?][^\\s#]*)?(?!\\n)$", max_length=500)]
    """URL of the server; it is never shown to others."""
    secret: Annotated[str, Meta(pattern=f"^{SIGNING_SECRET}(?!\\n)$", max_length=100)] | None = None
    """Secret that signs requests to it (Standard Webhooks); null for no signatures."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for an invalid URL that the pattern accepts, such as `https://[`."""
        try:
            parts = urlsplit(self.url)
            valid = bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise ValueError("Expected the address of a server")

    def __repr__(self) -> str:
        """Return the representation without the URL and the secret."""
        return "OwnServer(...)"


class SitDown(Request, frozen=True, omit_defaults=True):
    """Takes the next free seat, for a person or (host only) for a computer player."""

    name: PlayerName
    """The newcomer's name. A computer player's name gets a number if it resembles another name at the table."""
    kind: Literal["person", "computer"] = "person"
    """Whether a person or a computer player sits down. Seating a computer player needs the host's token."""
    level: Level | None = None
    """Level of the computer player; null for `medium`, and for a person."""
    client_seed: ClientSeed | None = None
    """A person's client seed: their own share in the shuffle of the next match."""
    server: OwnServer | None = None
    """Server of the own player that `level` names, for this table only, if the operator allows it; null for one of the
    game's `levels`."""
    away: bool = False
    """Whether a computer player plays for the person until they return."""


class SetLevel(Request, frozen=True):
    """Sets the level of a computer player at an open table. Host only."""

    level: SeatableLevel
    """The new level."""


class SetName(Request, frozen=True):
    """Renames a seat: your own before or after a match, a computer player's at any time."""

    name: PlayerName
    """The new name."""


class GiveSeed(Request, frozen=True):
    """Sets your seat's client seed for the next match."""

    client_seed: ClientSeed


class AnswerRematch(Request, frozen=True):
    """Says whether a person stays for another match. They may change it until the match begins."""

    stays: bool
    """True to play on, false to stop."""
    client_seed: ClientSeed | None = None
    """Their client seed: their own share in the shuffle of the next match."""


class Rematch(Struct, frozen=True):
    """Answers for the next match. It begins when no answer is null, or at the deadline."""

    answers: tuple[bool | None, ...]
    """For each seat, whether the player stays; null for a person who has not answered. Computer players always stay."""
    newcomers: tuple[str, ...]
    """Names of newcomers to the next match. Their seat numbers follow those of `seats`."""
    you: Count | None
    """The viewer's index among the newcomers, counted from 0; null for other viewers."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """The latest time for the match to begin, in UTC; null until the first person stays, and if too few stay."""


class Seat(Struct, frozen=True):
    """A seat of a table."""

    seat: SeatNumber
    """Number of the seat, counted from 0 in order of play."""
    name: str
    """The player's name, as plain text: escape it before display."""
    kind: Literal["person", "computer"]
    """Whether a person or a computer player has the seat."""
    level: Level | None
    """Level of a computer player; null for a person."""
    away: bool
    """Whether `medium` plays for this seat: for a person until they return, for an own player until the match ends."""

    @property
    def is_own_player(self) -> bool:
        """Whether an external server plays for this seat. Matches with such seats are not rated."""
        return self.level is not None and self.level.startswith(OWN_PREFIX)


class PastDeal(Struct, frozen=True):
    """A finished deal of the match."""

    deal: Count
    """Number of the deal in the match, counted from 1."""
    points: tuple[int, ...]
    """Points of each seat in the match, after this deal."""
    over: JsonObject
    """The game's `deal_over` event: the deal's result, and details that depend on the game."""


class SeatTurns(Struct, frozen=True):
    """Number of turns of a seat in a match, by who took them."""

    own: Count
    """Turns taken by the person on the seat."""
    computer: Count
    """Turns taken by a computer player, or finished by it when the time was up."""


class Match(Struct, frozen=True, omit_defaults=True):
    """The current match, or the last one after it is over."""

    number: Count
    """Number of the match at this table, counted from 1; a rematch has the next number."""
    deal: Count
    """Number of the current deal, counted from 1; 0 before the first."""
    points: tuple[int, ...]
    """Points of each seat, from the finished deals. The game's rules say whether many or few are better."""
    result: Result | None
    """The result of the match; null until it is over."""
    commitment: Seed
    """SHA-256 of table, match and server seed, published before the seats give their client seeds."""
    server_seed: Seed | None
    """The match's server seed; null until the match is over."""
    next_commitment: Seed | None
    """The commitment of the rematch; null until the match is over."""
    past_deals: list[PastDeal] = []
    """The last finished deals of the match, at most 20, oldest first; left out if there are none."""
    turns: tuple[SeatTurns, ...] = ()
    """Turns of each seat, by who took them; left out until the match is over."""


class Table(Struct, frozen=True):
    """A table as the viewer sees it; most responses and all events contain it."""

    id: TableId
    """The table's id; it allows anyone to watch the table."""
    game: GameName
    """The game that is played."""
    rules: int
    """Version of the game's rules at this table."""
    options: GivenOptions
    """Options that differ from the game's defaults."""
    status: Status
    """`open` before the match, `playing` during it, `over` after it or when the table is empty."""
    version: Version
    """Version of the table. It increases with each change; responses have it as `ETag`, events as `id`."""
    host: SeatNumber | None
    """The seat that sets options and starts matches; null if no person is left."""
    you: SeatNumber | None
    """The seat of the request's token; null for a spectator."""
    listed: bool
    """Whether the public lists include the table: to join while it is open, to watch while it is in play."""
    seats: tuple[Seat, ...]
    """The seats, in order of play."""
    match: Match
    """The match in play, the next one, or the one that has just ended."""
    deal: AnyView | None
    """The viewer's view of the current deal; null before the first."""
    turn_seconds: TurnSeconds | None
    """Time limit for a person's turn, in seconds; null for no limit."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When the time of the person on turn is up, in UTC; null without a limit."""
    moves: list[GivenMove]
    """The viewer's legal moves, each distinct choice once; of equal ones, the game's `Move` says which is listed. Empty
    if the viewer is not on turn."""
    events: list[JsonObject]
    """The events of the step that led to this version."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True
    rematch: Rematch | None = None
    """Answers for another match; null unless a match is over."""
    max_seats: Count | UnsetType = UNSET
    """The most players that may sit down with these options; missing in servers up to 0.1.0."""
    locked: Locked = False
    words: TableWords | UnsetType = UNSET
    """The table in sentences; only with `words`."""


class ListedTable(Struct, frozen=True):
    """A table in the public lists: open for anyone to join, or in play for anyone to watch."""

    id: TableId
    """The table's id, to watch it or to sit down."""
    game: GameName
    """The game that is played."""
    options: GivenOptions
    """Options that differ from the game's defaults."""
    host: str
    """The host's name."""
    seats: Count
    """Number of players who have sat down."""
    max_seats: Count
    """The most players that may sit down."""
    turn_seconds: TurnSeconds | None
    """Time limit for a person's turn, in seconds; null for no limit."""
    status: Literal["open", "playing"] = "open"
    """Whether the table waits for players or is in play."""


class TablePage(Struct, frozen=True):
    """A page of listed tables."""

    tables: list[ListedTable]
    """The listed tables, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class LobbyNow(Struct, frozen=True):
    """The newest listed tables, at most 50 of each status."""

    open: list[ListedTable]
    """Tables that anyone may join, newest first."""
    playing: list[ListedTable]
    """Tables that anyone may watch, newest first."""


class Seated(Struct, frozen=True):
    """The table, the seat taken and its token."""

    table: Table
    """The table after the step, as the sender of the request sees it."""
    seat: SeatNumber
    """The seat taken."""
    token: Token | None
    """The seat's bearer token, valid as long as the table exists; null for a computer player."""


class PlayMove(Request, frozen=True):
    """A move of the game at the table."""

    move: Raw
    """The move: a listed one, or an equal one."""


class CheckMove(Request, frozen=True):
    """Either a move of the game at the table, or cards that the player has selected."""

    move: Raw | UnsetType = UNSET
    """The move; it may be incomplete."""
    selection: Selection | UnsetType = UNSET
    """The cards that the player has selected, and their target."""


class Moved(Struct, frozen=True):
    """The table after a move, and the events of the move."""

    table: Table
    """The table after the move, as the mover sees it."""
    events: list[JsonObject]
    """The events of the move, in order."""


class EventItem(Struct, frozen=True):
    """An event of a table's stream."""

    id: Version
    """The table's version after the event."""
    event: Literal["change", "gap"]
    """`gap` if earlier events are no longer stored, otherwise `change`."""
    table: Table
    """The table after the event, as the bearer sees it."""


class EventPage(Struct, frozen=True):
    """The events that are still stored."""

    events: list[EventItem]
    """The events of the last 32 changes, oldest first."""
