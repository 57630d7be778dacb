"""Encodes views as arrays. The encoding of each field follows from its type, so it works for every game.

An array is made from a view alone, so it contains nothing that the view hides.
"""

import struct
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from msgspec import Struct, inspect, structs

from locanda.env.actions import deck_of, entries_of, values_of
from locanda.games.game import AnyGame

Encode: TypeAlias = Callable[[Any], bytes]
"""Encodes a value as bytes of float32 numbers. The number of bytes depends only on the value's type."""
Scale: TypeAlias = Callable[[float, float], float]
"""Scales a number for the array; the second argument is a typical value of its kind."""

UNBOUNDED = 16
"""Number of entries encoded for a list of unlimited length; later entries are left out."""
CONSTANT = ("options",)
"""Fields that are left out because they never change within an environment."""
USUAL_COUNT, USUAL_COPIES = 10, 1
"""Typical numbers, for scaling: of cards or turns, and of copies of one card in a pile."""
KEPT = 1 << 10
"""Cache size per list field: most lists are the same as in the previous view."""


def plain(number: float, _usual: float) -> float:
    """Return the number unscaled."""
    return number


def normalised(number: float, usual: float) -> float:
    """Scale a number into (-1, 1), strictly increasing: 0 stays 0, the usual value becomes 1/2."""
    return number / (abs(number) + usual)


@dataclass(frozen=True, slots=True)
class _Form:
    names: tuple[str, ...]
    """Suffixes of the labels of the numbers; the field's name comes before them."""
    encode: Encode

    @property
    def size(self) -> int:
        return 4 * len(self.names)


_written = struct.Struct("f").pack
_ZERO, _ONE = _written(0), _written(1)
_NOTHING = _Form((), lambda _: b"")
"""The form of texts and other values that are not encoded: no numbers at all."""
_FLAG = _Form(("",), lambda flag: _ONE if flag else _ZERO)


def _number(scale: Scale) -> _Form:
    return _Form(("",), _written if scale is plain else lambda value: _written(scale(value, USUAL_COUNT)))


def _one_of(values: Sequence[Any]) -> _Form:
    encoded = {value: copies((place,), len(values), plain)[: 4 * len(values)] for place, value in enumerate(values)}
    return _Form(tuple(f"={value}" for value in values), encoded.__getitem__)


def copies(places: Sequence[int], size: int, scale: Scale) -> bytes:
    """Encode a list of numbers below `size`: how often each number occurs, then how near the end it occurs last.

    The nearness is 1 for the last entry, such as the top card of a pile, then 1/2, 1/3, …; 0 for a number that is not
    in the list.
    """
    numbers, left = array("f", bytes(8 * size)), len(places)
    for place in places:
        numbers[place] += 1
        numbers[size + place] = 1 / left
        left -= 1
    if scale is not plain:
        for place in {*places}:
            numbers[place] = scale(numbers[place], USUAL_COPIES)
    return numbers.tobytes()


def _several_of(values: Sequence[Any], scale: Scale) -> _Form:
    """Return the form of a list whose entries are among these values, encoded by `copies`."""
    place_of = {value: place for place, value in enumerate(values)}

    @lru_cache(maxsize=KEPT)
    def encoded(entries: tuple[object, ...]) -> bytes:
        return copies([place_of[value] for value in entries], len(values), scale)

    names = (*[f" has {value}" for value in values], *[f" nearness of {value}" for value in values])
    return _Form(names, lambda entries: encoded(tuple(entries)))


def _optional(form: _Form) -> _Form:
    """Return the form of a value that may be null: a flag for its presence, then the value or zeros."""
    nothing, encode = _ZERO + bytes(form.size), form.encode
    return _Form((" is there", *form.names), lambda value: nothing if value is None else _ONE + encode(value))


def _side_by_side(forms: Sequence[_Form], names: Iterable[object], parts: Callable[[Any], Iterable[Any]]) -> _Form:
    """Return the form of a value with named parts, encoded one after another."""
    encodes = [form.encode for form in forms]

    def encode(value: object) -> bytes:
        return b"".join([encode_part(part) for encode_part, part in zip(encodes, parts(value), strict=True)])

    return _Form(
        tuple(f".{name}{inner}" for name, form in zip(names, forms, strict=True) for inner in form.names), encode
    )


def _in_order(form: _Form, most: int) -> _Form:
    """Return the form of a list's first `most` entries, padded with zeros."""
    encode_entry, size = form.encode, most * form.size

    def encode(entries: Sequence[object]) -> bytes:
        return b"".join(map(encode_entry, entries[:most])).ljust(size, b"\0")

    return _Form(tuple(f".{place}{inner}" for place in range(most) for inner in form.names), encode)


class _Forms:
    """Builds the encodings of a game's types."""

    def __init__(self, cards: Sequence[str], scale: Scale) -> None:
        self._cards = cards
        self._scale = scale

    def of(self, kind: inspect.Type, state: inspect.Type | None = None, sample: Any = None) -> _Form:  # noqa: ANN401
        """Return the form of a type.

        `state` is the type of the same field of the deal, `sample` its value in a fresh deal.
        """
        match kind:
            case inspect.Metadata(type=within):
                form = self.of(within, state, sample)
            case inspect.BoolType():
                form = _FLAG
            case inspect.FloatType():
                form = _number(self._scale)
            case inspect.UnionType(types=types) if any(isinstance(member, inspect.NoneType) for member in types):
                rest = tuple(member for member in types if not isinstance(member, inspect.NoneType))
                form = _optional(self.of(rest[0] if len(rest) == 1 else inspect.UnionType(rest), state, sample))
            case inspect.StructType(cls=cls, fields=fields):
                names = cls.__struct_fields__
                parts = [self.of(field.type) for field in fields]
                form = _side_by_side(parts, names, structs.astuple)
            case inspect.TupleType(item_types=items):
                form = _side_by_side([self.of(part) for part in items], range(len(items)), iter)
            case inspect.VarTupleType(item_type=entry) | inspect.ListType(item_type=entry):
                form = self._list(kind, entry, state, sample)
            case _:
                values = values_of(kind, self._cards)
                other = _number(self._scale) if isinstance(kind, inspect.IntType) else _NOTHING
                form = other if values is None else _one_of(values)
        return form

    def _list(
        self,
        kind: inspect.Type,
        entry: inspect.Type,
        state: inspect.Type | None,
        sample: Any,  # noqa: ANN401
    ) -> _Form:
        """Return the form of a list: counts of each value if there are few values, otherwise the entries in order."""
        values = values_of(entry, self._cards)
        if values is not None and not isinstance(entry, inspect.BoolType):
            return _several_of(values, self._scale)
        most, inside = _most_entries(kind, state, sample)
        return _in_order(self.of(entry, inside, sample[0] if sample else None), most)


def _most_entries(
    kind: inspect.Type,
    state: inspect.Type | None,
    sample: Any,  # noqa: ANN401
) -> tuple[int, inspect.Type | None]:
    """Return the number of entries of a list to encode, and the entry type of the deal's field.

    The number is the list's length in a fresh deal, such as the number of seats, or else the limit in its type.
    """
    while isinstance(state, inspect.Metadata):
        state = state.type
    if isinstance(state, inspect.TupleType):
        return len(state.item_types), state.item_types[0]
    admitted = [most for type_ in (kind, state) if isinstance(most := getattr(type_, "max_length", None), int)]
    most = len(sample) if sample else min(admitted, default=UNBOUNDED)
    return most, None if state is None else entries_of(state)


class Observations:
    """Encodes the views of a game, for a number of players."""

    def __init__(self, game: AnyGame, fresh: Struct, scale: Scale = plain) -> None:
        """`fresh` is a new deal for that number of players.

        It is needed for the lengths of lists with an entry for each seat.
        """
        forms, sample = _Forms(deck_of(game), scale), game.view(fresh, 0)
        view, state = inspect.type_info(game.view_type), inspect.type_info(game.deal_type)
        assert isinstance(view, inspect.StructType)  # noqa: S101
        assert isinstance(state, inspect.StructType)  # noqa: S101
        dealt = {field.encode_name: field.type for field in state.fields}
        self.layout: dict[str, slice] = {}
        """Slice of each view field in the array."""
        parts, names = list[tuple[str, Encode]](), list[str]()
        for field in view.fields:
            if field.encode_name in CONSTANT:
                continue
            form = forms.of(field.type, dealt.get(field.encode_name), getattr(sample, field.name))
            self.layout[field.encode_name] = slice(len(names), len(names) + len(form.names))
            parts.append((field.name, form.encode))
            names += [f"{field.encode_name}{said}" for said in form.names]
        self._parts: Final = tuple(parts)
        self.names: Final = tuple(names)
        """Labels of an array's numbers, by index, such as `counts.0`, `hand has 7h`, `turn=2`."""

    def encode(self, view: Struct) -> bytes:
        """Encode a view as `float32` bytes."""
        return b"".join([encode(getattr(view, name)) for name, encode in self._parts])
