"""Messages about computer players' moves: suggestions, hints, and reviews of people's moves."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.games.base import Count, Seed
from locanda.games.registry import AnyView
from locanda.messages.values import ComputerLevel, GivenMove, JsonObject, Request
from locanda.messages.words import ReviewWords


class MoveReason(Struct, frozen=True):
    """The reason for a move: a stable code, and a sentence in the requested language."""

    code: str
    """Stable code of the reason, for programs."""
    text: str
    """Sentence for people, in the language of `Accept-Language`."""


class SearchBudget(Request, frozen=True):
    """Limits of the search of `hard`: iterations, processor time, or whichever is reached first."""

    iterations: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    """The most hidden deals to draw and play out."""
    ms: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """The most processor time, in milliseconds."""


class SuggestRequest(Request, frozen=True):
    """A view of the seat on turn, and the computer player to ask."""

    view: AnyView
    """The view of the seat on turn, as returned by `view` or as a table's `deal`."""
    history: list[JsonObject] | UnsetType = UNSET
    """The game's events since the deal, oldest first; left out if unknown."""
    level: ComputerLevel = "hard"
    """The level of the computer player."""
    seed: Seed | None = None
    """Seed for random choices; with it, and only `iterations` as budget, the answer is always the same."""
    budget: SearchBudget = SearchBudget()
    """Limits of the search; by default those of a computer player at a table."""
    moves: list[JsonObject] | UnsetType = UNSET
    """The legal moves, which engines send to own players; ignored here."""


class Suggestion(Struct, frozen=True):
    """A computer player's move, and the reason."""

    move: GivenMove
    """The move, one of the legal ones."""
    reason: MoveReason
    """The reason for the move."""
    simulations: Count
    """Number of hidden deals that the search drew; 0 without a search."""
    elapsed_ms: Count
    """Time that the suggestion took, in milliseconds."""
    text: str | UnsetType = UNSET
    """Label of the move; only with `words`."""


class Hint(Struct, frozen=True):
    """The move of `hard` for the bearer's seat, and the reason."""

    move: GivenMove
    """The move, one of the legal ones."""
    reason: MoveReason
    """The reason for the move."""
    simulations: Count
    """Number of hidden deals that the search drew; 0 without a search."""
    text: str | UnsetType = UNSET
    """Label of the move; only with `words`."""


class ReviewedMove(Struct, frozen=True):
    """A move of a finished deal, compared with the move that `hard` would have played with the same view."""

    number: Count
    """Index of the move among all moves of the deal, from 0, as in the deal's proof."""
    played: JsonObject
    """The move that was made."""
    best: JsonObject
    """The move of `hard`; the same as `played` if nothing shows `played` to be worse."""
    cost: Annotated[float, Meta(ge=0)]
    """Share of the win that `played` lost compared with `best`, from 0 to 1.

    It is 0 unless `played` is clearly worse: by at least two standard errors and a twentieth of a win.
    """
    reason: MoveReason
    """The reason for `best`."""
    view: AnyView | None = None
    """The player's view before the move; only for moves in `worst`."""
    words: ReviewWords | UnsetType = UNSET
    """Labels of the moves; only with `words`."""
    value: Annotated[float, Meta(ge=0, le=1)] | None = None
    """Expected share of the win after `played`, from play-outs; null if there was only one legal move."""


class Review(Struct, frozen=True):
    """The bearer's moves of a finished deal, with a comparison for each."""

    moves: list[ReviewedMove]
    """The bearer's moves, in order."""
    worst: list[Count]
    """The `number` of up to three moves with the highest cost, the highest first."""
    choices: Count = 0
    """Number of moves for which there was another legal move."""
    same: Count = 0
    """Number of these choices that agree with `hard`, or are not shown to be worse."""
    others: list[Count] = []
    """The `number` of each choice that differs from `hard` without being clearly worse."""
    well_played: bool = False
    """Whether the play was good: at least eight choices, of which nine in ten agree with `hard`, and no cost.

    Random moves agree so often in at most one of a hundred such deals.
    """

    @property
    def costliest(self) -> list[ReviewedMove]:
        """The moves in `worst`, the highest cost first."""
        by_number = {move.number: move for move in self.moves}
        return [by_number[number] for number in self.worst]
