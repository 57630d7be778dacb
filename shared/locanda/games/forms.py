"""Declarations of a deal's fields: a game's `DealState` declares each field once, with its stored form.

A field of a plain type is the same on the wire (in JSON). `Annotated` with a `Form` means that the stored value
differs: a list of cards, for example, is stored as a bit set. A game's `View` declares the visible fields; all others
are hidden.
`wire_deal` creates the type of deals on the wire, and `locanda.games.conversions` the functions that convert.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo

from locanda.cards import CODES, CODES_BY_RANK, mask, members, spelling
from locanda.games.base import FrenchCard, FrenchCardOrJoker, SeatNumber, Seed

C = TypeVar("C")
O = TypeVar("O")  # noqa: E741  (stands for options)

# --- forms

kept = lru_cache(maxsize=2**13)
"""Caches conversions to the wire form, since few piles change with each move."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Form(Generic[C]):
    """A compact stored form of values, and their conversion to and from the wire."""

    wire: Any
    """Type of the value on the wire."""
    to_wire: Callable[[C], Any]
    from_wire: Callable[[Any], C]
    codes: Callable[[Any], Iterable[str]] = lambda _: ()
    """Returns the card codes in a value, in wire form."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CardsForm(Form[C]):
    """A compact form of a collection of cards."""

    to_wire: Callable[[C], tuple[str, ...]]
    codes: Callable[[Any], Iterable[str]] = iter
    size: Callable[[C], int]
    """Returns the number of cards in a value."""
    of: Callable[[Iterable[int]], C]
    """Returns the stored value for these cards."""
    numbers: Mapping[str, int]


class CardForms:
    """Forms for the cards of a deck, which are numbered in the order of their codes."""

    def __init__(self, codes: Sequence[str], card: Any) -> None:  # noqa: ANN401  (a type)
        numbers = {code: number for number, code in enumerate(codes)}

        def spell(bits: int) -> list[str]:
            return [codes[number] for number in members(bits) if number < len(codes)]

        def numbered(spelled: Iterable[str]) -> Iterator[int]:
            return map(numbers.__getitem__, spelled)

        @kept
        def spell_pile(pile: bytes) -> tuple[str, ...]:
            return tuple([codes[number] for number in pile])

        self.numbers: Mapping[str, int] = numbers
        self.set: CardsForm[int] = CardsForm(
            wire=tuple[card, ...],
            to_wire=kept(spelling((len(codes) + 7) // 8, spell)),
            from_wire=lambda spelled: mask(numbered(spelled)),
            size=int.bit_count,
            of=mask,
            numbers=numbers,
        )
        """Distinct cards as a bit set; on the wire a list in the order of the deck."""
        self.pile: CardsForm[bytes] = CardsForm(
            wire=tuple[card, ...],
            to_wire=spell_pile,
            from_wire=lambda spelled: bytes(numbered(spelled)),
            size=len,
            of=bytes,
            numbers=numbers,
        )
        """Cards in a given order, as bytes."""
        self.one: Form[int] = Form(
            wire=card, to_wire=codes.__getitem__, from_wire=numbers.__getitem__, codes=lambda spelled: (spelled,)
        )


FRENCH = CardForms(CODES, FrenchCard)
"""The French pack, sorted by suit."""
FRENCH_BY_RANK = CardForms(CODES_BY_RANK, FrenchCardOrJoker)
"""The French pack, sorted by rank, the joker last."""

CardSet: TypeAlias = Annotated[int, FRENCH.set]
"""French cards as a bit set."""
CardPile: TypeAlias = Annotated[bytes, FRENCH.pile]
"""French cards in a given order, as bytes."""

SEED: Form[bytes] = Form(wire=Seed, to_wire=bytes.hex, from_wire=bytes.fromhex)
SEATS: Form[int] = Form(wire=tuple[SeatNumber, ...], to_wire=lambda bits: tuple(members(bits)), from_wire=mask)
"""A bit set of seats; on the wire a list of their numbers."""
FLAGS: Form[int] = Form(
    wire=tuple[bool, ...], to_wire=bool, from_wire=lambda flags: mask(seat for seat, flag in enumerate(flags) if flag)
)
"""A bit set of seats; on the wire a list with a bool for each seat."""

# --- marks of fields other than their form


@dataclass(frozen=True)
class EachSeat:
    """Marks a field with an entry for each seat; submitted deals may leave it out."""

    start: object = None
    """Initial value of each entry."""


@dataclass(frozen=True)
class Mark:
    """A mark in the declaration of a field, to be used in `Annotated`."""

    name: str


LEFT_OUT = Mark("left out")
"""Submitted deals may leave the field out. It then gets its default, or a value computed by the game's `checked`."""
ELSEWHERE = Mark("elsewhere")
"""The field's cards are also in another field: the known cards of a hand are in the hand, for example."""


class BaseState(Struct, Generic[O], frozen=True, array_like=True, gc=False):
    """The state of a deal: everything that its future depends on. The order of the fields is the stored order.

    A game adds `hands` and its own fields, whose defaults are their values in a fresh deal. States contain no reference
    cycles, so the garbage collector does not track them.
    """

    options: O
    dealer: int
    turn: int | None
    seed: Annotated[bytes, SEED]
    shuffles: int


# --- reading declarations


@cache
def declared(cls: type[Struct]) -> Mapping[str, FieldInfo]:
    """Return the fields of a struct by their names on the wire."""
    return MappingProxyType({field.encode_name: field for field in msgspec.structs.fields(cls)})


def said(annotation: Any, kind: type[C]) -> list[C]:  # noqa: ANN401  (a type)
    """Return the annotations of this class in an `Annotated` type."""
    extra = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return [note for note in extra if isinstance(note, kind)]


def form_of(annotation: Any) -> Form[Any] | None:  # noqa: ANN401  (a type)
    """Return the form of a type; None if its values are the same on the wire."""
    return next(iter(said(annotation, Form)), None)


def inner(annotation: Any) -> Any:  # noqa: ANN401  (a type)
    """Return the type inside an `Annotated` or optional type; None for other types."""
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation):
        return next(part_type for part_type in get_args(annotation) if part_type is not NoneType)
    return None


def entry(annotation: Any) -> Any:  # noqa: ANN401  (a type)
    """Return the type of a tuple's entries; None for other types, and for tuples of mixed types."""
    entries = {*get_args(annotation)} - {...} if get_origin(annotation) is tuple else set()
    return entries.pop() if len(entries) == 1 else None


def bare(annotation: Any) -> Any:  # noqa: ANN401  (a type)
    """Return a type without its `Annotated` marks, also in nested types."""
    within, entry_type = inner(annotation), entry(annotation)
    if get_origin(annotation) is Annotated:
        return bare(within)
    if within is not None:
        return bare(within) | None
    return annotation if entry_type is None else tuple[bare(entry_type), ...]  # type: ignore[misc]


def may_be_left_out(annotation: Any) -> bool:  # noqa: ANN401  (a type)
    """Return whether a submitted deal may leave out a field of this type."""
    return bool(said(annotation, EachSeat)) or LEFT_OUT in said(annotation, Mark)


def wire_type(annotation: Any) -> Any:  # noqa: ANN401  (a type)
    """Return the wire type of a field's type."""
    form, within = form_of(annotation), inner(annotation)
    if get_origin(annotation) is Annotated:
        wire = form.wire if form else wire_type(within)
        for bounds in said(annotation, Meta):
            wire = Annotated[wire, bounds]
        return wire
    if within is not None:
        return wire_type(within) | None
    entry_type = entry(annotation)
    if entry_type is None:
        return annotation
    parts, entries = get_args(annotation), tuple[wire_type(entry_type), ...]  # type: ignore[misc]
    return entries if parts[-1] is ... else Annotated[entries, Meta(min_length=len(parts), max_length=len(parts))]


# --- a deal on the wire

_DEFAULTS = {"dealer": 0, "seed": "0" * 64, "shuffles": 0}
_FIRST = ("hands", "turn", "options", *_DEFAULTS)


def wire_deal(state: type[Struct], view: type[Struct], also: Sequence[str] = ()) -> type[Struct]:
    """Return the type of a game's deals on the wire. Posted deals may leave out fields that have a default.

    The fields are in the order of the view. Fields without a form have the view's types. `also` are view fields that
    can be computed from other fields; submitted deals may leave these out too.
    """
    fields, seen = declared(state), declared(view)
    places = [name if name in fields or name in also else name.removesuffix("_count") for name in seen]
    order = dict.fromkeys((*_FIRST, *[name for name in places if name in fields or name in also], *fields))
    made = {
        name: _on_wire(name, fields[name], seen.get(name)) if name in fields else (seen[name].type | None, None)
        for name in order
    }
    config = view.__struct_config__
    return msgspec.defstruct(
        "Deal",
        sorted(((name, *typed) for name, typed in made.items()), key=len),
        module=view.__module__,
        namespace={"__doc__": state.__doc__},
        frozen=True,
        forbid_unknown_fields=True,
        tag_field=config.tag_field,
        tag=config.tag,
    )


def _on_wire(name: str, field: FieldInfo, seen: FieldInfo | None) -> tuple[Any, ...]:
    """Return the type of a field on the wire, and the field's default if there is one."""
    wire = wire_type(field.type)
    if seen is not None and wire == bare(field.type):
        wire = seen.type
    if name == "options":
        return wire, field.type()
    if name in _DEFAULTS:
        return wire, _DEFAULTS[name]
    if may_be_left_out(field.type):
        return wire | None, None
    return (wire,) if field.default is NODEFAULT else (wire, encoded(field.type, field.default))


def encoded(annotation: Any, value: Any) -> Any:  # noqa: ANN401  (of any type)
    """Convert a stored value to its wire form."""
    form, within, entry_type = form_of(annotation), inner(annotation), entry(annotation)
    if value is None:
        return None
    if form is not None:
        return form.to_wire(value)
    if within is not None:
        return encoded(within, value)
    return value if entry_type is None else tuple([encoded(entry_type, one) for one in value])


def piles(place: str, annotation: Any, value: Any) -> Iterator[tuple[str, Iterable[str]]]:  # noqa: ANN401
    """Yield the place and the card codes of each pile in a value in wire form, except piles marked `ELSEWHERE`."""
    form, within, entry_type = form_of(annotation), inner(annotation), entry(annotation)
    if value is None or ELSEWHERE in said(annotation, Mark):
        return
    if form is not None:
        yield place, form.codes(value)
    elif within is not None:
        yield from piles(place, within, value)
    elif entry_type is not None:
        for number, one in enumerate(value):
            yield from piles(f"{place}[{number}]", entry_type, one)
