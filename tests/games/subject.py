"""What the tests common to all games know of each, and a strategy of any game's options."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import msgspec.inspect as types
from hypothesis import strategies as st
from msgspec import Struct

from locanda.games.game import AnyGame

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


def options_of(kind: type[Struct]) -> st.SearchStrategy[Struct]:
    """Return a strategy of options; those that contradict each other are not drawn."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    chosen = st.fixed_dictionaries({field.name: _values(field.type) for field in info.fields})
    return chosen.filter(lambda values: _admitted(kind, values)).map(lambda values: kind(**values))


def _admitted(kind: type[Struct], values: dict[str, object]) -> bool:
    try:
        kind(**values)
    except ValueError:
        return False
    return True


def _values(kind: types.Type) -> st.SearchStrategy[object]:
    match kind:
        case types.Metadata(type=inner):
            return _values(inner)
        case types.BoolType():
            return st.booleans()
        case types.NoneType():
            return st.none()
        case types.IntType(ge=least, le=most):
            return st.integers(least, most)
        case types.LiteralType(values=values):
            return st.sampled_from(values)
        case types.UnionType(types=members):
            return st.one_of([_values(member) for member in members])
    raise NotImplementedError(kind)
