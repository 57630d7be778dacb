"""The types of the API's requests and answers; the server, its OpenAPI document and the client derive from them."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from locanda.games.base import Count, Result, SeatNumber, Seed, Version
from locanda.games.registry import AnyDeal, AnyView
from locanda.names import LONGEST_NAME

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose shape depends on the game: its options, a move, an event."""

UNPRINTABLE = (
    "\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb"
)
"""Characters that names must not contain: controls, line breaks, what cannot be seen, changes of text direction.

`locanda.names` has the whole rule: a pattern that every language's regular expressions understand cannot.
"""
ATTACHED = "\\s\\u200c\\u200d\\u2800"
"""Spaces, joiners and the blank of Braille: what names must not begin or end with."""
MARKS = "\\u0300-\\u036f\\ufe00-\\ufe0f"
"""Marks and variation selectors: what names must not begin with."""
PRINTABLE = f"^[^{ATTACHED}{MARKS}{UNPRINTABLE}](?:[^{UNPRINTABLE}]*[^{ATTACHED}{UNPRINTABLE}])?(?!\\n)$"
"""One line without a space at its ends; `(?!\\n)` because in Python `$` also matches before a line break."""

TableId = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22, description="An unguessable id of 128 bits.")
]
Token = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{43}$", max_length=43, description="A bearer token of 256 bits, shown once.")
]
PlayerName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=PRINTABLE,
        description="One line that begins with a visible character, and has no controls, no changes of text direction "
        "and no characters that cannot be seen.",
    ),
]
ClientSeed = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=PRINTABLE, description="A player's own share in the shuffle.")
]
TurnSeconds = Annotated[int, Meta(ge=1, le=604_800, description="Time for a turn, in seconds; null for no limit.")]
ComputerLevel = Literal["easy", "medium", "hard"]
"""How well a computer player plays: a beginner, an experienced friend who counts cards, or one who also searches."""
Level = Literal["easy", "medium", "hard", "plain"]
"""The level of a seat: `plain` is the computer player of release 0.1.0, for its clients and tables."""
SubstituteLevel = Annotated[
    ComputerLevel,
    Meta(description="How well computers play for those who left or are away, and turns whose time is up."),
]
HintsAllowed = Annotated[bool, Meta(description="Whether seats may ask for hints.")]
Language = Literal["it", "en"]
Status = Literal["open", "playing", "over"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of the bodies of requests: unknown fields are refused."""


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
    """The possible and the suggested numbers of players."""

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
    """All games."""

    games: list[GameInfo]


# --- the stateless calls


class DealRequest(Request, frozen=True):
    """The input of a new deal; without a seed, a random one is drawn."""

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
    """A deal and its viewer: a seat, or null for a spectator."""

    deal: AnyDeal
    seat: SeatNumber | None


class LegalMoves(Struct, frozen=True):
    """The seat on turn and its legal moves; null and none once the deal is over."""

    turn: SeatNumber | None
    moves: list[JsonObject]


class Verdict(Struct, frozen=True):
    """Whether a move is legal; if not, a stable code and the facts that explain it."""

    legal: bool
    code: str | UnsetType = UNSET
    facts: JsonObject | UnsetType = UNSET


class PlayAnswer(Struct, frozen=True):
    """The deal after a move, the events, and the result once the deal is over."""

    deal: AnyDeal
    events: list[JsonObject]
    result: Result | None


class ViewAnswer(Struct, frozen=True):
    """The part of a deal that a seat, or a spectator, may see."""

    view: AnyView


# --- computer players' moves


class MoveReason(Struct, frozen=True):
    """Why a move is worth playing: a stable code, and a sentence in the language of the answer."""

    code: str
    text: str


class SearchBudget(Request, frozen=True):
    """How long `hard` may search: so many iterations, so many milliseconds of processor, or until one is used up."""

    iterations: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    ms: Annotated[int, Meta(ge=1, le=1000)] | None = None


class SuggestRequest(Request, frozen=True):
    """What the seat on turn may see of a deal, and which computer player is asked."""

    view: AnyView
    history: list[JsonObject] | UnsetType = UNSET
    """The events of the game since the cards were dealt, oldest first; left out where they are not known."""
    level: ComputerLevel = "hard"
    seed: Seed | None = None
    """Of the player's chance: with the same seed and a budget of iterations alone, the answer is the same."""
    budget: SearchBudget = SearchBudget()
    """Nothing stands for the time that a computer player has at a table."""


class Suggestion(Struct, frozen=True):
    """A computer player's move, and why."""

    move: JsonObject
    reason: MoveReason
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    elapsed_ms: Count


class Hint(Struct, frozen=True):
    """What `hard` would play in the bearer's seat, and why."""

    move: JsonObject
    reason: MoveReason
    simulations: Count


class ReviewedMove(Struct, frozen=True):
    """A move of a finished deal, beside the one that `hard` would have played with what the player saw then."""

    number: Count
    """The move's place among all moves of the deal, counted from 0, as in the deal's proof."""
    played: JsonObject
    best: JsonObject
    cost: Annotated[float, Meta(ge=0)]
    """What the search expects of `best`, less what it expects of `played`: a share of the win, or points."""
    reason: MoveReason
    """Why `best` is worth playing."""
    view: AnyView | None = None
    """What the player saw before the move; only of the moves in `worst`."""


class Review(Struct, frozen=True):
    """The bearer's moves of a finished deal, in their order."""

    moves: list[ReviewedMove]
    worst: list[Count]
    """The numbers of up to three moves that cost most, the costliest first."""


# --- tables


# Without what has its default, so that engines of earlier releases, which refuse unknown fields, read the rest.
class OpenTable(Request, frozen=True, omit_defaults=True):
    """Opens a table; who opens it is its host, on seat 0."""

    game: str
    name: PlayerName
    options: JsonObject = {}
    turn_seconds: TurnSeconds | None = None
    listed: bool = False
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False


class ChangeTable(Request, frozen=True):
    """Changes an open table; fields that are left out keep their value. Host only."""

    options: JsonObject | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    listed: bool | UnsetType = UNSET
    substitute_level: SubstituteLevel | UnsetType = UNSET
    hints: HintsAllowed | UnsetType = UNSET


class SitDown(Request, frozen=True):
    """Takes the next free seat: a person, or (host only) a computer player."""

    name: PlayerName
    kind: Literal["person", "computer"] = "person"
    level: Level | None = None
    """Of a computer player; null for `medium`."""
    client_seed: ClientSeed | None = None


class SetLevel(Request, frozen=True):
    """Sets the level of a computer player at an open table. Host only."""

    level: ComputerLevel


class GiveSeed(Request, frozen=True):
    """Sets a seat's client seed for the next match."""

    client_seed: ClientSeed


class Seat(Struct, frozen=True):
    """A seat of a table."""

    seat: SeatNumber
    name: str
    kind: Literal["person", "computer"]
    level: Level | None
    away: bool
    """Whether a computer player holds this person's hand until they come back."""


class Match(Struct, frozen=True):
    """The current match, or the last one once it is over."""

    number: Count
    """Counts from 1: a rematch is the next one."""
    deal: Count
    """The number of the current deal; 0 before the first."""
    points: tuple[int, ...]
    result: Result | None
    commitment: Seed
    server_seed: Seed | None
    """Shown once the match is over."""
    next_commitment: Seed | None
    """The commitment of the rematch, once the match is over."""


class Table(Struct, frozen=True):
    """A table as its viewer sees it: the body of most answers and of every event."""

    id: TableId
    game: str
    rules: int
    options: JsonObject
    status: Status
    version: Version
    host: SeatNumber | None
    you: SeatNumber | None
    listed: bool
    seats: tuple[Seat, ...]
    match: Match
    deal: AnyView | None
    turn_seconds: TurnSeconds | None
    deadline: Annotated[datetime, Meta(tz=True)] | None
    moves: list[JsonObject]
    """The viewer's legal moves; empty when they are not on turn."""
    events: list[JsonObject]
    """The events of the step that led to this version."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False


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
    """The table after a step, and the events of the step."""

    table: Table
    events: list[JsonObject]


class EventItem(Struct, frozen=True):
    """An event of a table's stream: `gap` where earlier ones are no longer kept."""

    id: Version
    """The table's version after the event."""
    event: Literal["change", "gap"]
    table: Table


class EventPage(Struct, frozen=True):
    """The events that are still kept, oldest first."""

    events: list[EventItem]


# --- proofs


class PlayedMove(Struct, frozen=True):
    """A move of a finished deal."""

    seat: SeatNumber
    move: JsonObject


class Proof(Struct, frozen=True):
    """A finished deal with everything that proves its shuffle: the input of the verifier."""

    table: TableId
    game: str
    rules: int
    match: Count
    deal: Count
    commitment: Seed
    server_seed: Seed
    client_seeds: tuple[str, ...]
    """By seat; empty where none was given."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    start: AnyDeal
    """The deal before its first move: every hand and the order of the stock."""
    moves: list[PlayedMove]
    result: Result


# --- problems


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error in the format of RFC 9457, with a stable `code`."""

    type: str
    title: str
    status: int
    code: str
    detail: str = ""
    field: str | None = None
    """The invalid part of the request: a JSON path in the body, or the name of a header or parameter."""
    facts: JsonObject | None = None
    """The facts that explain a refused move."""
    version: int | None = None
    """The current version of the table, where the request expected another one."""
