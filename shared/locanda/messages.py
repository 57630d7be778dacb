"""The types of the API's requests and answers; the server, its OpenAPI document and the client derive from them."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from locanda.games.base import Count, PresetName, Result, SeatNumber, Seed, Version
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
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=PRINTABLE,
        description="A player's own share in the shuffle: one line without controls, or spaces at its ends.",
    ),
]
TurnSeconds = Annotated[int, Meta(ge=1, le=604_800, description="Time for a turn, in seconds; null for no limit.")]
ComputerLevel = Literal["easy", "medium", "hard"]
"""How well a computer player plays: a beginner, an experienced friend who counts cards, or one who also searches."""
COMPUTER_LEVELS: tuple[ComputerLevel, ...] = get_args(ComputerLevel)
Level = Literal[ComputerLevel, "plain"]
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


# --- words: sentences for people, where a request asks for them


class CardWords(Struct, frozen=True):
    """What a card is called."""

    name: str
    """In full, such as `seven of hearts`."""
    short: str
    """As it stands in sentences, such as `7♥`."""


class PresetWords(Struct, frozen=True):
    """Options that make a match short, usual or long."""

    preset: PresetName
    """Which of the three."""
    title: str
    """What it is called."""
    text: str
    """The options with their values."""
    options: dict[str, int]
    """What to set in the options of a table."""


class GameWords(Struct, frozen=True):
    """What a game calls its cards, piles and moves, in one language."""

    language: Language
    """Of the texts."""
    cards: dict[str, CardWords]
    """Of every card of the game's deck, by its code."""
    labels: dict[str, str]
    """Short names of piles, moves and states; each game has always the same keys."""
    levels: dict[ComputerLevel, str]
    """What the levels of computer players are called."""
    presets: list[PresetWords]
    """Options for a short, a usual and a long match."""


class TableWords(Struct, frozen=True):
    """A table in sentences, in one language: only of what its viewer may see, with players' names as plain text."""

    language: Language
    """Of the texts."""
    title: str
    """The number of the deal in its match; empty where there is only one."""
    turn: str
    """Whose turn it is; for the viewer on turn, also what they have to do. Empty while nobody is."""
    events: list[str | None]
    """What each of `events` says, in one line or several; null for one that says nothing to people."""
    moves: list[str]
    """The label of each of `moves`."""
    seats: list[str]
    """What each seat holds and has won; empty without a deal."""
    piles: dict[str, str]
    """What lies on each pile, by its key in `labels`; on a seat's own by `key.seat`, such as `mazzetto.0`."""
    facts: list[str]
    """What else is to be known of the deal."""
    score: list[str]
    """The points of each seat in the match; empty before the first deal."""
    result: list[str]
    """How the deal or the match ended: the winner, then the seats by place; empty while it goes on."""
    options: list[str]
    """The options that are not the game's defaults."""
    ending: str = ""
    """Why the deal, or the last deal of the match, ended, empty while it goes on, or from servers up to 0.1.0."""


class MovesWords(Struct, frozen=True):
    """Moves in words, in one language."""

    language: Language
    """Of the texts."""
    moves: list[str]
    """The label of each of `moves`."""


class PlayWords(Struct, frozen=True):
    """What a move led to, in one language."""

    language: Language
    """Of the texts."""
    events: list[str | None]
    """What each of `events` says, in one line or several; null for one that says nothing to people."""
    result: list[str]
    """The seats by place, once the deal is over."""


class ViewWords(Struct, frozen=True):
    """A view in sentences, in one language."""

    language: Language
    """Of the texts."""
    turn: str
    """Whose turn it is; empty once the deal is over."""
    seats: list[str]
    """What each seat holds and has won."""
    piles: dict[str, str]
    """What lies on each pile, as in a table's words."""
    facts: list[str]
    """What else is to be known of the deal."""


class ReviewWords(Struct, frozen=True):
    """A reviewed move in words, in one language."""

    language: Language
    """Of the texts."""
    played: str
    """The label of `played`."""
    best: str
    """The label of `best`."""


# --- the catalogue


class Localized(Struct, frozen=True):
    """A text in both languages."""

    it: str
    """In Italian."""
    en: str
    """In English."""


class OptionsSchema(Struct, frozen=True):
    """The JSON Schema of a game's options, its titles and descriptions in both languages."""

    it: JsonObject
    """In Italian: a JSON Schema (2020-12) that is complete in itself."""
    en: JsonObject
    """The same in English."""


class Players(Struct, frozen=True):
    """The possible and the suggested numbers of players."""

    min: int
    """The fewest; options may ask for more."""
    max: int
    """The most; options may admit fewer."""
    suggested: tuple[int, int]
    """The fewest and the most with which it is best."""


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    game: str
    """Its name in paths and messages."""
    rules_version: int
    """Grows when the same moves could lead to another deal; `rules` of the tables that are opened now."""
    name: Localized
    """Its name for people."""
    players: Players
    """How many may play."""
    deck: str
    """Which cards it is played with."""
    options: OptionsSchema
    """What `options` of a table may be; a choice with `maxPlayers` admits no more players than that."""


class GameDetails(GameInfo, frozen=True):
    """A game of the catalogue with its rules as Markdown."""

    rules: Localized
    """How it is played, as Markdown."""
    words: GameWords | UnsetType = UNSET
    """Where `words` asks for them."""


class Server(Struct, frozen=True):
    """What a server is, and where people elsewhere reach it."""

    release: Annotated[str, Meta(description="The release of Locanda that answers, such as 0.1.0.")]
    public_url: Annotated[
        str | None,
        Meta(description="Where people elsewhere reach this server: links to its tables begin with it. Null for none."),
    ]


class Catalogue(Struct, frozen=True):
    """All games."""

    games: list[GameInfo]
    """In the order in which they are to be shown."""


# --- the stateless calls


Names = Annotated[
    list[PlayerName],
    Meta(max_length=10, description="The names by seat, for sentences; a seat without one is called by its number."),
]


class DealRequest(Request, frozen=True):
    """The input of a new deal; without a seed, a random one is drawn."""

    seats: Annotated[int, Meta(ge=1, le=10)]
    """How many play; the game and its options say how many may."""
    options: JsonObject = {}
    """The options that differ from the game's defaults."""
    dealer: SeatNumber = 0
    """The seat that deals: the next one begins."""
    seed: Seed | None = None
    """From which the shuffle follows; without one, a random seed is drawn and told in the answer."""


class DealBody(Request, frozen=True):
    """A whole deal, hidden cards included."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""


class MoveRequest(Request, frozen=True):
    """A deal and a move in it."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""
    move: Raw
    """The move of the seat on turn, listed or not."""
    names: Names | UnsetType = UNSET


class ViewRequest(Request, frozen=True):
    """A deal and its viewer: a seat, or null for a spectator."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""
    seat: SeatNumber | None
    """Whose view is asked for; null for a spectator's."""
    names: Names | UnsetType = UNSET


class LegalMoves(Struct, frozen=True):
    """The seat on turn and its legal moves; null and none once the deal is over."""

    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    moves: list[JsonObject]
    """Every legal move, each distinct choice once, in a fixed order; of equal ones, the one that `Move` says."""
    words: MovesWords | UnsetType = UNSET
    """Where `words` asks for them."""


class Verdict(Struct, frozen=True):
    """Whether a move is legal; if not, a stable code and the facts that explain it."""

    legal: bool
    """Whether the move may be made, listed among the legal ones or equal to one that is."""
    code: str | UnsetType = UNSET
    """Why not, as a problem's `code`; left out where it is legal."""
    facts: JsonObject | UnsetType = UNSET
    """The values that explain `code`, such as the card to be beaten; left out where it is legal."""
    text: str | UnsetType = UNSET
    """Why not, as a sentence, where `words` asks for it."""


class PlayAnswer(Struct, frozen=True):
    """The deal after a move, the events, and the result once the deal is over."""

    deal: AnyDeal
    """The deal after the move."""
    events: list[JsonObject]
    """What happened, in order."""
    result: Result | None
    """How the deal ended; null while it goes on."""
    words: PlayWords | UnsetType = UNSET
    """Where `words` asks for them."""


class ViewAnswer(Struct, frozen=True):
    """The part of a deal that a seat, or a spectator, may see."""

    view: AnyView
    """What the seat, or a spectator, may see."""
    words: ViewWords | UnsetType = UNSET
    """Where `words` asks for them."""


# --- computer players' moves


class MoveReason(Struct, frozen=True):
    """Why a move is worth playing: a stable code, and a sentence in the language of the answer."""

    code: str
    """Stable, for programs."""
    text: str
    """A sentence for people, in the language that `Accept-Language` asks for."""


class SearchBudget(Request, frozen=True):
    """How long `hard` may search: so many iterations, so many milliseconds of processor, or until one is used up."""

    iterations: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    """So many hidden deals are drawn and played out at most."""
    ms: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Milliseconds of processor time at most."""


class SuggestRequest(Request, frozen=True):
    """What the seat on turn may see of a deal, and which computer player is asked."""

    view: AnyView
    """What the seat sees, as `view` or a table's `deal` gives it; the view's seat must be on turn."""
    history: list[JsonObject] | UnsetType = UNSET
    """The events of the game since the cards were dealt, oldest first; left out where they are not known."""
    level: ComputerLevel = "hard"
    """How well it plays."""
    seed: Seed | None = None
    """Of the player's chance: with the same seed and a budget of iterations alone, the answer is the same."""
    budget: SearchBudget = SearchBudget()
    """Nothing stands for the time that a computer player has at a table."""


class Suggestion(Struct, frozen=True):
    """A computer player's move, and why."""

    move: JsonObject
    """The move: one of the legal ones."""
    reason: MoveReason
    """Why it is worth playing."""
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    elapsed_ms: Count
    """Milliseconds that it took."""
    text: str | UnsetType = UNSET
    """The label of the move, where `words` asks for it."""


class Hint(Struct, frozen=True):
    """What `hard` would play in the bearer's seat, and why."""

    move: JsonObject
    """The move: one of the legal ones."""
    reason: MoveReason
    """Why it is worth playing."""
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    text: str | UnsetType = UNSET
    """The label of the move, where `words` asks for it."""


class ReviewedMove(Struct, frozen=True):
    """A move of a finished deal, beside the one that `hard` would have played with what the player saw then."""

    number: Count
    """The move's place among all moves of the deal, counted from 0, as in the deal's proof."""
    played: JsonObject
    """The move that was made."""
    best: JsonObject
    """The one that `hard` would have made."""
    cost: Annotated[float, Meta(ge=0)]
    """What the search expects of `best`, less what it expects of `played`: a share of the win, or points."""
    reason: MoveReason
    """Why `best` is worth playing."""
    view: AnyView | None = None
    """What the player saw before the move; only of the moves in `worst`."""
    words: ReviewWords | UnsetType = UNSET
    """The labels of the moves, where `words` asks for them."""


class Review(Struct, frozen=True):
    """The bearer's moves of a finished deal, in their order."""

    moves: list[ReviewedMove]
    """In their order."""
    worst: list[Count]
    """The numbers of up to three moves that cost most, the costliest first."""

    @property
    def as_best(self) -> int:
        """How many moves are those that `hard` would have played."""
        return sum(move.played == move.best for move in self.moves)

    @property
    def costliest(self) -> list[ReviewedMove]:
        """The moves in `worst`, the costliest first."""
        by_number = {move.number: move for move in self.moves}
        return [by_number[number] for number in self.worst]


# --- tables


# Without what has its default, so that engines of earlier releases, which refuse unknown fields, read the rest.
class OpenTable(Request, frozen=True, omit_defaults=True):
    """Opens a table; who opens it is its host, on seat 0."""

    game: str
    """Which game is played there."""
    name: PlayerName
    """The host's name."""
    options: JsonObject = {}
    """The options that differ from the game's defaults."""
    turn_seconds: TurnSeconds | None = None
    """Seconds for a turn of a person; null for no limit."""
    listed: bool = False
    """Whether the table is shown to all in the list of open tables."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False


class ChangeTable(Request, frozen=True):
    """Changes an open table; fields that are left out keep their value. Host only."""

    options: JsonObject | UnsetType = UNSET
    """All of them: those that are left out have the game's defaults."""
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    """Seconds for a turn of a person; null for no limit."""
    listed: bool | UnsetType = UNSET
    """Whether the table is shown to all in the list of open tables."""
    substitute_level: SubstituteLevel | UnsetType = UNSET
    hints: HintsAllowed | UnsetType = UNSET


class SitDown(Request, frozen=True):
    """Takes the next free seat: a person, or (host only) a computer player."""

    name: PlayerName
    """The newcomer's name."""
    kind: Literal["person", "computer"] = "person"
    """Who will play there; a computer player is seated with the host's token."""
    level: Level | None = None
    """Of a computer player; null for `medium`."""
    client_seed: ClientSeed | None = None
    """A person's own share in the coming match's shuffle."""


class SetLevel(Request, frozen=True):
    """Sets the level of a computer player at an open table. Host only."""

    level: ComputerLevel
    """How well it is to play."""


class GiveSeed(Request, frozen=True):
    """Sets a seat's client seed for the next match."""

    client_seed: ClientSeed


class Seat(Struct, frozen=True):
    """A seat of a table."""

    seat: SeatNumber
    """Its number, counted from 0 in order of play."""
    name: str
    """The player's name: plain text, to be escaped where it is shown."""
    kind: Literal["person", "computer"]
    """Who plays there."""
    level: Level | None
    """How well a computer player plays; null for a person."""
    away: bool
    """Whether a computer player holds this person's hand until they come back."""


class Match(Struct, frozen=True):
    """The current match, or the last one once it is over."""

    number: Count
    """Counts from 1: a rematch is the next one."""
    deal: Count
    """The number of the current deal; 0 before the first."""
    points: tuple[int, ...]
    """Of each seat, from the deals that are over; whether many or few are good is the game's."""
    result: Result | None
    """How the match ended; null while it goes on."""
    commitment: Seed
    """SHA-256 of the match's server seed: published before the seats give theirs."""
    server_seed: Seed | None
    """Shown once the match is over."""
    next_commitment: Seed | None
    """The commitment of the rematch, once the match is over."""


class Table(Struct, frozen=True):
    """A table as its viewer sees it: the body of most answers and of every event."""

    id: TableId
    """Unguessable; who has it may watch."""
    game: str
    """Which game is played there."""
    rules: int
    """The version of the game's rules by which the table plays."""
    options: JsonObject
    """The options that differ from the game's defaults."""
    status: Status
    """`open` until the match starts, `playing`, `over` once it has ended or nobody is left."""
    version: Version
    """Grows with each change; the `ETag` of answers and the `id` of events."""
    host: SeatNumber | None
    """The seat that sets options and starts matches; null once no person is left."""
    you: SeatNumber | None
    """The seat of the token that the request came with; null for a spectator."""
    listed: bool
    """Whether the table is shown to all in the list of open tables."""
    seats: tuple[Seat, ...]
    """In order of play."""
    match: Match
    """The match under way, to come, or just over."""
    deal: AnyView | None
    """What the viewer may see of the deal under way; null before the first one."""
    turn_seconds: TurnSeconds | None
    """Seconds for a turn of a person; null for no limit."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When the time of the person on turn is up; null where no time runs."""
    moves: list[JsonObject]
    """The viewer's legal moves, each distinct choice once; of equal ones, the one that `Move` says. Empty when they are
    not on turn.
    """
    events: list[JsonObject]
    """The events of the step that led to this version."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    max_seats: Count | UnsetType = UNSET
    """How many may sit down with these options; servers up to 0.1.0 leave it out."""
    words: TableWords | UnsetType = UNSET
    """The same in sentences, where `words` asks for them."""


class ListedTable(Struct, frozen=True):
    """An open table that anyone may join."""

    id: TableId
    """To look at it and to sit down."""
    game: str
    """Which game is played there."""
    options: JsonObject
    """The options that differ from the game's defaults."""
    host: str
    """The host's name."""
    seats: Count
    """How many have sat down."""
    max_seats: Count
    """How many may."""
    turn_seconds: TurnSeconds | None
    """Seconds for a turn of a person; null for no limit."""


class TablePage(Struct, frozen=True):
    """A page of open listed tables, newest first; `next` is the cursor of the following page."""

    tables: list[ListedTable]
    """Newest first."""
    next: str | None
    """The `cursor` of the following page; null on the last one."""


class Seated(Struct, frozen=True):
    """The table, the seat taken and its token; a computer player's seat has no token."""

    table: Table
    """As the one who sent the request sees it."""
    seat: SeatNumber
    """The seat that was taken."""
    token: Token | None
    """What proves to be that seat, for as long as the table exists; null for a computer player's."""


class PlayMove(Request, frozen=True):
    """A move of the game that is played at the table."""

    move: Raw
    """The move, listed or equal to a listed one; to check it, also a half-made one."""


class Moved(Struct, frozen=True):
    """The table after a step, and the events of the step."""

    table: Table
    """As the mover sees it."""
    events: list[JsonObject]
    """What happened, in order."""


class EventItem(Struct, frozen=True):
    """An event of a table's stream: `gap` where earlier ones are no longer kept."""

    id: Version
    """The table's version after the event."""
    event: Literal["change", "gap"]
    """`gap` where some events before this one are lost."""
    table: Table
    """After the event, as the bearer may see it."""


class EventPage(Struct, frozen=True):
    """The events that are still kept, oldest first."""

    events: list[EventItem]
    """Oldest first: those of the last 32 changes."""


# --- proofs


class PlayedMove(Struct, frozen=True):
    """A move of a finished deal."""

    seat: SeatNumber
    """Who made it."""
    move: JsonObject
    """The move."""


class Proof(Struct, frozen=True):
    """A finished deal with everything that proves its shuffle: the input of the verifier."""

    table: TableId
    """Where it was played."""
    game: str
    """Which game."""
    rules: int
    """The version of the rules by which it was played."""
    match: Count
    """The match's number, counted from 1."""
    deal: Count
    """The deal's number in the match, counted from 1."""
    commitment: Seed
    """As published before the match: compare it with the one that you saw then."""
    server_seed: Seed
    """What the commitment is the SHA-256 of."""
    client_seeds: tuple[str, ...]
    """By seat; empty where none was given."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    start: AnyDeal
    """The deal before its first move: every hand and the order of the stock."""
    moves: list[PlayedMove]
    """All of them, in order."""
    result: Result
    """How the deal ended."""


# --- problems


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error in the format of RFC 9457, with a stable `code`."""

    type: str
    """The address of the page about it, on the server."""
    title: str
    """What is wrong, in a few words and in the language that `Accept-Language` asks for."""
    status: int
    """The status of the answer."""
    code: str
    """Stable, for programs."""
    detail: str = ""
    """What is wrong with this request, in English; for programmers."""
    field: str | None = None
    """The invalid part of the request: a JSON path in the body, or the name of a header or parameter."""
    facts: JsonObject | None = None
    """The facts that explain a refused move."""
    version: int | None = None
    """The current version of the table, where the request expected another one."""
    text: str = ""
    """The problem as a sentence for people, where `words` asks for it."""
