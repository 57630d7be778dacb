"""Moves as numbers: a fixed list of actions for each game, built from the types of its moves.

A move is spelt as a sequence of actions. The first action gives the move's type and the values of its scalar fields. If
the move has a list of cards, one action follows for each card, and the action `done` ends the list. So a small number
of actions covers any selection of cards.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from operator import index
from typing import Any, Final

import numpy as np
from msgspec import Struct, inspect

from locanda.games.conversions import hand_form
from locanda.games.game import AnyGame

MOST_ACTIONS = 1 << 16


class UnknownFieldError(TypeError):
    """A field of a game's moves has no numbers: its type is neither a small set of values nor a list of such values."""


def values_of(kind: inspect.Type, cards: Sequence[str]) -> tuple[Any, ...] | None:
    """List the values of a type in order; None if they are not a small set. `cards` are the codes of the deck."""
    all_values: tuple[Any, ...] | None = None
    match kind:
        case inspect.Metadata(type=within):
            all_values = values_of(within, cards)
        case inspect.NoneType():
            all_values = (None,)
        case inspect.BoolType():
            all_values = (False, True)
        case inspect.LiteralType(values=values):
            all_values = tuple(values)
        case inspect.IntType(ge=int(least), le=int(most)) if most - least < 64:
            all_values = tuple(range(least, most + 1))
        case inspect.StrType(pattern=str(pattern)):
            all_values = tuple(code for code in cards if re.search(pattern, code))
        case inspect.UnionType(types=types):  # None first: it is the field's default
            of_each = [values_of(option_type, cards) for option_type in sorted(types, key=_is_more_than_none)]
            all_values = None if None in of_each else tuple(value for values in of_each if values for value in values)
    return all_values


def _is_more_than_none(kind: inspect.Type) -> bool:
    return not isinstance(kind, inspect.NoneType)


def deck_of(game: AnyGame) -> tuple[str, ...]:
    """Return the codes of the game's cards, in the order of its deck."""
    return tuple(hand_form(game.deal_type).numbers)


def entries_of(kind: inspect.Type) -> inspect.Type | None:
    """Return the type of a list's entries, or None if the type is not a list."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind.item_type if isinstance(kind, inspect.VarTupleType | inspect.ListType) else None


class _Shape:
    """Parts of a move type that become actions: its tag, its scalar fields and its lists."""

    def __init__(self, kind: inspect.StructType, cards: Sequence[str]) -> None:
        self.tag = str(kind.tag)
        self.fields: dict[str, tuple[Any, ...]] = {}
        """The possible values of each scalar field, by name."""
        self.lists: dict[str, tuple[Any, ...]] = {}
        """The possible entries of each list field, by name."""
        self.names = {field.name: field.encode_name for field in kind.fields}
        for field in kind.fields:
            entries = entries_of(field.type)
            values = values_of(field.type if entries is None else entries, cards)
            if values is None:
                raise UnknownFieldError(f"{kind.cls.__qualname__}.{field.name} has no values that could be numbered")
            (self.fields if entries is None else self.lists)[field.name] = values

    def heads(self) -> Iterable[tuple[tuple[Any, ...], str]]:
        """Yield each possible first action: the values of the scalar fields, and a label."""
        for values in product(*self.fields.values()):
            said = [f"{self.names[name]}={value}" for name, value in zip(self.fields, values, strict=True)]
            yield values, " ".join([self.tag, *said])


class Actions:
    """The actions of a game for any options and number of players, their labels, and the conversion from moves."""

    def __init__(self, game: AnyGame) -> None:
        cards = deck_of(game)
        types = inspect.type_info(game.move_type)
        kinds = types.types if isinstance(types, inspect.UnionType) else (types,)
        self._shapes = {kind.cls: _Shape(kind, cards) for kind in kinds if isinstance(kind, inspect.StructType)}
        self._heads: dict[tuple[Any, ...], int] = {}
        names: list[str] = []
        for kind, shape in self._shapes.items():
            for values, name in shape.heads():
                self._heads[kind, *values] = len(names)
                names.append(name)
        entries = dict.fromkeys(
            value for shape in self._shapes.values() for values in shape.lists.values() for value in values
        )
        self._entries: Mapping[Any, int] = {value: len(names) + place for place, value in enumerate(entries)}
        names += [f"+ {value}" for value in entries]
        self.done: Final = len(names)
        """The action that ends a list. In a game without lists it is unused: one more than the highest action."""
        if entries:
            names.append("done")
        if len(names) > MOST_ACTIONS:
            raise UnknownFieldError(f"the moves of {game.name} would need {len(names)} actions")
        self.names: Final = tuple(names)
        """Labels of the actions, by number, such as `discard card=XV`, `+ 7h`, `done`."""
        self.have_lists: Final = bool(entries)
        """Whether some moves take more than one action."""
        self.spell: Final = lru_cache(maxsize=1 << 16)(self._spell)
        """Converts a legal move to its sequence of actions."""

    def __len__(self) -> int:
        return len(self.names)

    def _spell(self, move: Struct) -> tuple[int, ...]:
        shape = self._shapes[type(move)]
        spelt = [self._heads[type(move), *[getattr(move, name) for name in shape.fields]]]
        for name in shape.lists:
            spelt += [self._entries[value] for value in getattr(move, name)]
            spelt.append(self.done)
        return tuple(spelt)


class Choice:
    """Narrows down the legal moves, action by action. It skips actions that all remaining moves share."""

    def __init__(self, actions: Actions, moves: Sequence[Struct]) -> None:
        self._left = [*zip(map(actions.spell, moves), moves, strict=True)]
        self.chosen: tuple[int, ...] = ()
        """The actions so far, including the skipped ones."""
        self.options: list[int] = []
        """The next possible actions: one if a single legal move is left, none if there is no legal move."""
        self._go_on()

    def _go_on(self) -> None:
        depth = len(self.chosen)
        self.options = sorted({spelt[depth] for spelt, _ in self._left})
        while len(self.options) == 1 and len(self._left) > 1:
            depth += 1
            self.options = sorted({spelt[depth] for spelt, _ in self._left})
        if self._left:
            self.chosen = self._left[0][0][:depth]

    def take(self, action: int) -> Struct | None:
        """Take an action, and return the move if only one is left. Raises `ValueError` for an impossible action."""
        if action not in self.options:
            raise ValueError(f"action {action} is not among those of the mask")
        depth = len(self.chosen)
        self._left = [path for path in self._left if path[0][depth] == action]
        if len(self._left) == 1:
            return self._left[0][1]
        self.chosen = (*self.chosen, action)
        self._go_on()
        return None


def action_number(action: Any) -> int:  # noqa: ANN401  (of any integer type)
    """Convert an action, an integer or an array with one element, to an int. Raises `TypeError` for other types."""
    return index(action.item() if isinstance(action, np.ndarray) else action)
