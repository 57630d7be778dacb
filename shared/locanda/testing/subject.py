"""The facts that the common tests need of each game, and a strategy for any game's options."""

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
class GameSubject:
    """A game and the facts that its tests need."""

    game: AnyGame
    moves: Callable[[Any], Iterable[Any]]
    """Every conceivable move in a deal, legal or not."""
    lost: Callable[[Any], list[str]]
    """Errors in the cards of a deal: each card must be in one place, or counted among the captured."""
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
    return chosen.filter(lambda values: admitted(kind, values)).map(lambda values: kind(**values))


def admitted(kind: type[Struct], values: dict[str, object]) -> bool:
    """Return whether the values of options go together."""
    try:
        kind(**values)
    except ValueError:
        return False
    return True


def choices_of(kind: type[Struct]) -> dict[str, list[object]]:
    """Return the values of each option that is not a number."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return {field.name: choices for field in info.fields if (choices := _choices(field.type))}


def _choices(kind: types.Type) -> list[object]:
    match kind:
        case types.Metadata(type=inner):
            return _choices(inner)
        case types.BoolType():
            return [False, True]
        case types.NoneType():
            return [None]
        case types.LiteralType(values=values):
            return [*values]
        case types.UnionType(types=members):
            return [value for member in members for value in _choices(member)]
    return []


def _values(kind: types.Type) -> st.SearchStrategy[object]:
    match kind:
        case types.Metadata(type=inner):
            return _values(inner)
        case types.IntType(ge=least, le=most):
            return st.integers(least, most)
    return st.sampled_from(_choices(kind))
