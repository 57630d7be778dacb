"""Declarations of a deal's fields: each once, in a game's `DealState`, with its compact stored form.

A field's type says what it is on the wire: a plain type is the same there; `Annotated` with a `Form` has another one,
such as a bit set, which is a list of cards on the wire. A game's `View` names what may be seen: what it does not name
is hidden. `wire_deal` makes the type of deals on the wire, `locanda.games.conversions` what leads from one to another.
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
O = TypeVar("O")  # noqa: E741  (options)

# --- forms

kept = lru_cache(maxsize=2**13)
"""Keeps the last results of a conversion to the wire: few piles change with a move."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Form(Generic[C]):
    """A compact form of values, and how they are written on the wire."""

    wire: Any
    """The type on the wire."""
    to_wire: Callable[[C], Any]
    from_wire: Callable[[Any], C]
    codes: Callable[[Any], Iterable[str]] = lambda _: ()
    """The cards in a value on the wire."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CardsForm(Form[C]):
    """A compact form of several cards."""

    to_wire: Callable[[C], tuple[str, ...]]
    codes: Callable[[Any], Iterable[str]] = iter
    size: Callable[[C], int]
    """How many cards a value has."""
    of: Callable[[Iterable[int]], C]
    """The value with these cards."""
    numbers: Mapping[str, int]
    """By code, the card."""


class CardForms:
    """The forms for the cards of a deck, which are numbered in the order of their codes."""

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
        """Different cards as a bit set; on the wire in the deck's order."""
        self.pile: CardsForm[bytes] = CardsForm(
            wire=tuple[card, ...],
            to_wire=spell_pile,
            from_wire=lambda spelled: bytes(numbered(spelled)),
            size=len,
            of=bytes,
            numbers=numbers,
        )
        """Cards in their order."""
        self.one: Form[int] = Form(
            wire=card, to_wire=codes.__getitem__, from_wire=numbers.__getitem__, codes=lambda spelled: (spelled,)
        )
        """A card."""


FRENCH = CardForms(CODES, FrenchCard)
"""The French pack, suit by suit."""
FRENCH_BY_RANK = CardForms(CODES_BY_RANK, FrenchCardOrJoker)
"""The French pack, rank by rank, the joker last."""

CardSet: TypeAlias = Annotated[int, FRENCH.set]
"""Cards of the French pack as a bit set."""
CardPile: TypeAlias = Annotated[bytes, FRENCH.pile]
"""Cards of the French pack in their order."""

SEED: Form[bytes] = Form(wire=Seed, to_wire=bytes.hex, from_wire=bytes.fromhex)
SEATS: Form[int] = Form(wire=tuple[SeatNumber, ...], to_wire=lambda bits: tuple(members(bits)), from_wire=mask)
"""Seats as a bit set; on the wire their numbers."""
FLAGS: Form[int] = Form(
    wire=tuple[bool, ...],
    to_wire=bool,
    from_wire=lambda flags: mask(seat for seat, flag in enumerate(flags) if flag),
)
"""Seats as a bit set; on the wire, by seat, whether it is one of them. How many there are is the deal's."""

# --- what else may be said of a field


@dataclass(frozen=True)
class EachSeat:
    """The field has an entry for each hand, and may be left out of a posted deal."""

    start: object = None
    """The default of each entry."""


@dataclass(frozen=True)
class Mark:
    """A mark in the declaration of a field."""

    name: str


LEFT_OUT = Mark("left out")
"""The field may be left out of a posted deal. It then has its default, or what the game's `checked` makes of it."""
ELSEWHERE = Mark("elsewhere")
"""The field's cards lie elsewhere as well, such as cards of a hand that are known."""


class BaseState(Struct, Generic[O], frozen=True, array_like=True, gc=False):
    """The state of a deal: everything that its next moves depend on, in the order in which it is stored.

    A game adds `hands` and its own fields, and as defaults what they are in a fresh deal. Nothing in a state can refer
    back to it, so that the garbage collector need not track it.
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
    """Return the objects of a kind in an `Annotated` type."""
    extra = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return [note for note in extra if isinstance(note, kind)]


def form_of(annotation: Any) -> Form[Any] | None:  # noqa: ANN401  (a type)
    """Return the form of a type's values, None if they are the same on the wire."""
    return next(iter(said(annotation, Form)), None)


def inner(annotation: Any) -> Any:  # noqa: ANN401  (types)
    """Return the type in an `Annotated` or optional one; None for another type."""
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation):
        return next(part_type for part_type in get_args(annotation) if part_type is not NoneType)
    return None


def entry(annotation: Any) -> Any:  # noqa: ANN401  (types)
    """Return the type of a tuple's entries; None for another type, and for a tuple of different types."""
    entries = {*get_args(annotation)} - {...} if get_origin(annotation) is tuple else set()
    return entries.pop() if len(entries) == 1 else None


def bare(annotation: Any) -> Any:  # noqa: ANN401  (types)
    """Return a type without its `Annotated` notes and those of its parts."""
    within, entry_type = inner(annotation), entry(annotation)
    if get_origin(annotation) is Annotated:
        return bare(within)
    if within is not None:
        return bare(within) | None
    return annotation if entry_type is None else tuple[bare(entry_type), ...]  # type: ignore[misc]


def may_be_left_out(annotation: Any) -> bool:  # noqa: ANN401  (a type)
    """Return whether a posted deal may leave out a field of a type, and has null then."""
    return bool(said(annotation, EachSeat)) or LEFT_OUT in said(annotation, Mark)


def wire_type(annotation: Any) -> Any:  # noqa: ANN401  (types)
    """Return the type on the wire of a type in a state."""
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
    """Return the type of a game's deals on the wire, in which a posted deal may leave out what has a default.

    The fields are in the order of the view; those that are not encoded have their types from there. `also` are fields
    of the view that follow from others, and may be left out.
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
    """Return the type of a field on the wire, and its default if it has one."""
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
    """Return a state's value in its wire form."""
    form, within, entry_type = form_of(annotation), inner(annotation), entry(annotation)
    if value is None:
        return None
    if form is not None:
        return form.to_wire(value)
    if within is not None:
        return encoded(within, value)
    return value if entry_type is None else tuple([encoded(entry_type, one) for one in value])


def piles(place: str, annotation: Any, value: Any) -> Iterator[tuple[str, Iterable[str]]]:  # noqa: ANN401
    """Yield the piles in a value on the wire, each with its place, except for cards marked `ELSEWHERE`."""
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
