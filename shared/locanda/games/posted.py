"""Reads deals that clients submit to the stateless calls, with the checks that all games share."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from locanda.games.base import SeatNumber
from locanda.games.conversions import Expressions, hand_form
from locanda.games.forms import FLAGS, EachSeat, declared, entry, form_of, inner, may_be_left_out, piles, said
from locanda.games.game import MalformedDealError


def reader(
    state: type[Struct],
    wire: type[Struct],
    seats: Callable[[Any], range],
    pack: Callable[[Any, int], Iterable[int]],
    checked: Callable[[Any, Any], Any],
) -> Callable[[Any], Any]:
    """Return a function from a submitted deal, which may be incomplete, to its state.

    The function raises `MalformedDealError` for an invalid deal. `checked` is the game's own check: it gets the state
    and the submitted deal, fills in missing values, and raises the same error.
    """
    make = _maker(state)
    of_seats = [name for name, field in declared(wire).items() if _names_seats(field.type)]
    by_seat = [name for name, field in declared(state).items() if said(field.type, EachSeat)]

    def from_wire(wire_deal: Any) -> Any:  # noqa: ANN401  (of any game)
        players = len(wire_deal.hands)
        if players not in seats(wire_deal.options):
            raise MalformedDealError("hands: these options do not admit so many players")
        for name in of_seats:
            if any(seat >= players for seat in _seats(getattr(wire_deal, name))):
                raise MalformedDealError(f"{name}: no such seat")
        for name in by_seat:
            if len(getattr(wire_deal, name) or wire_deal.hands) != players:
                raise MalformedDealError(f"{name}: there must be one entry for each hand")
        _check_cards(state, wire_deal, pack(wire_deal.options, players))
        return checked(make(wire_deal), wire_deal)

    return from_wire


def _maker(state: type[Struct]) -> Callable[[Any], Any]:
    """Return a function that converts a submitted deal to a state, with defaults for missing fields."""
    made, values = Expressions(), []
    for name, field in declared(state).items():
        value = made.converted(field.type, f"deal.{name}", "from_wire")
        if may_be_left_out(field.type):
            starts = [] if form_of(field.type) is FLAGS else said(field.type, EachSeat)
            start = f"({made.name(starts[0].start)},) * len(deal.hands)" if starts else made.name(field.default)
            value = f"({value} if deal.{name} else {start})"
        values.append(value)
    return made.function("deal", f"{made.name(state)}({', '.join(values)})")


def _names_seats(annotation: Any) -> bool:  # noqa: ANN401  (a type)
    """Return whether a field is a seat number or a list of seat numbers."""
    if annotation == SeatNumber:
        return True
    within = inner(annotation) or entry(annotation)
    return within is not None and _names_seats(within)


def _seats(value: int | tuple[int, ...] | None) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _check_cards(state: type[Struct], wire_deal: Any, pack: Iterable[int]) -> None:  # noqa: ANN401  (of any game)
    """Refuse a card that is not in the pack, or that the deal has more often than the pack."""
    numbers, left = hand_form(state).numbers, Counter(pack)
    wrong = "is not in the pack, or is there twice" if max(left.values()) == 1 else "is there more than twice"
    for place, codes in _piles(state, wire_deal):
        for code in codes:
            left[numbers[code]] -= 1
            if left[numbers[code]] < 0:
                raise MalformedDealError(f"{place}: {code} {wrong}")


def _piles(state: type[Struct], wire_deal: Any) -> Iterator[tuple[str, Iterable[str]]]:  # noqa: ANN401  (of any game)
    for name, field in declared(state).items():
        yield from piles(name, field.type, getattr(wire_deal, name))
