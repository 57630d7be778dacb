"""The facts about a game that the common tests need, and a strategy for its options."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import msgspec.inspect as types
from hypothesis import strategies as st
from msgspec import Struct

from locanda.games.game import AnyGame

Choose: TypeAlias = Callable[[Random, Any, list[Any]], Any]
"""A player: returns a move for a deal and its legal moves."""


@dataclass(frozen=True, kw_only=True)
class GameSubject:
    """A game, and the facts about it that its tests need."""

    game: AnyGame
    moves: Callable[[Any], Iterable[Any]]
    """Returns all conceivable moves in a deal, legal or not."""
    lost: Callable[[Any], list[str]]
    """Returns errors in a deal's cards: each card must be in exactly one place, or counted as captured."""
    bound: Callable[[Any], int]
    """Returns the most moves that a fresh deal may take."""
    players: dict[str, Choose]
    """Additional players that stress the game's rules, by name."""
    variants: list[tuple[dict[str, Any], int]]
    """Options and number of players of the main variants, which have golden play-throughs."""


def options_of(kind: type[Struct]) -> st.SearchStrategy[Struct]:
    """Return a strategy for options that do not contradict each other."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    chosen = st.fixed_dictionaries({field.name: _values(field.type) for field in info.fields})
    return chosen.filter(lambda values: admitted(kind, values)).map(lambda values: kind(**values))


def admitted(kind: type[Struct], values: dict[str, object]) -> bool:
    """Return whether the options accept this combination of values."""
    try:
        kind(**values)
    except ValueError:
        return False
    return True


def choices_of(kind: type[Struct]) -> dict[str, list[object]]:
    """Return the possible values of each option that is not a number."""
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
