"""Views as arrays. The numbers of each field follow from the view's type, so every game has observations.

An array is made from a view alone, so it contains nothing that the view hides.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct, inspect
from numpy.typing import NDArray

from locanda.env.actions import deck_of, entries_of, values_of
from locanda.games.game import AnyGame

Numbers: TypeAlias = "array[float]"
Write: TypeAlias = Callable[[Numbers, int, Any], None]
"""Writes a value into numbers, all of them 0, from a place on."""
Scale: TypeAlias = Callable[[float, float], float]
"""Returns a number as it is written; the second number is an ordinary one of its kind."""

UNBOUNDED = 16
"""How many entries have a place of a list whose length nothing bounds; further ones are left out."""
CONSTANT = ("options",)
"""Fields that are the same in every view of an environment."""
USUAL_COUNT, USUAL_COPIES = 10, 1
"""Ordinary numbers of cards or turns, and of copies of a card in a pile."""


def plain(number: float, _usual: float) -> float:
    """Return a number as it is."""
    return number


def normalised(number: float, usual: float) -> float:
    """Return a number between -1 and 1: 0 for 0, half for the usual one; a larger number is always more."""
    return number / (abs(number) + usual)


@dataclass(frozen=True, slots=True)
class _Form:
    names: tuple[str, ...]
    """What each of its numbers says, to be put behind the name of the field."""
    write: Write

    @property
    def size(self) -> int:
        return len(self.names)


def _nothing(_numbers: Numbers, _at: int, _value: object) -> None:
    """Write a text, or what else has no numbers."""


def _number(scale: Scale) -> _Form:
    def write(numbers: Numbers, at: int, value: float) -> None:
        numbers[at] = scale(value, USUAL_COUNT)

    return _Form(("",), write)


def _flag(numbers: Numbers, at: int, value: float) -> None:
    numbers[at] = value


def _one_of(values: Sequence[Any]) -> _Form:
    places = {value: place for place, value in enumerate(values)}

    def write(numbers: Numbers, at: int, value: object) -> None:
        numbers[at + places[value]] = 1

    return _Form(tuple(f"={value}" for value in values), write)


def _several_of(values: Sequence[Any], scale: Scale) -> _Form:
    """Return the form of a list: the count of each value, then how far its last copy is from the end.

    The distance is 1 for the last entry, such as the top card, 1/2 for the one before, 1/3, …; 0 for a missing value.
    """
    places = {value: place for place, value in enumerate(values)}

    def write(numbers: Numbers, at: int, entries: Sequence[object]) -> None:
        order = at + len(places)
        for left, value in zip(range(len(entries), 0, -1), entries, strict=True):
            place = places[value]
            numbers[at + place] += 1
            numbers[order + place] = 1 / left
        if scale is not plain:
            for place in {places[value] for value in entries}:
                numbers[at + place] = scale(numbers[at + place], USUAL_COPIES)

    return _Form((*[f" has {value}" for value in values], *[f" nearness of {value}" for value in values]), write)


def _optional(form: _Form) -> _Form:
    """Return the form of a value that may be null: whether it is present, then the value."""

    def write(numbers: Numbers, at: int, value: object) -> None:
        if value is not None:
            numbers[at] = 1
            form.write(numbers, at + 1, value)

    return _Form((" is there", *form.names), write)


def _side_by_side(forms: Sequence[_Form], names: Iterable[object], parts: Callable[[Any], Sequence[Any]]) -> _Form:
    """Return the form of a value's named parts; the value may have fewer of them."""
    starts = [sum(form.size for form in forms[:place]) for place in range(len(forms))]
    placed = [(start, form.write) for start, form in zip(starts, forms, strict=True)]

    def write(numbers: Numbers, at: int, value: object) -> None:
        for (start, write_part), part in zip(placed, parts(value), strict=False):
            write_part(numbers, at + start, part)

    said = tuple(f".{name}{inner}" for name, form in zip(names, forms, strict=True) for inner in form.names)
    return _Form(said, write)


def _itself(value: Sequence[Any]) -> Sequence[Any]:
    return value


class _Forms:
    """The forms of a game's types."""

    def __init__(self, cards: Sequence[str], scale: Scale) -> None:
        self._cards = cards
        self._scale = scale

    def of(self, kind: inspect.Type, state: inspect.Type | None = None, sample: Any = None) -> _Form:  # noqa: ANN401
        """Return the form of a type; `state` is that of the deal's field, `sample` its value in a fresh deal."""
        match kind:
            case inspect.Metadata(type=within):
                form = self.of(within, state, sample)
            case inspect.BoolType():
                form = _Form(("",), _flag)
            case inspect.FloatType():
                form = _number(self._scale)
            case inspect.UnionType(types=types) if any(isinstance(member, inspect.NoneType) for member in types):
                rest = tuple(member for member in types if not isinstance(member, inspect.NoneType))
                form = _optional(self.of(rest[0] if len(rest) == 1 else inspect.UnionType(rest), state, sample))
            case inspect.StructType(cls=cls, fields=fields):
                names = cls.__struct_fields__
                parts = [self.of(field.type) for field in fields]
                form = _side_by_side(parts, names, lambda value: [getattr(value, name) for name in names])
            case inspect.TupleType(item_types=items):
                form = _side_by_side([self.of(part) for part in items], range(len(items)), _itself)
            case inspect.VarTupleType(item_type=entry) | inspect.ListType(item_type=entry):
                form = self._list(kind, entry, state, sample)
            case _:
                values = values_of(kind, self._cards)
                other = _number(self._scale) if isinstance(kind, inspect.IntType) else _Form((), _nothing)
                form = other if values is None else _one_of(values)
        return form

    def _list(
        self,
        kind: inspect.Type,
        entry: inspect.Type,
        state: inspect.Type | None,
        sample: Any,  # noqa: ANN401
    ) -> _Form:
        """Return the form of a list: counts if there are few possible values, else its entries in order."""
        values = values_of(entry, self._cards)
        if values is not None and not isinstance(entry, inspect.BoolType):
            return _several_of(values, self._scale)
        most, inside = _most_entries(kind, state, sample)
        return _side_by_side([self.of(entry, inside, sample[0] if sample else None)] * most, range(most), _itself)


def _most_entries(
    kind: inspect.Type,
    state: inspect.Type | None,
    sample: Any,  # noqa: ANN401
) -> tuple[int, inspect.Type | None]:
    """Return how many entries of a list have a place, and the type of an entry of the deal's field.

    They are as many as a fresh deal has, such as one for each seat, or else as many as the types admit.
    """
    while isinstance(state, inspect.Metadata):
        state = state.type
    if isinstance(state, inspect.TupleType):
        return len(state.item_types), state.item_types[0]
    admitted = [most for type_ in (kind, state) if isinstance(most := getattr(type_, "max_length", None), int)]
    most = len(sample) if sample else min(admitted, default=UNBOUNDED)
    return most, None if state is None else entries_of(state)


class Observations:
    """The arrays of a game's views, for a number of players."""

    def __init__(self, game: AnyGame, fresh: Struct, scale: Scale = plain) -> None:
        """`fresh` is a fresh deal of as many players, in which a list for each seat has its length."""
        forms, sample = _Forms(deck_of(game), scale), game.view(fresh, 0)
        view, state = inspect.type_info(game.view_type), inspect.type_info(game.deal_type)
        assert isinstance(view, inspect.StructType)  # noqa: S101
        assert isinstance(state, inspect.StructType)  # noqa: S101
        dealt = {field.encode_name: field.type for field in state.fields}
        self.layout: dict[str, slice] = {}
        """By the name of a view's field: where its numbers are."""
        self._written: list[tuple[str, int, Write]] = []
        names: list[str] = []
        for field in view.fields:
            if field.encode_name in CONSTANT:
                continue
            form = forms.of(field.type, dealt.get(field.encode_name), getattr(sample, field.name))
            self.layout[field.encode_name] = slice(len(names), len(names) + form.size)
            self._written.append((field.name, len(names), form.write))
            names += [f"{field.encode_name}{said}" for said in form.names]
        self.names: Final = tuple(names)
        """Labels of an array's numbers, in their order, such as `counts.0`, `hand has 7h`, `turn=2`."""

    def array(self, view: Struct, size: int) -> NDArray[np.float32]:
        """Return the numbers of a view, with zeros behind them up to a size."""
        numbers = array("f", bytes(4 * size))
        for name, at, write in self._written:
            write(numbers, at, getattr(view, name))
        return np.frombuffer(numbers, dtype=np.float32)
