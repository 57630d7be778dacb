"""The protocol of a game: pure functions over the state of a deal, gathered in one `Game` value.

Every game has the same files: `types`, `deal` (cards, dealing, what each sees besides the declared fields), `moves`
(which moves are legal, and why others are not) and `play` (the effects of a move, and the points); a short one has all
but its types in `rules`. The module `rules` here gathers their functions, and makes those that follow from the
declared fields: `view`, `to_wire`, `from_wire`, and `determinize` where a game has none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from locanda.games.base import Refusal, Result

O = TypeVar("O")  # noqa: E741  (options)
D = TypeVar("D", bound="AnyDealState")
M = TypeVar("M")
V = TypeVar("V")

Ranking: TypeAlias = tuple[tuple[int, ...], ...]
"""Seats best first; seats that tie are in one list."""


class Shuffle(Protocol):
    """Randomness as a pure function: the same seed and index always give the same order."""

    def __call__(self, seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        """Return the cards in the order of the seed's shuffle number `index`."""
        ...


class AnyDealState(Protocol):
    """The fields that all games' deal states have."""

    @property
    def turn(self) -> int | None:
        """The seat to act, None once the deal is over."""
        ...


class MalformedDealError(ValueError):
    """A posted deal is not a deal of this game; the message names the field."""


def all_deals_played(options: Any, deals: int, _points: Sequence[int]) -> bool:  # noqa: ANN401  (whose `deals` says so)
    """Return whether a match has had its number of deals: `match_over` of most games (ruling R4)."""
    return bool(deals >= options.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, D, M, V]):
    """One game. `O`: its options, `D`: the state of a deal, `M`: a move, `V`: a view."""

    name: str
    rules: int
    """Version of the rules: it grows when the same moves could lead to another deal."""
    options: type[O]
    deal_type: type[D]
    move_type: Any
    """The union of the game's moves, as msgspec decodes it."""
    wire_type: Any
    """A deal on the wire."""
    view_type: type[V]
    event_type: Any
    """The union of the game's events."""
    deck: str
    players: range
    """The numbers of players that the game allows, under some options at least."""
    suggested: range

    fewest_wins: bool
    """Whether the fewest points win."""
    seats: Callable[[O], range]
    """The numbers of players that these options allow; by default `players`."""
    deal: Callable[[O, int, int, bytes, Shuffle, Ranking | None], D]
    """A fresh deal from options, seats, dealer, seed, shuffle and the previous deal's ranking."""
    moves: Callable[[D], list[M]]
    """Every legal move of the seat on turn, each distinct choice once, in a fixed order; none once the deal is over."""
    check: Callable[[D, M], Refusal | None]
    """Why the seat on turn may not make a move; None if it may."""
    play: Callable[[D, M, Shuffle], tuple[D, list[Any]]]
    """The next state and the events, all of them public, after a legal move (see `check`).

    Raises `ValueError` once the deal is over.
    """
    view: Callable[[D, int | None], V]
    """The view of a seat, or of a spectator if the seat is None."""
    determinize: Callable[[V, Random], D]
    """A state that agrees with a view; the cards that the view does not show are drawn at random."""
    score: Callable[[D], Result]
    """Ranking and points of a deal that is over."""
    to_wire: Callable[[D], Any]
    """The deal in the wire's form, hidden cards included."""
    from_wire: Callable[[Any], D]
    """The state of a posted deal. Raises `MalformedDealError`."""
    match_over: Callable[[O, int, Sequence[int]], bool] = all_deals_played
    """Whether the match is over after a number of deals with these points by seat."""
    eagerness: Callable[[M], int] = lambda _: 0
    """A beginner's eagerness to make a move: they choose among the legal moves with the highest number."""

    def result(self, deal: D) -> Result | None:
        """Return ranking and points once the deal is over, None before."""
        return self.score(deal) if deal.turn is None else None


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""Any of the games, for code that treats them all alike."""
