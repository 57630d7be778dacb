"""What the tests common to all games need to know of each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from services.engine.games.game import AnyGame

Choose: TypeAlias = Callable[[Random, Any, list[Any]], Any]
"""A player: of a deal and its legal moves, one."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A game and what its tests know of it."""

    game: AnyGame
    moves: Callable[[Any], Iterable[Any]]
    """Every conceivable move in a deal, legal or not."""
    lost: Callable[[Any], list[str]]
    """What is wrong with the cards of a deal: each must be in one place, or counted among the captured."""
    bound: Callable[[Any], int]
    """The most moves that a fresh deal may last."""
    players: dict[str, Choose]
    """The game's own worst players, besides the common ones."""
    variants: list[tuple[dict[str, Any], int]]
    """The main variants: options and number of players, whose play-throughs are golden."""
