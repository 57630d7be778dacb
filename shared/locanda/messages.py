"""The types of the API's requests and answers; the server, its OpenAPI document and the client derive from them."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from locanda.games.base import Count, Pile, PresetName, Refusal, Result, SeatNumber, Seed, Version
from locanda.games.registry import AnyDeal, AnyView

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose shape depends on the game: its options, a move, an event."""

TABLE_LINK = "/t/{table}"
"""The path of the link to a table that people pass on, below an engine's address."""
LONGEST_NAME = 32
"""Characters."""
UNPRINTABLE = (
    "\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb"
)
"""Characters that names must not contain: controls, line breaks, what cannot be seen, changes of text direction.

The engine has the whole rule, by Unicode's properties: a pattern that every language understands cannot.
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
        description="One line that begins with a visible character, and has no controls, no changes of text direction, "
        "no characters that cannot be seen, and at most four marks on one character.",
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
LONGEST_TURN = 604_800
"""Seconds: a week."""
TurnSeconds = Annotated[int, Meta(ge=1, le=LONGEST_TURN, description="Time for a turn, in seconds; null for no limit.")]
ComputerLevel = Literal["easy", "medium", "hard"]
"""How well a computer player plays: a beginner, an experienced friend who counts cards, or one who also searches."""
COMPUTER_LEVELS: tuple[ComputerLevel, ...] = get_args(ComputerLevel)
OWN_PREFIX = "@"
SIGNING_SECRET = "whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"  # noqa: S105 - a pattern
"""A secret of Standard Webhooks: 24 to 64 bytes in base64, behind the prefix by which people know it for what it is."""
SeatableLevel = Annotated[
    str,
    Meta(
        pattern="^(easy|medium|hard|@[a-z0-9_-]{1,12})(?!\\n)$",
        max_length=13,
        description="`easy`, `medium`, `hard`, or an own player of the server's, such as `@ada`: one of the game's "
        "`levels`.",
    ),
]
"""How a computer player is to play."""
Level = Annotated[
    str,
    Meta(
        pattern="^(easy|medium|hard|plain|@[a-z0-9_-]{1,12})(?!\\n)$",
        max_length=13,
        description="`easy`, `medium`, `hard`, an own player such as `@ada`, or `plain`, the computer player of "
        "release 0.1.0.",
    ),
]
"""The level of a seat: `plain` is for clients and tables of release 0.1.0."""
SubstituteLevel = Annotated[
    ComputerLevel,
    Meta(description="How well computers play for those who left or are away, and turns whose time is up."),
]
HintsAllowed = Annotated[bool, Meta(description="Whether seats may ask for hints.")]
FillSeats = Annotated[
    bool,
    Meta(
        description="Whether computers take the seats of those who leave out a rematch for which too few stay; else it "
        "waits for newcomers."
    ),
]
PileName = Annotated[
    str,
    Meta(
        pattern="^[a-z_]{1,30}(-[0-9]{1,2})?(?!\\n)$",
        max_length=33,
        description="`hand`, or a pile of the game, with its number where there are several: `stock`, `build-0`.",
    ),
]
Language = Literal["it", "en"]
Status = Literal["open", "playing", "over"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of the bodies of requests: unknown fields are refused."""


# --- words: sentences for people, where a request asks for them


class CardWords(Struct, frozen=True):
    """What a card is called."""

    name: str
    """The card's name in full, such as `seven of hearts`."""
    short: str
    """The card's name as it stands in sentences, such as `7♥`."""


class PresetWords(Struct, frozen=True):
    """Options that make a match short, usual or long."""

    preset: PresetName
    """Which of the three lengths of a match."""
    title: str
    """What the preset is called, for people."""
    text: str
    """The options and their values, as a sentence for people."""
    options: dict[str, int]
    """The options to give to a table, with their values."""


class GameWords(Struct, frozen=True):
    """What a game calls its cards, piles and moves, in one language."""

    language: Language
    """The language of the texts."""
    cards: dict[str, CardWords]
    """The names of every card of the game's deck, by the card's code."""
    labels: dict[str, str]
    """Short names of piles, moves and states; each game has always the same keys."""
    levels: dict[str, str]
    """What the levels of computer players and the server's own players are called."""
    presets: list[PresetWords]
    """Options for a short, a usual and a long match."""


class SelectedCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a player selects."""

    pile: PileName = field(name="from")
    """Where the card lies: the hand, or a pile of the mover's."""
    card: Annotated[str, Meta(min_length=1, max_length=16)]
    """The card's code."""


class TakenCard(SelectedCard, frozen=True, omit_defaults=True, forbid_unknown_fields=False):
    """A card that a move takes."""

    equals: list[str] = []
    """Other cards that lie there and do the same: the move may be made with each of them in place of `card`."""


class MoveCards(Struct, frozen=True):
    """The cards that a move takes, and where they go."""

    cards: list[TakenCard]
    """The cards; none for a pass, or for a draw."""
    to: PileName | None
    """The pile that they go to, or that is drawn from; null where it needs not be pointed at."""


class TableWords(Struct, frozen=True):
    """A table in sentences, in one language: only of what its viewer may see, with players' names as plain text."""

    language: Language
    """The language of the texts."""
    title: str
    """The number of the deal in its match; empty where there is only one."""
    turn: str
    """Whose turn it is; for the viewer on turn, also what they have to do. Empty while nobody is."""
    events: list[str | None]
    """What each of `events` says, in one line or several; null for one that says nothing to people."""
    moves: list[str]
    """The label of each of `moves`, in the same order."""
    seats: list[str]
    """What each seat holds and has won; empty without a deal."""
    piles: dict[str, str]
    """What lies on each pile, by its key in `labels`; on a seat's own by `key.seat`, such as `mazzetto.0`."""
    facts: list[str]
    """Sentences about the deal beyond its piles, such as that the order of the cards is upside down."""
    score: list[str]
    """The points of each seat in the match; empty before the first deal."""
    result: list[str]
    """How the deal or the match ended: the winner, then the seats by place; empty while it goes on."""
    options: list[str]
    """The options that are not the game's defaults, one sentence each."""
    ending: str = ""
    """Why the deal, or the last deal of the match, ended, empty while it goes on, or from servers up to 0.1.0."""
    takes: list[MoveCards] = []
    """Which cards each of `moves` takes, in the same order; empty from servers up to 0.1.0."""
    rematch: list[str] = []
    """Who stays for another match, who stops and who is awaited; empty before the first answer."""


class MovesWords(Struct, frozen=True):
    """Moves in words, in one language."""

    language: Language
    """The language of the texts."""
    moves: list[str]
    """The label of each of `moves`, in the same order."""
    takes: list[MoveCards] = []
    """Which cards each of `moves` takes, in the same order; empty from servers up to 0.1.0."""


class PlayWords(Struct, frozen=True):
    """What a move led to, in one language."""

    language: Language
    """The language of the texts."""
    events: list[str | None]
    """What each of `events` says, in one line or several; null for one that says nothing to people."""
    result: list[str]
    """The seats by place, one line each; empty until the deal is over."""


class ViewWords(Struct, frozen=True):
    """A view in sentences, in one language."""

    language: Language
    """The language of the texts."""
    turn: str
    """Whose turn it is; empty once the deal is over."""
    seats: list[str]
    """What each seat holds and has won."""
    piles: dict[str, str]
    """What lies on each pile, as in a table's words."""
    facts: list[str]
    """Sentences about the deal beyond its piles, such as that the order of the cards is upside down."""


class ReviewWords(Struct, frozen=True):
    """A reviewed move in words, in one language."""

    language: Language
    """The language of the texts."""
    played: str
    """The label of the move that was made."""
    best: str
    """The label of the better move."""


# --- the catalogue


class Localized(Struct, frozen=True):
    """A text in both languages."""

    it: str
    """The text in Italian."""
    en: str
    """The text in English."""


class OptionsSchema(Struct, frozen=True):
    """The JSON Schema of a game's options, its titles and descriptions in both languages."""

    it: JsonObject
    """The JSON Schema (2020-12), complete in itself, with Italian titles and descriptions."""
    en: JsonObject
    """The same JSON Schema with English titles and descriptions."""


class Players(Struct, frozen=True):
    """The possible and the suggested numbers of players."""

    min: int
    """The fewest players; options may ask for more."""
    max: int
    """The most players; options may admit fewer."""
    suggested: tuple[int, int]
    """The fewest and the most players with whom the game is best."""


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    game: str
    """The game's name in paths and messages."""
    rules_version: int
    """Grows when the same moves could lead to another deal; `rules` of the tables that are opened now."""
    name: Localized
    """The game's name for people."""
    players: Players
    """How many may play."""
    deck: str
    """The deck that the game is played with."""
    options: OptionsSchema
    """What `options` of a table may be; a choice with `maxPlayers` admits no more players than that."""
    about: Localized = Localized("", "")
    """What the game is, in a paragraph of Markdown; servers of release 0.1.0 do not say."""
    lesson: bool = False
    """Whether the game has a lesson."""
    levels: tuple[SeatableLevel, ...] = COMPUTER_LEVELS
    """How computer players of this game may play here: the three levels of every server, then its own players."""


class GameDetails(GameInfo, frozen=True, kw_only=True):
    """A game of the catalogue with its rules as Markdown."""

    rules: Localized
    """The game's rules, as Markdown."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt from a deal's seed, for verifiers; servers of release 0.1.0 do not say."""
    piles: list[Pile] = []
    """What lies on the table besides hands, for clients that draw any game; empty where only words tell it."""
    several: bool = False
    """Whether a move may take more than one card."""
    words: GameWords | UnsetType = UNSET
    """The game's words in one language, where `words` asks for them."""


class Maintenance(Struct, frozen=True):
    """Work on the server that its operator has announced."""

    begins: Annotated[datetime, Meta(description="When it begins.")]
    ends: Annotated[datetime | None, Meta(description="When it ends; null if that is not known.")]
    text: Annotated[
        str, Meta(description="A sentence about it, to be shown as it is, and asked for again each minute.")
    ]


class Server(Struct, frozen=True):
    """What a server is, and where people elsewhere reach it."""

    release: Annotated[str, Meta(description="The release of Locanda that answers, such as 0.1.0.")]
    public_url: Annotated[
        str | None,
        Meta(description="Where people elsewhere reach this server: links to its tables begin with it. Null for none."),
    ]
    maintenance: Annotated[
        Maintenance | None, Meta(description="What the operator has announced; null for nothing.")
    ] = None
    webhooks: bool = False
    """Whether notices of tables may be sent to servers."""
    push_key: str | None = None
    """The key with which a browser subscribes to pushes, in base64; null where there are none."""


class Catalogue(Struct, frozen=True):
    """All games."""

    games: list[GameInfo]
    """The games, in the order in which they are to be shown."""


# --- the stateless calls


Names = Annotated[
    list[PlayerName],
    Meta(max_length=10, description="The names by seat, for sentences; a seat without one is called by its number."),
]


class DealRequest(Request, frozen=True):
    """The input of a new deal; without a seed, a random one is drawn."""

    seats: Annotated[int, Meta(ge=1, le=10)]
    """The number of players; the game and its options say how many there may be."""
    options: JsonObject = {}
    """The options that differ from the game's defaults."""
    dealer: SeatNumber = 0
    """The seat that deals: the next one begins."""
    seed: Seed | None = None
    """The seed from which the shuffle follows; without one, a random seed is drawn, and the answer's deal has it."""


PersonNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999_999_999)]
RoundTables: TypeAlias = Annotated[
    list[Annotated[list[PersonNumber], Meta(min_length=1, max_length=10)]], Meta(min_length=1, max_length=64)
]
"""The tables of a round, each with its people in the order of their seats."""


class RoundsRequest(Request, frozen=True):
    """What rounds of a tournament are planned from."""

    people: Annotated[list[PersonNumber], Meta(min_length=2, max_length=64)]
    """Those who play on, by numbers of your own; who has dropped out is left out."""
    rounds: Annotated[int, Meta(ge=1, le=12)] = 1
    """How many rounds are to be planned."""
    fewest: Annotated[int, Meta(ge=2, le=10)] = 2
    """The fewest people at a table: the game's."""
    most: Annotated[int, Meta(ge=2, le=10)] = 4
    """The most people at a table: the game's."""
    wanted: Annotated[int, Meta(ge=2, le=10)] = 4
    """How many people at a table are best."""
    played: Annotated[list[RoundTables], Meta(max_length=64)] = []
    """The rounds before, in order; people who have dropped out may be in them."""
    standing: Annotated[list[PersonNumber], Meta(max_length=64)] = []
    """For a last round by standing: everybody of `people`, best first. It is then the only round that is planned."""
    seed: Annotated[str, Meta(max_length=64)] = ""
    """The same request with the same seed has the same answer."""


class RoundsAnswer(Struct, frozen=True):
    """Planned rounds."""

    rounds: list[RoundTables]
    """The rounds that follow. Nobody sits out: where people do not divide evenly, some tables are smaller."""
    repetitions: Count
    """How many of the meetings at their tables are not the first of two people, those of `played` included."""


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


class Selection(Request, frozen=True):
    """Cards that a player has selected, and the pile that was pointed at."""

    cards: Annotated[list[SelectedCard], Meta(max_length=60)]
    """The cards, in the order in which they were selected."""
    to: PileName | None = None
    """The pile that they are to go to; null for none."""


class CheckRequest(Request, frozen=True):
    """A deal, and a move in it or cards that the seat on turn has selected: one of the two."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""
    move: Raw | UnsetType = UNSET
    """The move of the seat on turn, listed or not; also a half-made one."""
    selection: Selection | UnsetType = UNSET
    """The cards that the seat on turn has selected, and where they are to go."""
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
    """The moves in words, where `words` asks for them."""


class Verdict(Struct, frozen=True):
    """Whether a move is legal; if not, a stable code and the facts that explain it."""

    legal: bool
    """Whether the move may be made, listed among the legal ones or equal to one that is."""
    code: str | UnsetType = UNSET
    """The `code` of the problem that refuses the move; left out where it is legal."""
    facts: JsonObject | UnsetType = UNSET
    """The values that explain `code`, such as the card to be beaten; left out where the move is legal."""
    text: str | UnsetType = UNSET
    """The reason for the refusal, as a sentence, where `words` asks for it."""
    meant: JsonObject | UnsetType = UNSET
    """Of a selection: the move that is legal, or refused; perhaps a half-made one."""
    others: list[Refusal] | UnsetType = UNSET
    """Of a selection: why the other moves are refused that it can mean."""


class PlayAnswer(Struct, frozen=True):
    """The deal after a move, the events, and the result once the deal is over."""

    deal: AnyDeal
    """The deal after the move."""
    events: list[JsonObject]
    """What happened, in order."""
    result: Result | None
    """How the deal ended; null while it goes on."""
    words: PlayWords | UnsetType = UNSET
    """The events and the result in sentences, where `words` asks for them."""


class ViewAnswer(Struct, frozen=True):
    """The part of a deal that a seat, or a spectator, may see."""

    view: AnyView
    """What the seat, or a spectator, may see."""
    words: ViewWords | UnsetType = UNSET
    """The view in sentences, where `words` asks for them."""


# --- play-outs

PlayoutPlayer = Literal["random", "easy", "medium"]
PlayoutPart = Literal["deal", "events", "moves", "views"]


class Playout(Request, frozen=True):
    """A deal that is played, from a deal or from a start, one of the two: first by your moves, then by others."""

    deal: AnyDeal | UnsetType = UNSET
    """The deal: as an answer gave it, or a position of your own."""
    start: DealRequest | UnsetType = UNSET
    """A deal that is dealt here; without a seed, another one each time."""
    moves: list[Raw] = []
    """The moves that are made first, in order, each by the seat on turn."""
    then: PlayoutPlayer | None = None
    """Who plays on for all seats: `random` legal moves, or computer players of a level; null for nobody."""
    steps: Annotated[int, Meta(ge=1, le=100_000)] | UnsetType = UNSET
    """How many moves they make at most; left out, they play to the end."""
    times: Annotated[int, Meta(ge=1, le=1000)] = 1
    """How often this is done, each time with other random choices."""


class PlayoutsRequest(Request, frozen=True):
    """Deals that are to be played, and what is to be shown of them at their ends."""

    playouts: Annotated[list[Playout], Meta(min_length=1, max_length=1000)]
    """What is to be played, in this order."""
    show: list[PlayoutPart] = []
    """What is shown of each besides its result: the `deal`, the `events` of all its steps, the legal `moves` of the
    seat on turn, the `views` of all seats.
    """
    seed: Seed | None = None
    """The seed of random choices and of deals without a seed: with it the answer is always the same, as far as it goes.
    """


class PlayoutRefusal(Struct, frozen=True):
    """Why a move that was to be made could not be."""

    at: Count
    """The move's place in `moves`, counted from 0; it and those after it were not made."""
    code: str
    """The `code` of the problem that refuses the move."""
    facts: dict[str, Any]
    """The values that explain `code`."""


class PlayoutEnd(Struct, frozen=True, kw_only=True):
    """How a play-out ended: at the end of the deal, of its steps, at a refused move, or where the work was enough."""

    playout: Count
    """Which of the request's `playouts` it was, counted from 0."""
    done: bool
    """Whether it went as far as was asked for; if not, the work was enough, and `deal` is where to go on from."""
    steps: Count
    """How many moves were made."""
    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    result: Result | None
    """How the deal ended; null while it goes on."""
    refusal: PlayoutRefusal | UnsetType = UNSET
    """Why one of `moves` could not be made; left out where all were."""
    deal: AnyDeal | UnsetType = UNSET
    """The deal, where `show` asks for it or there is more to do."""
    moves: list[JsonObject] | UnsetType = UNSET
    """The legal moves, where `show` asks for them."""
    events: list[JsonObject] | UnsetType = UNSET
    """What happened in all steps, where `show` asks for it."""
    views: list[AnyView] | UnsetType = UNSET
    """What each seat sees, by seat, where `show` asks for it."""


class PlayoutsAnswer(Struct, frozen=True):
    """How the play-outs ended, and how many were not begun since the work was enough."""

    playouts: list[PlayoutEnd]
    """The ends, in the order of the request, each repetition by itself."""
    left: Count
    """How many of the last ones were not begun: send them again."""


# --- lessons


class LessonMoment(Struct, frozen=True):
    """A moment of a lesson's deal: what has just happened, and what the learner sees, as at a table."""

    deal: AnyDeal
    """The deal, hidden cards included: `/check` says of it why another move is refused."""
    view: AnyView
    """What the learner may see of the deal."""
    moves: list[JsonObject]
    """The learner's legal moves; empty when they are not on turn."""
    events: list[JsonObject]
    """The events of the move that led to this moment; none at the start."""
    words: TableWords
    """The moment in sentences, as those of a table."""


class LessonStep(Struct, frozen=True):
    """A move of the learner, what is explained before it, and what follows it."""

    text: str
    """What is explained before the move; empty where there is nothing new."""
    move: JsonObject
    """The move that the learner is to make."""
    label: str
    """The move in a few words."""
    allowed: str
    """What to say to another move that is legal: that it is, and which one the lesson waits for."""
    then: list[LessonMoment]
    """The deal after the learner's move, and after each move of the others until the learner is on turn again."""


class Lesson(Struct, frozen=True):
    """A lesson: a deal whose cards and moves are known beforehand, played by one who learns the game."""

    game: str
    """The game that is taught."""
    language: Language
    """The language of the texts."""
    you: SeatNumber
    """The seat of the learner."""
    names: list[str]
    """The name of each seat, as the texts have it."""
    start: LessonMoment
    """The deal before the first move; the learner is on turn."""
    steps: list[LessonStep]
    """The learner's moves, to the end of the deal."""
    end: str
    """What there is to say about the end of the deal."""


# --- computer players' moves


class MoveReason(Struct, frozen=True):
    """Why a move is worth playing: a stable code, and a sentence in the language of the answer."""

    code: str
    """The reason's stable name, for programs."""
    text: str
    """A sentence for people, in the language that `Accept-Language` asks for."""


class SearchBudget(Request, frozen=True):
    """How long `hard` may search: so many iterations, so many milliseconds of processor, or until one is used up."""

    iterations: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    """The most hidden deals that are drawn and played out."""
    ms: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """The most processor time, in milliseconds."""


class SuggestRequest(Request, frozen=True):
    """What the seat on turn may see of a deal, and which computer player is asked."""

    view: AnyView
    """What the seat sees, as `view` or a table's `deal` gives it; the view's seat must be on turn."""
    history: list[JsonObject] | UnsetType = UNSET
    """The events of the game since the cards were dealt, oldest first; left out where they are not known."""
    level: ComputerLevel = "hard"
    """How well the computer player plays."""
    seed: Seed | None = None
    """The seed of the search's random choices: with it and a budget of iterations alone, the answer never changes."""
    budget: SearchBudget = SearchBudget()
    """How long the search may take; left out, as long as a computer player's at a table."""
    moves: list[JsonObject] | UnsetType = UNSET
    """The legal moves, which engines tell own players; not read here."""


class Suggestion(Struct, frozen=True):
    """A computer player's move, and why."""

    move: JsonObject
    """The move: one of the legal ones."""
    reason: MoveReason
    """Why it is worth playing."""
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    elapsed_ms: Count
    """How long the suggestion took, in milliseconds."""
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
    """The move that `hard` would have made."""
    cost: Annotated[float, Meta(ge=0)]
    """How much more `best` is worth than `played`, as a share of the win, or as the game's points count beside it.

    0 where `played` is not surely worse: by two standard errors, and by a twentieth of a win.
    """
    reason: MoveReason
    """Why `best` is worth playing."""
    view: AnyView | None = None
    """What the player saw before the move; only of the moves in `worst`."""
    words: ReviewWords | UnsetType = UNSET
    """The labels of the moves, where `words` asks for them."""


class Review(Struct, frozen=True):
    """The bearer's moves of a finished deal, in their order."""

    moves: list[ReviewedMove]
    """The bearer's moves, in the order in which they were made."""
    worst: list[Count]
    """The `number` of each of up to three moves that cost most, the costliest first."""

    @property
    def as_good(self) -> int:
        """How many moves are as good as those that `hard` would have played."""
        return sum(not move.cost for move in self.moves)

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
    """Whether the table is shown to all: open, to whoever may join, and in play, to whoever may watch."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True


class ChangeTable(Request, frozen=True):
    """Changes an open table; fields that are left out keep their value. Host only."""

    options: JsonObject | UnsetType = UNSET
    """All options of the table: those that are left out get the game's defaults."""
    turn_seconds: TurnSeconds | UnsetType | None = UNSET
    """Seconds for a turn of a person; null for no limit."""
    listed: bool | UnsetType = UNSET
    """Whether the table is shown to all: open, to whoever may join, and in play, to whoever may watch."""
    substitute_level: SubstituteLevel | UnsetType = UNSET
    hints: HintsAllowed | UnsetType = UNSET
    fill_seats: FillSeats | UnsetType = UNSET


class OwnServer(Request, frozen=True):
    """A server that chooses moves: it is sent what `suggest` is sent, and answers with the `move`."""

    url: Annotated[str, Meta(pattern="^https?://[^\\s/?#@]+([/?][^\\s#]*)?(?!\\n)$", max_length=500)]
    """Its address; nobody is told of it."""
    secret: Annotated[str, Meta(pattern=f"^{SIGNING_SECRET}(?!\\n)$", max_length=100)] | None = None
    """With which requests to it are signed, after Standard Webhooks; null for not at all."""


class SitDown(Request, frozen=True, omit_defaults=True):
    """Takes the next free seat: a person, or (host only) a computer player."""

    name: PlayerName
    """The newcomer's name. A computer player gets a number behind it where it looks like another one at the table."""
    kind: Literal["person", "computer"] = "person"
    """Whether a person or a computer player sits down; a computer player is seated with the host's token."""
    level: Level | None = None
    """How the computer player plays; null for `medium`, and for a person."""
    client_seed: ClientSeed | None = None
    """A person's own share in the coming match's shuffle."""
    server: OwnServer | None = None
    """The server of an own player that `level` names, for this table alone, where the engine's host lets people bring
    their own; null for one of the game's `levels`."""


class SetLevel(Request, frozen=True):
    """Sets the level of a computer player at an open table. Host only."""

    level: SeatableLevel
    """How the computer player is to play."""


class SetName(Request, frozen=True):
    """Gives a seat another name, at an open table, during a match or after it."""

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
    """Who stays for the match after the one that is over: it begins once no answer is null, or at the deadline."""

    answers: tuple[bool | None, ...]
    """By seat, whether the player stays; null for a person who has not answered. Computer players always stay."""
    newcomers: tuple[str, ...]
    """The names of people who have sat down for it. Their seats have the numbers after those of `seats`."""
    you: Count | None
    """The viewer's place among the newcomers, counted from 0; null for others."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When it begins at the latest, in UTC; null while nobody of the match stays, and where too few do."""


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
        """Whether a server of somebody's chooses for this seat: such matches count in no rating."""
        return self.level is not None and self.level.startswith(OWN_PREFIX)


class PastDeal(Struct, frozen=True):
    """A deal of a match that is over."""

    deal: Count
    """Its number in the match, counted from 1."""
    points: tuple[int, ...]
    """The points of each seat in the match after it."""
    over: JsonObject
    """The game's `deal_over` event: the deal's result, and what the game tells of its end."""


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
    """The deals of the match that are over, the last 20 at most, oldest first; left out where there is none."""


class Table(Struct, frozen=True):
    """A table as its viewer sees it: the body of most answers and of every event."""

    id: TableId
    """The table's id: who has it may watch."""
    game: str
    """Which game is played there."""
    rules: int
    """The version of the game's rules by which the table plays."""
    options: JsonObject
    """The options that differ from the game's defaults."""
    status: Status
    """`open` until the match starts, `playing`, `over` once it has ended or nobody is left."""
    version: Version
    """The table's version: it grows with each change, and is the `ETag` of answers and the `id` of events."""
    host: SeatNumber | None
    """The seat that sets options and starts matches; null once no person is left."""
    you: SeatNumber | None
    """The seat of the token that the request came with; null for a spectator."""
    listed: bool
    """Whether the table is shown to all: open, to whoever may join, and in play, to whoever may watch."""
    seats: tuple[Seat, ...]
    """The table's seats, in order of play."""
    match: Match
    """The match under way, to come, or just over."""
    deal: AnyView | None
    """What the viewer may see of the deal under way; null before the first one."""
    turn_seconds: TurnSeconds | None
    """Seconds for a turn of a person; null for no limit."""
    deadline: Annotated[datetime, Meta(tz=True)] | None
    """When the time of the person on turn is up, in UTC; null where no time runs."""
    moves: list[JsonObject]
    """The viewer's legal moves, each distinct choice once; of equal ones, the one that `Move` says. Empty when they are
    not on turn.
    """
    events: list[JsonObject]
    """The events of the step that led to this version."""
    substitute_level: SubstituteLevel = "medium"
    hints: HintsAllowed = False
    fill_seats: FillSeats = True
    rematch: Rematch | None = None
    """Who stays for another match; null unless one is over."""
    max_seats: Count | UnsetType = UNSET
    """How many may sit down with these options; servers up to 0.1.0 leave it out."""
    words: TableWords | UnsetType = UNSET
    """The table in sentences, where `words` asks for them."""


class ListedTable(Struct, frozen=True):
    """A listed table: an open one that anyone may join, or one in play that anyone may watch."""

    id: TableId
    """The table's id, to look at it and to sit down."""
    game: str
    """Which game is played there."""
    options: JsonObject
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
    """The table after the step, as the one who sent the request sees it."""
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
    """The cards that the player has selected, and where they are to go."""


class Moved(Struct, frozen=True):
    """The table after a step, and the events of the step."""

    table: Table
    """The table after the move, as the mover sees it."""
    events: list[JsonObject]
    """What happened, in order."""


RemarkName = Literal[
    "nice",
    "well_played",
    "lucky",
    "your_turn",
    "thinking",
    "congratulations",
    "applause",
    "laughter",
    "tears",
    "amazement",
]
"""What may be said at a table: these alone, so that nobody can tell of cards."""


class MakeRemark(Request, frozen=True):
    """Says something from one's seat."""

    remark: RemarkName
    """What is said: one of the fixed remarks, which `GET /v1/remarks` has in words."""


class Remark(Struct, frozen=True):
    """What somebody has said at the table. It changes nothing there, and is kept nowhere."""

    seat: SeatNumber
    """Who says it."""
    remark: RemarkName
    """What they say."""


class RemarkWords(Struct, frozen=True):
    """A remark as people say it."""

    remark: RemarkName
    """The remark's name."""
    text: str
    """What is said; of a sign, its name."""
    sign: str
    """What is shown in the place of the text; empty for a phrase."""


class Remarks(Struct, frozen=True):
    """What may be said at a table."""

    remarks: list[RemarkWords]
    """The phrases, then the signs, in the order in which they are to be shown."""


class EventItem(Struct, frozen=True):
    """An event of a table's stream: `gap` where earlier ones are no longer kept."""

    id: Version
    """The table's version after the event."""
    event: Literal["change", "gap"]
    """`gap` where some events before this one are lost."""
    table: Table
    """The table after the event, as the bearer may see it."""


class EventPage(Struct, frozen=True):
    """The events that are still kept, oldest first."""

    events: list[EventItem]
    """The events of the last 32 changes, the oldest first."""


# --- proofs


class PlayedMove(Struct, frozen=True):
    """A move of a finished deal."""

    seat: SeatNumber
    """The seat that made the move."""
    move: JsonObject
    """The move that was made."""


class Proof(Struct, frozen=True, kw_only=True):
    """A finished deal with everything that proves its shuffle: the input of the verifier."""

    table: TableId
    """The id of the table where the deal was played."""
    game: str
    """The game's name."""
    rules: int
    """The version of the rules by which it was played."""
    match: Count
    """The match's number, counted from 1."""
    deal: Count
    """The deal's number in the match, counted from 1."""
    commitment: Seed
    """The match's commitment: compare it with the one that you saw before the match."""
    server_seed: Seed
    """The match's server seed, which the commitment was made of."""
    client_seeds: tuple[str, ...]
    """The client seed of each seat; empty where none was given."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt, as in the game's details; servers of release 0.1.0 do not say."""
    start: AnyDeal
    """The deal before its first move: every hand and the order of the stock."""
    moves: list[PlayedMove]
    """All moves of the deal, in order."""
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
    """The HTTP status of the answer."""
    code: str
    """The problem's stable name, for programs; `/problems` explains each."""
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


class ProblemDescription(Struct, frozen=True):
    """What a problem means, and what to do about it, in the language of the answer."""

    code: str
    """The problem's stable name, for programs."""
    status: int
    """The HTTP status of the answers that bring it."""
    title: str
    """What is wrong, in a few words."""
    explanation: str
    """When it comes."""
    remedy: str
    """What to do about it."""


class ProblemDescriptions(Struct, frozen=True):
    """Every problem of the API."""

    problems: list[ProblemDescription]
    """The problems, by status."""


# --- subscriptions

NoticeType = Literal["turn", "over", "closed", "invitation", "evening"]
"""What a notice is of: a turn has come, a match is over, the table is closed; the table's people meet again within a
day, or within half an hour."""
SubscriptionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22, description="A subscription's id.")]
WebhookUrl = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^https?://[A-Za-z0-9.\[\]:-]{1,260}([/?][!-\"$-~]*)?$",
        description="Where notices are sent: https, without user, password and fragment.",
    ),
]


class PushBrowser(Request, frozen=True):
    """A browser that takes pushes: its `PushSubscription`."""

    endpoint: WebhookUrl
    """Its address at a push service."""
    p256dh: Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]
    """Its public key, in base64."""
    auth: Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]+=*$")]
    """The secret that it shares, in base64."""


class Subscribe(Request, frozen=True):
    """Has notices of a table sent to a URL, or pushed to a browser: exactly one of them is given."""

    url: WebhookUrl | UnsetType = UNSET
    """Where they are sent."""
    browser: PushBrowser | UnsetType = UNSET
    """To which browser they are pushed."""
    language: Language = "en"
    """In which language a push is."""
    types: Annotated[tuple[NoticeType, ...], Meta(min_length=1, max_length=5)] = ("turn", "over", "closed")
    """Which notices are sent."""
    whole_table: bool = False
    """Whether every person's turn is a notice, not just those of one's own seat."""


class TableSubscription(Struct, frozen=True):
    """Where notices of a table go, and which."""

    id: SubscriptionId
    """The subscription's id."""
    url: str | None
    """Where they are sent; null for a browser."""
    types: list[NoticeType]
    """Which notices are sent."""
    whole_table: bool
    """Whether every person's turn is one."""


class Subscribed(Struct, frozen=True):
    """A subscription, and the secret by which its receiver knows who sends."""

    subscription: TableSubscription
    """The subscription as it is now."""
    secret: str | None
    """The secret of the signatures, `whsec_` and base64, as Standard Webhooks have it: shown this once. Null for a
    browser."""


class SubscriptionList(Struct, frozen=True):
    """The subscriptions of a seat."""

    subscriptions: list[TableSubscription]
    """All that the seat has."""


class SetEvening(Request, frozen=True):
    """When the people of a table meet again."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    """What they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When it begins, at most 35 days ahead; null for no evening, or for one that is called off."""


class NextEvening(Struct, frozen=True):
    """When the people of a table meet again."""

    game: str
    """What they will play."""
    at: Annotated[datetime, Meta(tz=True)] | None
    """When it begins, in UTC; null for no evening."""


class NoticeData(Struct, frozen=True, omit_defaults=True):
    """What has happened at a table. Whoever wants to know more looks at it."""

    table: TableId
    """The table at which it happened."""
    version: Count | None = None
    """The table's version at which it happened; left out of a table that has expired, as is all below."""
    game: str | None = None
    """The game that is played."""
    match: Count | None = None
    """The number of the match, counted from 1."""
    deal: Count | None = None
    """The number of the deal in the match, counted from 1; left out before the first one."""
    seat: SeatNumber | None = None
    """The seat whose turn has come; left out of other notices."""
    at: Annotated[datetime, Meta(tz=True)] | None = None
    """When the table's people meet again, in UTC; left out of notices of other things than an evening."""


class WebhookNotice(Struct, frozen=True):
    """The body of a webhook. Its header `webhook-id` is the same whenever it is sent again."""

    type: NoticeType
    """What has happened."""
    timestamp: Annotated[datetime, Meta(tz=True)]
    """When it happened, in UTC."""
    data: NoticeData
    """Where and when it happened."""
