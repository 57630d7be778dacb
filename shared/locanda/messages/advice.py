"""Moves of computer players, and their opinions of people's moves."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.games.base import Count, Seed
from locanda.games.registry import AnyView
from locanda.messages.values import ComputerLevel, GivenMove, JsonObject, Request
from locanda.messages.words import ReviewWords


class MoveReason(Struct, frozen=True):
    """Why a move is worth playing: a stable code, and a sentence in the language of the answer."""

    code: str
    """The reason's stable name, for programs."""
    text: str
    """A sentence for people, in the language that `Accept-Language` asks for."""


class SearchBudget(Request, frozen=True):
    """Limits of the search of `hard`: iterations, milliseconds of processor time, or whichever ends first."""

    iterations: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    """The most hidden deals that are drawn and played out."""
    ms: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """The most processor time, in milliseconds."""


class SuggestRequest(Request, frozen=True):
    """The view of the seat on turn, and the computer player to ask."""

    view: AnyView
    """The seat's view, from `view` or a table's `deal`; the view's seat must be on turn."""
    history: list[JsonObject] | UnsetType = UNSET
    """The events of the game since the cards were dealt, oldest first; left out if they are not known."""
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

    move: GivenMove
    """The move: one of the legal ones."""
    reason: MoveReason
    """Why it is worth playing."""
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    elapsed_ms: Count
    """How long the suggestion took, in milliseconds."""
    text: str | UnsetType = UNSET
    """The label of the move, if `words` asks for it."""


class Hint(Struct, frozen=True):
    """The move of `hard` for the bearer's seat, and its reason."""

    move: GivenMove
    """The move: one of the legal ones."""
    reason: MoveReason
    """Why it is worth playing."""
    simulations: Count
    """How many hidden deals the search has drawn; 0 without a search."""
    text: str | UnsetType = UNSET
    """The label of the move, if `words` asks for it."""


class ReviewedMove(Struct, frozen=True):
    """A move of a finished deal, beside the move that `hard` would have played with the same view."""

    number: Count
    """The move's place among all moves of the deal, counted from 0, as in the deal's proof."""
    played: JsonObject
    """The move that was made."""
    best: JsonObject
    """The move that `hard` would have made; `played`, if its search found both equal."""
    cost: Annotated[float, Meta(ge=0)]
    """How much more of the win `best` is worth than `played`, from 0 to 1.

    0 if `played` is not surely worse: by two standard errors, and by a twentieth of a win.
    """
    reason: MoveReason
    """Why `best` is worth playing."""
    view: AnyView | None = None
    """The player's view before the move; only for the moves in `worst`."""
    words: ReviewWords | UnsetType = UNSET
    """The labels of the moves, if `words` asks for them."""
    value: Annotated[float, Meta(ge=0, le=1)] | None = None
    """The share of the win that the player could expect after `played`, by play-outs; null without a choice."""


class Review(Struct, frozen=True):
    """The bearer's moves of a finished deal, in their order."""

    moves: list[ReviewedMove]
    """The bearer's moves, in the order in which they were made."""
    worst: list[Count]
    """The `number` of each of up to three moves that cost most, the costliest first."""
    choices: Count = 0
    """How many of the moves were a choice: there was another legal one."""
    same: Count = 0
    """How many of these choices agree with `hard`, or are equally good."""
    others: list[Count] = []
    """The `number` of each other move that `hard` would not have made, though it is not surely worse."""
    well_played: bool = False
    """Whether the play was good: nine of ten of at least eight choices agree with `hard`, and none has a cost."""

    @property
    def costliest(self) -> list[ReviewedMove]:
        """The moves in `worst`, the costliest first."""
        by_number = {move.number: move for move in self.moves}
        return [by_number[number] for number in self.worst]
