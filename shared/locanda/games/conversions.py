"""Conversions from a deal's state to its wire form and to views, and back, made once for each game.

Each is a function of one expression, with a call for each field that has another form. It is written out here and
compiled, since every move of every table needs it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_origin

from msgspec import Struct, structs

from locanda.games.base import BaseView
from locanda.games.forms import FLAGS, CardsForm, bare, declared, entry, form_of, inner, piles, wire_type

D = TypeVar("D", bound=Struct)
V = TypeVar("V", bound=BaseView[Any, Any])

Shown: TypeAlias = Mapping[str, Callable[[Any, int | None], Any]]
"""Functions by view field that compute it from a deal for a seat, in wire form; for fields that the deal lacks."""
Held: TypeAlias = Sequence[Sequence[str]]
"""Cards of each hand."""


class Expressions:
    """Expressions of Python, and the values to which they give names."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def name(self, value: object) -> str:
        """Return a name for a value."""
        name = f"_{len(self._values)}"
        self._values[name] = value
        return name

    def function(self, parameters: str, expression: str) -> Callable[..., Any]:
        """Return the function that an expression makes of parameters."""
        function: Callable[..., Any] = eval(f"lambda {parameters}: {expression}", self._values)  # noqa: S307  (our own)
        return function

    def converted(self, annotation: Any, value: str, way: Literal["to_wire", "from_wire"]) -> str:  # noqa: ANN401
        """Return the expression of a value in its other form; the same expression if it has none."""
        form, within, entry_type = form_of(annotation), inner(annotation), entry(annotation)
        if form is FLAGS and way == "to_wire":
            return f"{self.name(flags)}({value}, len(deal.hands))"
        if form is not None:
            return f"{self.name(getattr(form, way))}({value})"
        if within is not None:
            expression = self.converted(within, value, way)
            plain = expression == value or get_origin(annotation) is Annotated
            return expression if plain else f"(None if {value} is None else {expression})"
        if form := form_of(entry_type):
            return f"tuple(map({self.name(getattr(form, way))}, {value}))"
        expression = "each" if entry_type is None else self.converted(entry_type, "each", way)
        return value if expression == "each" else f"tuple([{expression} for each in {value}])"


@lru_cache(maxsize=2**10)
def flags(bits: int, players: int) -> tuple[bool, ...]:
    """Return, by seat, whether it is in a bit set."""
    return tuple([bool(bits >> seat & 1) for seat in range(players)])


def hand_form(state: type[Struct]) -> CardsForm[Any]:
    """Return the form of each hand."""
    annotation = declared(state)["hands"].type
    while not isinstance(form := form_of(annotation), CardsForm):
        annotation = inner(annotation) or entry(annotation)
    return form


# --- to the wire


def writer(state: type[Struct], wire: type[Struct], shown: Shown) -> Callable[[Any], Any]:
    """Return the function from a deal to its form on the wire, hidden cards included."""
    made, fields = Expressions(), declared(state)
    values = [
        made.converted(fields[name].type, f"deal.{fields[name].name}", "to_wire")
        if name in fields
        else f"{made.name(shown[name])}(deal, None)"
        for name in declared(wire)
    ]
    return made.function("deal", f"{made.name(wire)}({', '.join(values)})")


def viewer(state: type[Struct], view: type[Struct], shown: Shown) -> Callable[[Any, int | None], Any]:
    """Return the function from a deal to the view of a seat, or of a spectator (None): the fields of the view's type.

    A view's fields are those of the deal; `hand` and `counts`, of the hands; `<pile>_count`; and what `shown` makes.
    """
    made, fields, hand = Expressions(), declared(state), hand_form(state)
    values = {
        "seat": "seat",
        "hand": f"None if seat is None else {made.name(hand.to_wire)}(deal.hands[seat])",
        "counts": f"tuple(map({made.name(hand.size)}, deal.hands))",
    }
    for name, field in declared(view).items():
        pile = fields.get(name.removesuffix("_count"))
        if name in shown:
            values[name] = f"{made.name(shown[name])}(deal, seat)"
        elif name in fields and bare(wire_type(fields[name].type)) == bare(field.type):
            values[name] = made.converted(fields[name].type, f"deal.{fields[name].name}", "to_wire")
        elif pile is not None and isinstance(form := form_of(pile.type), CardsForm):
            values[name] = f"{made.name(form.size)}(deal.{pile.name})"
        elif name not in values:
            raise TypeError(f"{view.__module__}: nothing says what `{name}` of a view shows")
    return made.function("deal, seat", f"{made.name(view)}({', '.join([values[name] for name in declared(view)])})")


# --- from a view


@cache
def _restorer(state: type[Struct], view: type[Struct]) -> tuple[Callable[..., Any], frozenset[str]]:
    """Return the function from a view and hidden values to a deal, and the names of the fields that the view has."""
    made, seen, values, taken = Expressions(), declared(view), [], set()
    for name, field in declared(state).items():
        if name != "hands" and name in seen and bare(wire_type(field.type)) == bare(seen[name].type):
            taken.add(field.name)
            values.append(made.converted(field.type, f"view.{seen[name].name}", "from_wire"))
        else:
            values.append(f"hidden[{field.name!r}]")
    return made.function("view, hidden", f"{made.name(state)}({', '.join(values)})"), frozenset(taken)


def restored(state: type[D], view: Struct, **hidden: Any) -> D:  # noqa: ANN401  (of all types)
    """Return a deal with the cards that a view shows; `hidden` are the fields that the view hides, or shows in part."""
    make, taken = _restorer(state, type(view))
    deal: D = make(view, hidden)
    changes = {name: value for name, value in hidden.items() if name in taken}
    return structs.replace(deal, **changes) if changes else deal


def own_hand(view: Any) -> Held:  # noqa: ANN401  (of any game)
    """Return the cards of each hand in a view that shows only the viewer's."""
    return [view.hand or () if seat == view.seat else () for seat in range(len(view.counts))]


def unseen_cards(state: type[Struct], view: Struct, pack: Iterable[int], held: Held) -> list[int]:
    """Return the cards of a pack that are neither in a pile that a view shows nor among those held, in order."""
    fields, seen, left = declared(state), declared(type(view)), Counter(pack)
    numbers = hand_form(state).numbers
    for name in seen:
        if name in fields and name != "hands":
            for _, codes in piles(name, fields[name].type, getattr(view, seen[name].name)):
                left.subtract([numbers[code] for code in codes])
    for codes in held:
        left.subtract([numbers[code] for code in codes])
    return sorted((+left).elements())


def filled(state: type[Struct], view: Any, unseen: list[int], held: Held) -> tuple[Any, ...]:  # noqa: ANN401
    """Return hands of the sizes that a view shows: the cards held, and unseen ones, which are removed."""
    form = hand_form(state)
    hands = []
    for codes, count in zip(held, view.counts, strict=True):
        cards = [form.numbers[code] for code in codes]
        hands.append(form.of([*cards, *[unseen.pop() for _ in range(count - len(cards))]]))
    return tuple(hands)


def determinizer(
    state: type[D],
    view: type[V],
    pack: Callable[[Any, int], Iterable[int]],
    held: Callable[[Any], Held] = own_hand,
) -> Callable[[V, Random], D]:
    """Return the function from a view to a deal that agrees with it; unseen cards are placed at random."""
    counted = {
        field.name: (f"{name}_count", form)
        for name, field in declared(state).items()
        if f"{name}_count" in declared(view) and isinstance(form := form_of(field.type), CardsForm)
    }

    def determinize(seen: V, rng: Random) -> D:
        known = held(seen)
        unseen = unseen_cards(state, seen, pack(seen.options, len(seen.counts)), known)
        rng.shuffle(unseen)
        hidden: dict[str, Any] = {"hands": filled(state, seen, unseen, known), "seed": rng.randbytes(32)}
        for name, (count, form) in counted.items():
            hidden[name] = form.of(unseen[: getattr(seen, count)])
        return restored(state, seen, **hidden)

    return determinize
