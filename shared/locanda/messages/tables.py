"""Tables, seats, and what happens there."""

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


# Fields at their defaults are omitted: engines of earlier releases refuse fields that they do not know.
class OpenTable(Request, frozen=True, omit_defaults=True):
    """Opens a table; its opener is the host, on seat 0."""

    game: AnyGameName
    """Which game is played there."""
    name: PlayerName
    """The host's name."""
    options: AnyOptions = {}
    """The options that differ from the game's defaults."""
    turn_seconds: TurnSeconds | None = None
    """Seconds for a turn of a person; null for no limit."""
    listed: bool = False
    """Whether the table is in the public lists: while open, to be joined, and in play, to be watched."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True
    locked: Locked = False


class ChangeTable(Request, frozen=True):
    """Changes an open table, or locks one; fields that are left out keep their value. Host only."""

    options: AnyOptions | UnsetType = UNSET
    """All options of the table: those that are left out get the game's defaults."""
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    """Seconds for a turn of a person; null for no limit."""
    listed: bool | UnsetType = UNSET
    """Whether the table is in the public lists: while open, to be joined, and in play, to be watched."""
    substitute_level: SubstituteLevel | UnsetType = UNSET
    hints: HintsAllowed | UnsetType = UNSET
    fill_seats: FillSeats | UnsetType = UNSET
    locked: Locked | UnsetType = UNSET


class OwnServer(Request, frozen=True):
    """A server that chooses moves: it is sent what `suggest` is sent, and answers with the `move`."""

    url: Annotated[str, Meta(pattern="^https?://[^\\s/?#@]+([/?][^\\s#]*)?(?!\\n)$", max_length=500)]
    """Its address, which is never shown to others."""
    secret: Annotated[str, Meta(pattern=f"^{SIGNING_SECRET}(?!\\n)$", max_length=100)] | None = None
    """The secret that signs requests to it, after Standard Webhooks; null for no signature."""

    def __post_init__(self) -> None:
        """Refuse what has the form of an address and is none, such as `https://[`. Raises `ValueError`."""
        try:
            parts = urlsplit(self.url)
            valid = bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise ValueError("Expected the address of a server")

    def __repr__(self) -> str:
        """Return a text without the values, which are secret."""
        return "OwnServer(...)"


class SitDown(Request, frozen=True, omit_defaults=True):
    """Takes the next free seat: a person, or (host only) a computer player."""

    name: PlayerName
    """The newcomer's name. A computer player's name gets a number if it looks like another one at the table."""
    kind: Literal["person", "computer"] = "person"
    """Whether a person or a computer player sits down; a computer player is seated with the host's token."""
    level: Level | None = None
    """How the computer player plays; null for `medium`, and for a person."""
    client_seed: ClientSeed | None = None
    """A person's own share in the coming match's shuffle."""
    server: OwnServer | None = None
    """The server of an own player that `level` names, only for this table, if the engine's host allows it; null for one
    of the game's `levels`."""
    away: bool = False
    """Whether a computer player holds the person's hand until they come back."""


class SetLevel(Request, frozen=True):
    """Sets the level of a computer player at an open table. Host only."""

    level: SeatableLevel
    """The computer player's new level."""


class SetName(Request, frozen=True):
    """Renames a seat: your own before or after a match, a computer player's at any time."""

    name: PlayerName
    """The new name."""


class GiveSeed(Request, frozen=True):
    """Sets a seat's client seed for the next match."""

    client_seed: ClientSeed


class AnswerRematch(Request, frozen=True):
    """Says whether a person stays for another match; until it begins, they may change their mind."""

    stays: bool
    """True to play on, false to stop."""
    client_seed: ClientSeed | None = None
    """Their own share in the coming match's shuffle."""


class Rematch(Struct, frozen=True):
    """Answers for the next match, which begins once no answer is null, or at the deadline."""

    answers: tuple[bool | None, ...]
    """By seat, whether the player stays; null for a person who has not answered. Computer players always stay."""
    newcomers: tuple[str, ...]
    """Names of newcomers for it. Their seat numbers follow those of `seats`."""
    you: Count | None
    """The viewer's place among the newcomers, counted from 0; null for others."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When it begins at the latest, in UTC; null until the first person stays, and if too few do."""


class Seat(Struct, frozen=True):
    """A seat of a table."""

    seat: SeatNumber
    """The seat's number, counted from 0 in order of play."""
    name: str
    """The player's name: plain text, to be escaped where it is shown."""
    kind: Literal["person", "computer"]
    """Whether a person or a computer player sits there."""
    level: Level | None
    """How a computer player plays; null for a person."""
    away: bool
    """Whether `medium` holds this hand: a person's until they come back, an own player's until the match ends."""

    @property
    def is_own_player(self) -> bool:
        """Whether another person's server plays for this seat: such matches count in no rating."""
        return self.level is not None and self.level.startswith(OWN_PREFIX)


class PastDeal(Struct, frozen=True):
    """A deal of a match that is over."""

    deal: Count
    """Its number in the match, counted from 1."""
    points: tuple[int, ...]
    """The points of each seat in the match after it."""
    over: JsonObject
    """The game's `deal_over` event: the deal's result, and the game's details of its end."""


class SeatTurns(Struct, frozen=True):
    """The turns of a seat in a match, by who took them."""

    own: Count
    """Turns that the person in the seat took."""
    computer: Count
    """Turns that a computer player took, or finished when the time was up."""


class Match(Struct, frozen=True, omit_defaults=True):
    """The current match, or the last one once it is over."""

    number: Count
    """The match's number at this table, counted from 1: a rematch has the next one."""
    deal: Count
    """The number of the current deal, counted from 1; 0 before the first."""
    points: tuple[int, ...]
    """The points of each seat, from the deals that are over; whether many or few are good, the game's rules say."""
    result: Result | None
    """How the match ended; null while it goes on."""
    commitment: Seed
    """SHA-256 over table, match and server seed: published before the seats give their client seeds."""
    server_seed: Seed | None
    """The match's server seed, shown once the match is over; null before."""
    next_commitment: Seed | None
    """The commitment of the rematch, shown once the match is over; null before."""
    past_deals: list[PastDeal] = []
    """The finished deals of the match, the last 20 at most, oldest first; left out without any."""
    turns: tuple[SeatTurns, ...] = ()
    """The turns of each seat, by who took them; left out until the match is over."""


class Table(Struct, frozen=True):
    """A table as its viewer sees it: the body of most answers and of every event."""

    id: TableId
    """The table's id, with which anyone may watch."""
    game: GameName
    """Which game is played there."""
    rules: int
    """The version of the game's rules at the table."""
    options: GivenOptions
    """The options that differ from the game's defaults."""
    status: Status
    """`open` until the match starts, `playing`, `over` once it has ended or the table is empty."""
    version: Version
    """The table's version: it grows with each change, and is the `ETag` of answers and the `id` of events."""
    host: SeatNumber | None
    """The seat that sets options and starts matches; null once no person is left."""
    you: SeatNumber | None
    """The seat of the token that the request came with; null for a spectator."""
    listed: bool
    """Whether the table is in the public lists: while open, to be joined, and in play, to be watched."""
    seats: tuple[Seat, ...]
    """The table's seats, in order of play."""
    match: Match
    """The match under way, to come, or just over."""
    deal: AnyView | None
    """The viewer's view of the deal under way; null before the first one."""
    turn_seconds: TurnSeconds | None
    """Seconds for a turn of a person; null for no limit."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When the time of the person on turn is up, in UTC; null if no time runs."""
    moves: list[GivenMove]
    """The viewer's legal moves, each distinct choice once; of equal ones, the one that `Move` says. Empty when they are
    not on turn.
    """
    events: list[JsonObject]
    """The events of the step that led to this version."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True
    rematch: Rematch | None = None
    """Answers for another match; null unless one is over."""
    max_seats: Count | UnsetType = UNSET
    """How many may sit down with these options; servers up to 0.1.0 leave it out."""
    locked: Locked = False
    words: TableWords | UnsetType = UNSET
    """The table in sentences, if `words` asks for them."""


class ListedTable(Struct, frozen=True):
    """A listed table: an open one that anyone may join, or one in play that anyone may watch."""

    id: TableId
    """The table's id, to look at it and to sit down."""
    game: GameName
    """Which game is played there."""
    options: GivenOptions
    """The options that differ from the game's defaults."""
    host: str
    """The host's name."""
    seats: Count
    """The number of players who have sat down."""
    max_seats: Count
    """The number of players who may sit down in all."""
    turn_seconds: TurnSeconds | None
    """Seconds for a turn of a person; null for no limit."""
    status: Literal["open", "playing"] = "open"
    """Whether it waits for players, or is in play."""


class TablePage(Struct, frozen=True):
    """A page of listed tables, newest first; `next` is the cursor of the following page."""

    tables: list[ListedTable]
    """The listed tables, the newest first."""
    next: str | None
    """The `cursor` of the following page; null on the last one."""


class LobbyNow(Struct, frozen=True):
    """The newest listed tables, 50 of each status at most."""

    open: list[ListedTable]
    """Those that anyone may join, the newest first."""
    playing: list[ListedTable]
    """Those that anyone may watch, the newest first."""


class Seated(Struct, frozen=True):
    """The table, the seat taken and its token; a computer player's seat has no token."""

    table: Table
    """The table after the step, in the view of the request's sender."""
    seat: SeatNumber
    """The seat that was taken."""
    token: Token | None
    """The seat's bearer token, valid for as long as the table exists; null for a computer player's seat."""


class PlayMove(Request, frozen=True):
    """A move of the game that is played at the table."""

    move: Raw
    """The move, listed or equal to a listed one."""


class CheckMove(Request, frozen=True):
    """A move of the game that is played at the table, or cards that its player has selected: one of the two."""

    move: Raw | UnsetType = UNSET
    """The move, listed or not; also a half-made one."""
    selection: Selection | UnsetType = UNSET
    """The cards that the player has selected, and their target."""


class Moved(Struct, frozen=True):
    """The table after a step, and the events of the step."""

    table: Table
    """The table after the move, as the mover sees it."""
    events: list[JsonObject]
    """The events, in order."""


class EventItem(Struct, frozen=True):
    """An event of a table's stream: `gap` if earlier ones are no longer stored."""

    id: Version
    """The table's version after the event."""
    event: Literal["change", "gap"]
    """`gap` if events before this one are lost."""
    table: Table
    """The table after the event, as the bearer may see it."""


class EventPage(Struct, frozen=True):
    """The events that are still kept, oldest first."""

    events: list[EventItem]
    """The events of the last 32 changes, the oldest first."""
