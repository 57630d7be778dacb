"""The stateless calls: deal, check, play, view; tables of rounds; many deals in one call."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from locanda.games.base import Count, Refusal, Result, SeatNumber, Seed
from locanda.games.registry import AnyDeal, AnyView
from locanda.messages.values import AnyOptions, GivenMove, JsonObject, PileName, PlayerName, Request
from locanda.messages.words import MovesWords, PlayWords, SelectedCard, ViewWords

Names = Annotated[
    list[PlayerName],
    Meta(max_length=10, description="The names by seat, for sentences; a seat without one is called by its number."),
]


class DealRequest(Request, frozen=True):
    """The input of a new deal; without a seed, a random one is drawn."""

    seats: Annotated[int, Meta(ge=1, le=10)]
    """The number of players; the game and its options say how many there may be."""
    options: AnyOptions = {}
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
    """Input for the plan of a tournament's rounds."""

    people: Annotated[list[PersonNumber], Meta(min_length=2, max_length=64)]
    """The people who play on, by numbers of your own; leave out people who have dropped out."""
    rounds: Annotated[int, Meta(ge=1, le=12)] = 1
    """The number of rounds to plan."""
    fewest: Annotated[int, Meta(ge=2, le=10)] = 2
    """The fewest people at a table: the game's."""
    most: Annotated[int, Meta(ge=2, le=10)] = 4
    """The most people at a table: the game's."""
    wanted: Annotated[int, Meta(ge=2, le=10)] = 4
    """How many people at a table are best."""
    played: Annotated[list[RoundTables], Meta(max_length=64)] = []
    """The earlier rounds, in order; they may include people who have dropped out."""
    standing: Annotated[list[PersonNumber], Meta(max_length=64)] = []
    """For a last round by standing: all of `people`, best first. Only this round is planned."""
    seed: Annotated[str, Meta(max_length=64)] = ""
    """The same request with the same seed has the same answer."""


class RoundsAnswer(Struct, frozen=True):
    """Planned rounds."""

    rounds: list[RoundTables]
    """The next rounds. Everybody plays: if people do not divide evenly, some tables are smaller."""
    repetitions: Count
    """The number of repeated meetings at their tables, including those of `played`."""


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
    moves: bool | UnsetType = UNSET
    """Whether the answer has the legal moves after it, so that a step of a program is one request."""


class Selection(Request, frozen=True):
    """Cards that a player has selected, and the pile that was pointed at."""

    cards: Annotated[list[SelectedCard], Meta(max_length=60)]
    """The cards, in the order in which they were selected."""
    to: PileName | None = None
    """Their target pile; null for none."""


class CheckRequest(Request, frozen=True):
    """A deal, and a move in it or cards that the seat on turn has selected: one of the two."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""
    move: Raw | UnsetType = UNSET
    """The move of the seat on turn, listed or not; also a half-made one."""
    selection: Selection | UnsetType = UNSET
    """The cards that the seat on turn has selected, and their target."""
    names: Names | UnsetType = UNSET


class ViewRequest(Request, frozen=True):
    """A deal and its viewer: a seat, or null for a spectator."""

    deal: AnyDeal
    """The deal: as an answer gave it, or a position of your own."""
    seat: SeatNumber | None
    """The seat of the requested view; null for a spectator's."""
    names: Names | UnsetType = UNSET


class LegalMoves(Struct, frozen=True):
    """The seat on turn and its legal moves; null and none once the deal is over."""

    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    moves: list[GivenMove]
    """Every legal move, each distinct choice once, in a fixed order; of equal ones, the one that `Move` says."""
    words: MovesWords | UnsetType = UNSET
    """The moves in words, if `words` asks for them."""


class Verdict(Struct, frozen=True):
    """Whether a move is legal; if not, a stable code and the facts that explain it."""

    legal: bool
    """Whether the move may be made, listed among the legal ones or equal to one that is."""
    code: str | UnsetType = UNSET
    """The `code` of the problem that refuses the move; left out if it is legal."""
    facts: JsonObject | UnsetType = UNSET
    """The values that explain `code`, such as the card to be beaten; left out if the move is legal."""
    text: str | UnsetType = UNSET
    """The reason for the refusal, as a sentence, if `words` asks for it."""
    meant: GivenMove | UnsetType = UNSET
    """For a selection: the legal or refused move; perhaps a half-made one."""
    others: list[Refusal] | UnsetType = UNSET
    """For a selection: the refusals of its other possible moves."""


class PlayAnswer(Struct, frozen=True):
    """The deal after a move, the events, and the result once the deal is over."""

    deal: AnyDeal
    """The deal after the move."""
    events: list[JsonObject]
    """The events, in order."""
    result: Result | None
    """How the deal ended; null while it goes on."""
    moves: list[GivenMove] | UnsetType = UNSET
    """Every legal move of the seat that is on turn now, if `moves` asks for them; empty once the deal is over."""
    words: PlayWords | UnsetType = UNSET
    """The events and the result in sentences, if `words` asks for them."""


class ViewAnswer(Struct, frozen=True):
    """The part of a deal that a seat, or a spectator, may see."""

    view: AnyView
    """The view of the seat, or of a spectator."""
    words: ViewWords | UnsetType = UNSET
    """The view in sentences, if `words` asks for them."""


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
    """How all seats play on: `random` legal moves, or computer players of a level; null to stop there."""
    steps: Annotated[int, Meta(ge=1, le=100_000)] | UnsetType = UNSET
    """How many moves they make at most; left out, they play to the end."""
    times: Annotated[int, Meta(ge=1, le=1000)] = 1
    """How often this is done, each time with other random choices."""


class PlayoutsRequest(Request, frozen=True):
    """Deals to play, and the parts of their ends to return."""

    playouts: Annotated[list[Playout], Meta(min_length=1, max_length=1000)]
    """The play-outs, in order."""
    show: list[PlayoutPart] = []
    """Parts to return of each besides its result: the `deal`, the `events` of all its steps, the legal `moves` of the
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
    """How a play-out ended: at the end of the deal, of its steps, at a refused move, or if the work was enough."""

    playout: Count
    """Which of the request's `playouts` it was, counted from 0."""
    done: bool
    """Whether it is complete; if not, the work limit was reached, and `deal` is the point from which to continue."""
    steps: Count
    """How many moves were made."""
    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    result: Result | None
    """How the deal ended; null while it goes on."""
    refusal: PlayoutRefusal | UnsetType = UNSET
    """Why one of `moves` could not be made; left out if all were."""
    deal: AnyDeal | UnsetType = UNSET
    """The deal, if `show` asks for it or there is more to do."""
    moves: list[GivenMove] | UnsetType = UNSET
    """The legal moves, if `show` asks for them."""
    events: list[JsonObject] | UnsetType = UNSET
    """The events of all steps, if `show` asks for them."""
    views: list[AnyView] | UnsetType = UNSET
    """The view of each seat, if `show` asks for it."""


class PlayoutsAnswer(Struct, frozen=True):
    """How the play-outs ended, and how many were not begun since the work was enough."""

    playouts: list[PlayoutEnd]
    """The ends, in the order of the request, each repetition by itself."""
    left: Count
    """How many of the last ones were not begun: send them again."""
