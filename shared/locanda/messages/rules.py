"""Messages of the stateless calls: deals, checks, moves, views, play-outs, and the tables of tournament rounds."""

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
    """Input of a new deal; without a seed, a random one is drawn."""

    seats: Annotated[int, Meta(ge=1, le=10)]
    """Number of players. The game and its options limit it."""
    options: AnyOptions = {}
    """Options that differ from the game's defaults."""
    dealer: SeatNumber = 0
    """The dealer; the next seat begins."""
    seed: Seed | None = None
    """Seed of the shuffle. By default a random seed is drawn, and the deal in the response contains it."""


PersonNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999_999_999)]
RoundTables: TypeAlias = Annotated[
    list[Annotated[list[PersonNumber], Meta(min_length=1, max_length=10)]], Meta(min_length=1, max_length=64)
]
"""The tables of a round, each with its people in order of their seats."""


class RoundsRequest(Request, frozen=True):
    """Input for planning the rounds of a tournament."""

    people: Annotated[list[PersonNumber], Meta(min_length=2, max_length=64)]
    """People who still play, by numbers of your choice, without those who have dropped out."""
    rounds: Annotated[int, Meta(ge=1, le=12)] = 1
    """Number of rounds to plan."""
    fewest: Annotated[int, Meta(ge=2, le=10)] = 2
    """The fewest people at a table, as the game allows."""
    most: Annotated[int, Meta(ge=2, le=10)] = 4
    """The most people at a table, as the game allows."""
    wanted: Annotated[int, Meta(ge=2, le=10)] = 4
    """Preferred number of people at a table."""
    played: Annotated[list[RoundTables], Meta(max_length=64)] = []
    """Earlier rounds, in order; they may include people who have dropped out."""
    standing: Annotated[list[PersonNumber], Meta(max_length=64)] = []
    """All `people`, best first, to plan a last round by standing. Then only this round is planned."""
    seed: Annotated[str, Meta(max_length=64)] = ""
    """The same request with the same seed gets the same response."""


class RoundsAnswer(Struct, frozen=True):
    """Planned rounds."""

    rounds: list[RoundTables]
    """The planned rounds. Everybody plays; if people do not divide evenly, some tables are smaller."""
    repetitions: Count
    """Number of repeated meetings at tables, including those of `played`."""


class DealBody(Request, frozen=True):
    """A deal with all hidden cards."""

    deal: AnyDeal
    """The deal, from an earlier response or composed by you."""


class MoveRequest(Request, frozen=True):
    """A deal and a move in it."""

    deal: AnyDeal
    """The deal, from an earlier response or composed by you."""
    move: Raw
    """The move of the seat on turn; it need not be one that the engine lists."""
    names: Names | UnsetType = UNSET
    moves: bool | UnsetType = UNSET
    """Whether the response also has the next legal moves, to save a request."""


class Selection(Request, frozen=True):
    """Cards that a player has selected, and the pile that they chose as the target."""

    cards: Annotated[list[SelectedCard], Meta(max_length=60)]
    """The cards, in the order in which they were selected."""
    to: PileName | None = None
    """The target pile; null if there is none."""


class CheckRequest(Request, frozen=True):
    """A deal, and either a move or the cards that the seat on turn has selected."""

    deal: AnyDeal
    """The deal, from an earlier response or composed by you."""
    move: Raw | UnsetType = UNSET
    """The move of the seat on turn; it may be incomplete."""
    selection: Selection | UnsetType = UNSET
    """The cards that the seat on turn has selected, and their target."""
    names: Names | UnsetType = UNSET


class ViewRequest(Request, frozen=True):
    """A deal and the viewer: a seat, or null for a spectator."""

    deal: AnyDeal
    """The deal, from an earlier response or composed by you."""
    seat: SeatNumber | None
    """The seat of the view; null for a spectator's view."""
    names: Names | UnsetType = UNSET


class LegalMoves(Struct, frozen=True):
    """The seat on turn and its legal moves; once the deal is over, null and an empty list."""

    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    moves: list[GivenMove]
    """All legal moves, each distinct choice once, in a fixed order; of equal ones, the game's `Move` says which is
    listed."""
    words: MovesWords | UnsetType = UNSET
    """The moves in words; only with `words`."""


class Verdict(Struct, frozen=True):
    """Whether a move is legal; if not, a stable code and facts that explain why."""

    legal: bool
    """Whether the move is legal: it is listed, or equal to a listed move."""
    code: str | UnsetType = UNSET
    """The `code` of the problem that refuses the move; left out if the move is legal."""
    facts: JsonObject | UnsetType = UNSET
    """Facts that explain `code`, such as the card to beat; left out if the move is legal."""
    text: str | UnsetType = UNSET
    """The reason for the refusal as a sentence; only with `words`."""
    meant: GivenMove | UnsetType = UNSET
    """For a selection, the move that it means, legal or not; it may be incomplete."""
    others: list[Refusal] | UnsetType = UNSET
    """For a selection, the refusals of other moves that it could mean."""


class PlayAnswer(Struct, frozen=True):
    """The deal after a move, its events, and the result if the deal is over."""

    deal: AnyDeal
    """The deal after the move."""
    events: list[JsonObject]
    """The events of the move, in order."""
    result: Result | None
    """The result of the deal; null until it is over."""
    moves: list[GivenMove] | UnsetType = UNSET
    """The next legal moves, if the request's `moves` is true; empty once the deal is over."""
    words: PlayWords | UnsetType = UNSET
    """The events and the result in sentences; only with `words`."""


class ViewAnswer(Struct, frozen=True):
    """The part of a deal that a seat or a spectator may see."""

    view: AnyView
    """The view of the seat, or of a spectator."""
    words: ViewWords | UnsetType = UNSET
    """The view in sentences; only with `words`."""


PlayoutPlayer = Literal["random", "easy", "medium"]
PlayoutPart = Literal["deal", "events", "moves", "views"]


class Playout(Request, frozen=True):
    """A deal to play, given by either `deal` or `start`: first with your moves, then with chosen ones."""

    deal: AnyDeal | UnsetType = UNSET
    """The deal, from an earlier response or composed by you."""
    start: DealRequest | UnsetType = UNSET
    """A new deal to play; without a seed, a different one each time."""
    moves: list[Raw] = []
    """Moves to make first, in order, each by the seat on turn."""
    then: PlayoutPlayer | None = None
    """How all seats continue: `random` legal moves, or computer players of a level; null to stop after `moves`."""
    steps: Annotated[int, Meta(ge=1, le=100_000)] | UnsetType = UNSET
    """The most moves to continue with; by default to the end of the deal."""
    times: Annotated[int, Meta(ge=1, le=1000)] = 1
    """Number of repetitions, each with different random choices."""


class PlayoutsRequest(Request, frozen=True):
    """Deals to play, and what to return about each."""

    playouts: Annotated[list[Playout], Meta(min_length=1, max_length=1000)]
    """The play-outs, in order."""
    show: list[PlayoutPart] = []
    """Parts to return for each, in addition to its result: the `deal`, the `events` of all moves, the legal `moves` of
    the seat on turn, the `views` of all seats."""
    seed: Seed | None = None
    """Seed for random choices and for deals without a seed. With it, the result is always the same, unless the work
    limit stops the play-outs early."""


class PlayoutRefusal(Struct, frozen=True):
    """Why one of the requested moves was illegal."""

    at: Count
    """Index of the move in `moves`, counted from 0; this move and later ones were not made."""
    code: str
    """The `code` of the problem that refuses the move."""
    facts: dict[str, Any]
    """Facts that explain `code`."""


class PlayoutEnd(Struct, frozen=True, kw_only=True):
    """The end of a play-out: the deal is over, its `steps` are made, a move is illegal, or the work limit was hit."""

    playout: Count
    """Index in the request's `playouts`, counted from 0."""
    done: bool
    """Whether the play-out is complete. If not, the work limit was reached, and you can continue from `deal`."""
    steps: Count
    """Number of moves made."""
    turn: SeatNumber | None
    """The seat to act; null once the deal is over."""
    result: Result | None
    """The result of the deal; null until it is over."""
    refusal: PlayoutRefusal | UnsetType = UNSET
    """Why one of `moves` was illegal; left out if all were made."""
    deal: AnyDeal | UnsetType = UNSET
    """The deal, if requested in `show` or not complete."""
    moves: list[GivenMove] | UnsetType = UNSET
    """The legal moves, if requested in `show`."""
    events: list[JsonObject] | UnsetType = UNSET
    """The events of all moves, if requested in `show`."""
    views: list[AnyView] | UnsetType = UNSET
    """The view of each seat, if requested in `show`."""


class PlayoutsAnswer(Struct, frozen=True):
    """The ends of the play-outs, and the number of those not started because of the work limit."""

    playouts: list[PlayoutEnd]
    """The ends, in the order of the request; each repetition has its own."""
    left: Count
    """Number of play-outs at the end of the list that were not started: send them again."""
