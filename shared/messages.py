"""The API's messages: the one definition that the server, its OpenAPI document, the client and the docs share."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from shared.games.base import Count, Result, SeatNumber, Seed
from shared.games.registry import AnyDeal, AnyView

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose shape depends on the game: its options, a move, an event."""

UNPRINTABLE = "\\x00-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"
"""Control characters, line breaks, invisible marks, and what turns the direction of the text around."""
PRINTABLE = f"^[^\\s{UNPRINTABLE}](?:[^{UNPRINTABLE}]*[^\\s{UNPRINTABLE}])?(?!\\n)$"
"""A text of one line that neither starts nor ends with a space; in Python `$` alone would admit a line break there."""

TableId = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22, description="An unguessable id of 128 bits.")
]
Token = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{43}$", max_length=43, description="A bearer token of 256 bits, shown once.")
]
PlayerName = Annotated[str, Meta(min_length=1, max_length=32, pattern=PRINTABLE)]
ClientSeed = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=PRINTABLE, description="A player's own share in the shuffle.")
]
TurnSeconds = Annotated[int, Meta(ge=1, le=604_800, description="Time for a turn, in seconds; null for no limit.")]
Level = Literal["plain"]
"""How well a computer player plays."""
Language = Literal["it", "en"]
Status = Literal["open", "playing", "over"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every body that a client sends: unknown fields are refused."""


# --- the catalogue


class Localized(Struct, frozen=True):
    """A text in both languages."""

    it: str
    en: str


class OptionsSchema(Struct, frozen=True):
    """The JSON Schema of a game's options, its titles and descriptions in both languages."""

    it: JsonObject
    en: JsonObject


class Players(Struct, frozen=True):
    """How many may play."""

    min: int
    max: int
    suggested: tuple[int, int]


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    game: str
    rules_version: int
    name: Localized
    players: Players
    deck: str
    options: OptionsSchema


class GameDetails(GameInfo, frozen=True):
    """A game of the catalogue with its rules as Markdown."""

    rules: Localized


class Catalogue(Struct, frozen=True):
    """Every game."""

    games: list[GameInfo]


# --- the stateless calls


class DealRequest(Request, frozen=True):
    """What a fresh deal is made of; without a seed, one is drawn."""

    seats: Annotated[int, Meta(ge=1, le=10)]
    options: JsonObject = {}
    dealer: SeatNumber = 0
    seed: Seed | None = None


class DealBody(Request, frozen=True):
    """A whole deal, hidden cards included."""

    deal: AnyDeal


class MoveRequest(Request, frozen=True):
    """A deal and a move in it."""

    deal: AnyDeal
    move: Raw


class ViewRequest(Request, frozen=True):
    """A deal and who looks at it: a seat, or null for a spectator."""

    deal: AnyDeal
    seat: SeatNumber | None


class LegalMoves(Struct, frozen=True):
    """The seat to act and its legal moves; nobody and none once the deal is over."""

    turn: SeatNumber | None
    moves: list[JsonObject]


class Verdict(Struct, frozen=True):
    """Is a move legal? If not, a stable code and the facts that explain it."""

    legal: bool
    code: str | UnsetType = UNSET
    facts: JsonObject | UnsetType = UNSET


class PlayAnswer(Struct, frozen=True):
    """The next deal, what happened, and the result once it is over."""

    deal: AnyDeal
    events: list[JsonObject]
    result: Result | None


class ViewAnswer(Struct, frozen=True):
    """What a seat, or a spectator, may see of a deal."""

    view: AnyView


# --- tables


class OpenTable(Request, frozen=True):
    """Opens a table; the one who opens it is its host and sits on seat 0."""

    game: str
    name: PlayerName
    options: JsonObject = {}
    turn_seconds: TurnSeconds | None = None
    listed: bool = False


class ChangeTable(Request, frozen=True):
    """Changes an open table; what is left out stays as it is. Host only."""

    options: JsonObject | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    listed: bool | UnsetType = UNSET


class SitDown(Request, frozen=True):
    """Takes the next free seat: a person, or (host only) a computer player."""

    name: PlayerName
    kind: Literal["person", "computer"] = "person"
    level: Level | None = None
    client_seed: ClientSeed | None = None


class GiveSeed(Request, frozen=True):
    """Gives a seat's own share in the shuffle of the match that starts next."""

    client_seed: ClientSeed


class Seat(Struct, frozen=True):
    """A seat of a table."""

    seat: SeatNumber
    name: str
    kind: Literal["person", "computer"]
    level: Level | None
    away: bool
    """Does a computer player hold this person's hand until he comes back?"""


class Match(Struct, frozen=True):
    """The match under way, or the last one once it is over."""

    number: Count
    """Counts from 1: a rematch is the next one."""
    deal: Count
    """The deal under way; 0 before the first."""
    points: tuple[int, ...]
    result: Result | None
    commitment: Seed
    server_seed: Seed | None
    """Shown once the match is over."""
    next_commitment: Seed | None
    """The commitment of the rematch, once the match is over."""


class Table(Struct, frozen=True):
    """A table as its viewer sees it: the body of most answers, and of every event."""

    id: TableId
    game: str
    rules: int
    options: JsonObject
    status: Status
    version: Count
    host: SeatNumber | None
    you: SeatNumber | None
    listed: bool
    seats: tuple[Seat, ...]
    match: Match
    deal: AnyView | None
    turn_seconds: TurnSeconds | None
    deadline: Annotated[datetime, Meta(tz=True)] | None
    moves: list[JsonObject]
    """The viewer's legal moves, if it is his turn."""
    events: list[JsonObject]
    """What happened last: the step that led to this version."""


class ListedTable(Struct, frozen=True):
    """An open table that anyone may join."""

    id: TableId
    game: str
    options: JsonObject
    host: str
    seats: Count
    max_seats: Count
    turn_seconds: TurnSeconds | None


class TablePage(Struct, frozen=True):
    """A page of open listed tables, newest first; `next` is the cursor of the following page."""

    tables: list[ListedTable]
    next: str | None


class Seated(Struct, frozen=True):
    """The table, the seat taken and its token; a computer player's seat has no token."""

    table: Table
    seat: SeatNumber
    token: Token | None


class PlayMove(Request, frozen=True):
    """A move of the game that is played at the table."""

    move: Raw


class Moved(Struct, frozen=True):
    """The table after a step, and what happened."""

    table: Table
    events: list[JsonObject]


class EventItem(Struct, frozen=True):
    """An event of a table's stream: `gap` where some before it are gone."""

    id: Count
    """The table's version after the event."""
    event: Literal["change", "gap"]
    table: Table


class EventPage(Struct, frozen=True):
    """The events that the table still remembers, oldest first."""

    events: list[EventItem]


# --- proofs


class PlayedMove(Struct, frozen=True):
    """A move of a finished deal."""

    seat: SeatNumber
    move: JsonObject


class Proof(Struct, frozen=True):
    """A finished deal with all that proves its shuffle: feed it to the verifier."""

    table: TableId
    game: str
    rules: int
    match: Count
    deal: Count
    commitment: Seed
    server_seed: Seed
    client_seeds: tuple[str, ...]
    """By seat; an empty text where none was given."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    start: AnyDeal
    """The first deck, as it was dealt: every hand and the order of the stock."""
    moves: list[PlayedMove]
    result: Result


# --- problems


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error, as RFC 9457 shapes it, with a stable `code`."""

    type: str
    title: str
    status: int
    code: str
    detail: str = ""
    field: str | None = None
    """Where in the body the fault lies, as a JSON path, or the header's or parameter's name."""
    facts: JsonObject | None = None
    """What explains a refused move."""
    version: int | None = None
    """The table's version now, where that is what the request missed."""
