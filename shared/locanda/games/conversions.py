"""Converts a deal's state to its JSON form and to views, and back, with functions generated for each game.

Each function is compiled from one generated expression to be fast, because every move at every table calls it. The
expression calls a function for each field whose JSON form differs from the stored form.
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
"""Functions for view fields that are not fields of the deal, by name. They take deal and seat, and return wire form."""
Held: TypeAlias = Sequence[Sequence[str]]
"""Known cards of each hand, as codes."""


class Expressions:
    """Builds Python expressions, and stores the values that the expressions refer to by name."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def name(self, value: object) -> str:
        """Store a value and return the name that refers to it."""
        name = f"_{len(self._values)}"
        self._values[name] = value
        return name

    def function(self, parameters: str, expression: str) -> Callable[..., Any]:
        """Compile an expression into a function of these parameters."""
        function: Callable[..., Any] = eval(f"lambda {parameters}: {expression}", self._values)  # noqa: S307  (our own code)
        return function

    def converted(self, annotation: Any, value: str, way: Literal["to_wire", "from_wire"]) -> str:  # noqa: ANN401
        """Return an expression that converts `value` to or from its wire form; `value` if both forms are the same."""
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
    """Convert a bit set of seats to one bool for each seat."""
    return tuple([bool(bits >> seat & 1) for seat in range(players)])


def hand_form(state: type[Struct]) -> CardsForm[Any]:
    """Return the form of a hand's cards."""
    annotation = declared(state)["hands"].type
    while not isinstance(form := form_of(annotation), CardsForm):
        annotation = inner(annotation) or entry(annotation)
    return form


# --- to the wire


def writer(state: type[Struct], wire: type[Struct], shown: Shown) -> Callable[[Any], Any]:
    """Return a function from a deal to its wire form, hidden cards included."""
    made, fields = Expressions(), declared(state)
    values = [
        made.converted(fields[name].type, f"deal.{fields[name].name}", "to_wire")
        if name in fields
        else f"{made.name(shown[name])}(deal, None)"
        for name in declared(wire)
    ]
    return made.function("deal", f"{made.name(wire)}({', '.join(values)})")


def viewer(state: type[Struct], view: type[Struct], shown: Shown) -> Callable[[Any, int | None], Any]:
    """Return a function from a deal and a seat (None: spectator) to the seat's view, which has the type `view`.

    A view field has the value of the deal's field with the same name. `hand` and `counts` are computed from the hands,
    `<pile>_count` from a pile, and all other fields by `shown`.
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
    """Return a function from a view and hidden values to a deal, and the names of the fields taken from the view."""
    made, seen, values, taken = Expressions(), declared(view), [], set()
    for name, field in declared(state).items():
        if name != "hands" and name in seen and bare(wire_type(field.type)) == bare(seen[name].type):
            taken.add(field.name)
            values.append(made.converted(field.type, f"view.{seen[name].name}", "from_wire"))
        else:
            values.append(f"hidden[{field.name!r}]")
    return made.function("view, hidden", f"{made.name(state)}({', '.join(values)})"), frozenset(taken)


def restored(state: type[D], view: Struct, **hidden: Any) -> D:  # noqa: ANN401  (of any type)
    """Build a deal from a view; `hidden` has the fields that the view does not show, or shows only in part."""
    make, taken = _restorer(state, type(view))
    deal: D = make(view, hidden)
    changes = {name: value for name, value in hidden.items() if name in taken}
    return structs.replace(deal, **changes) if changes else deal


def own_hand(view: Any) -> Held:  # noqa: ANN401  (of any game)
    """Return the known cards of each hand, for games in which a view shows only the viewer's hand."""
    return [view.hand or () if seat == view.seat else () for seat in range(len(view.counts))]


def unseen_cards(state: type[Struct], view: Struct, pack: Iterable[int], held: Held) -> list[int]:
    """Return the cards of a pack that are not visible in the view and not in the known hands, in order."""
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
    """Return hands of the sizes in the view: the known cards, and cards taken from the end of `unseen`."""
    form = hand_form(state)
    hands = []
    for codes, count in zip(held, view.counts, strict=True):
        cards = [form.numbers[code] for code in codes]
        hands.append(form.of([*cards, *[unseen.pop() for _ in range(count - len(cards))]]))
    return tuple(hands)


def determinizer(
    state: type[D], view: type[V], pack: Callable[[Any, int], Iterable[int]], held: Callable[[Any], Held] = own_hand
) -> Callable[[V, Random], D]:
    """Return a function from a view to a deal that agrees with it, with the unseen cards placed at random."""
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
