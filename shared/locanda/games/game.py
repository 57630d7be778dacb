"""The interface of a game: pure functions over the state of a deal, collected in a `Game` object.

Every game has the same modules: `types`, `deal` (cards, dealing, computed view fields), `moves` (legal moves and
refusals) and `play` (effects of moves, results); a short game has only `types` and `rules`. `locanda.games.rules`
collects the functions of these modules. It generates `view`, `to_wire`, `from_wire` and, if a game does not define it,
`determinize` from the declared fields.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from locanda.games.base import Refusal, Result

O = TypeVar("O")  # noqa: E741  (stands for options)
D = TypeVar("D", bound="AnyDealState")
M = TypeVar("M")
V = TypeVar("V")

Ranking: TypeAlias = tuple[tuple[int, ...], ...]
"""Seats, best first; tied seats share a tuple."""


class Shuffle(Protocol):
    """Randomness as a pure function: the same seed and index always give the same order."""

    def __call__(self, seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        """Return the cards in the order of shuffle number `index` of this seed."""
        ...


class AnyDealState(Protocol):
    """The fields that every game's deal state has."""

    @property
    def turn(self) -> int | None:
        """The seat to act, None once the deal is over."""
        ...


class MalformedDealError(ValueError):
    """A submitted deal is not a valid deal of this game; the message names the field."""


def all_deals_played(options: Any, deals: int, _points: Sequence[int]) -> bool:  # noqa: ANN401  (any options with `deals`)
    """Return whether all deals of the match have been played: the `match_over` of most games (ruling R4)."""
    return bool(deals >= options.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, D, M, V]):
    """A game. Type parameters: `O` options, `D` state of a deal, `M` move, `V` view."""

    name: str
    rules: int
    """Version of the rules; it increases when the same moves could lead to a different deal."""
    options: type[O]
    deal_type: type[D]
    move_type: Any
    wire_type: Any
    """Type of a deal on the wire (in JSON)."""
    view_type: type[V]
    event_type: Any
    deck: str
    players: range
    """All numbers of players that the game allows with some options."""
    suggested: range

    fewest_wins: bool
    seats: Callable[[O], range]
    """Returns the numbers of players that these options allow; by default `players`."""
    deal: Callable[[O, int, int, bytes, Shuffle, Ranking | None], D]
    """Returns a fresh deal. Arguments: options, number of players, dealer, seed, shuffle, ranking of the previous
    deal."""
    moves: Callable[[D], list[M]]
    """Returns the legal moves of the seat on turn: each distinct choice once, in a fixed order; none once the deal is
    over."""
    check: Callable[[D, M], Refusal | None]
    """Returns why a move is illegal for the seat on turn; None if it is legal."""
    play: Callable[[D, M, Shuffle], tuple[D, list[Any]]]
    """Returns the next state and the public events after a legal move (see `check`).

    Raises `ValueError` once the deal is over.
    """
    view: Callable[[D, int | None], V]
    """Returns the view of a seat, or of a spectator for None."""
    determinize: Callable[[V, Random], D]
    """Returns a state that agrees with a view; hidden cards are drawn at random."""
    score: Callable[[D], Result]
    """Returns the ranking and points of a finished deal."""
    to_wire: Callable[[D], Any]
    """Returns the deal in its wire form, hidden cards included."""
    from_wire: Callable[[Any], D]
    """Converts a submitted deal to a state. Raises `MalformedDealError` for an invalid deal."""
    match_over: Callable[[O, int, Sequence[int]], bool] = all_deals_played
    """Returns whether the match is over. Arguments: options, number of deals played, points by seat."""
    eagerness: Callable[[M], int] = lambda _: 0
    """Returns a beginner's preference for a move: they choose any of the legal moves with the highest value."""

    def result(self, deal: D) -> Result | None:
        """Return ranking and points; None until the deal is over."""
        return self.score(deal) if deal.turn is None else None


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
