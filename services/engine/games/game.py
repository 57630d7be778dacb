"""The protocol that every game fulfils: pure functions over a deal, gathered in one declarative value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from shared.games.base import Refusal, Result

O = TypeVar("O")  # noqa: E741  (options)
D = TypeVar("D", bound="Dealt")
M = TypeVar("M")
V = TypeVar("V")
R = TypeVar("R")

Ranking: TypeAlias = tuple[tuple[int, ...], ...]
"""Seats best first, those who tie together."""


class Shuffle(Protocol):
    """Chance as an indexed input: the same seed and index always give the same order."""

    def __call__(self, seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        """Return the cards in the order of the seed's shuffle number `index`."""
        ...


class Dealt(Protocol):
    """What the house reads of a deal of any game."""

    @property
    def turn(self) -> int | None:
        """The seat to act, or none once the deal is over."""
        ...


class MalformedDealError(ValueError):
    """A posted deal is not one of this game: the message names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, D, M, V, R]):
    """One game. `O` its options, `D` a deal inside, `M` a move, `V` a view, `R` a deal on the wire."""

    name: str
    rules: int
    """Version of the rules: it grows when the same moves could lead to another deal."""
    options: type[O]
    deal_type: type[D]
    move_type: Any
    """The union of the game's moves, as msgspec decodes it."""
    record_type: type[R]
    view_type: type[V]
    event_type: Any
    """The union of the game's events."""
    deck: str
    players: range
    """The numbers of players that the game admits under some options."""
    suggested: range

    fewest_wins: bool
    """Do points count against their holder?"""
    refusals: tuple[str, ...]
    """Why the game may refuse a move, besides `deal_over` and what no move of it could say (`impossible`)."""

    seats: Callable[[O], range]
    """The numbers of players that these options admit."""
    deal: Callable[[O, int, int, bytes, Shuffle, Ranking | None], D]
    """A fresh deal from options, seats, dealer, seed, shuffle and the previous deal's ranking."""
    moves: Callable[[D], list[M]]
    check: Callable[[D, M], Refusal | None]
    play: Callable[[D, M, Shuffle], tuple[D, list[Any]]]
    """The next deal and the events, public all of them, after a move that `check` admits."""
    view: Callable[[D, int | None], V]
    imagine: Callable[[V, Random], D]
    result: Callable[[D], Result | None]
    match_over: Callable[[O, int, Sequence[int]], bool]
    """Is the match over after so many deals with these points?"""
    record: Callable[[D], R]
    """The deal with codes for cards, as the wire shows it."""
    read: Callable[[R], D]
    """The deal of a record. Raises `MalformedDealError`."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
"""Any of the games, for the rooms that treat them all alike."""
