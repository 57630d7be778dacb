"""A seat's certain knowledge about hidden cards, from its view and the public events of the deal.

Two facts go beyond the view. Captured cards are in no hand. If players must beat when they can, a pass proves that the
seat had no card that beats the top card at that moment; the seat may draw such a card later.

Others cannot tell which draw brought which card. So the facts are stored as *slots*, one for each card of a hand: a
hand agrees with the facts if each of its cards can be assigned to a different slot.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, chain

from locanda.cards import CARDS, mask
from locanda.games.base import Passed
from locanda.games.gatto_rosso.fast import NOBODY, Rules, rules_of
from locanda.games.gatto_rosso.rules import HAND, cards_in_play
from locanda.games.gatto_rosso.types import Event, Played, Refilled, TrickTaken, View
from locanda.games.players import Situation


@dataclass(frozen=True, slots=True)
class Slot:
    """A hidden card of a hand: the cards that it may be."""

    seat: int
    allowed: int
    """Bit set of the cards that it may be."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A seat's knowledge about the cards that it does not see."""

    hidden: int
    """Bit set of the cards in other hands and in the stock. Without history it includes captured cards."""
    slots: tuple[Slot, ...]
    """A slot for each card in other hands, the most restricted first."""
    bound: int
    """Number of restricted slots, which do not admit every hidden card; they come first."""
    contested: bool
    """Whether the restricted slots are in more than one hand."""


@dataclass(slots=True)
class _Seat:
    """The public record of a seat."""

    drawn: list[int] = field(default_factory=lambda: [HAND])
    """Number of cards dealt to the seat at the start and at each refill (a *draw*)."""
    refused: list[int] = field(default_factory=lambda: [0])
    """For each draw, bit set of the cards that the seat cannot have held between this draw and the next."""
    bound: list[int] = field(default_factory=list)
    """For each card played, the number of the earliest draw in which the seat can have got it."""

    def plays(self, card: int) -> None:
        latest = [number for number, cards in enumerate(self.refused) if cards >> card & 1]
        self.bound.append(latest[-1] + 1 if latest else 0)

    def draws(self, cards: int) -> None:
        self.drawn.append(cards)
        self.refused.append(0)

    def allowed(self, held: int) -> list[int]:
        """Return, for each card still held, the bit set of cards that it may be.

        Let `n(d)` be the number of cards drawn in draw `d` or later, minus the played cards that must come from these
        draws. At most `n(d)` of the held cards come from draw `d` or later (Hall's theorem for intervals with a
        common end).
        """
        draws = range(len(self.drawn))
        late = [sum(self.drawn[count:]) - sum(bound >= count for bound in self.bound) for count in draws]
        most = [min(held, number) for number in accumulate(late, min)]
        free = [sum(number > place for number in most) - 1 for place in range(held)]
        refused = list(accumulate(reversed(self.refused), int.__or__))[::-1]
        return [~refused[max(0, draw)] for draw in free]


def hidden_cards(situation: Situation[View, Event]) -> int:
    """Return the cards in other hands and in the stock as a bit set. Without history it includes captured cards."""
    view = situation.view
    taken = [event.cards for event in situation.history or () if isinstance(event, TrickTaken)]
    seen = mask(map(CARDS.__getitem__, chain(view.hand or (), view.table, *taken)))
    return mask(cards_in_play(view.options)) & ~seen


def knowledge(situation: Situation[View, Event]) -> Knowledge:
    """Compute the knowledge of the seat in whose view the situation is."""
    view, hidden = situation.view, hidden_cards(situation)
    rules = rules_of(view.options)
    if situation.history is None:
        seats = _by_view(view, rules)
    else:
        seats = _by_history(situation.history, len(view.counts), rules)
    slots = [
        Slot(seat, allowed)
        for seat, held in enumerate(view.counts)
        if seat != view.seat
        for allowed in seats[seat].allowed(held)
    ]
    slots.sort(key=lambda slot: (slot.allowed & hidden).bit_count())
    bound = [slot for slot in slots if hidden & ~slot.allowed]
    return Knowledge(hidden, tuple(slots), len(bound), len({slot.seat for slot in bound}) > 1)


def _by_history(history: Iterable[Event], players: int, rules: Rules) -> list[_Seat]:
    seats = [_Seat() for _ in range(players)]
    top = NOBODY
    for event in history:
        if isinstance(event, Played):
            top = CARDS[event.card]
            seats[event.seat].plays(top)
        elif isinstance(event, Passed) and not rules.free_pass:
            seats[event.seat].refused[-1] |= rules.beaters[top]
        elif isinstance(event, Refilled):
            for seat, drawn in zip(seats, event.drawn, strict=True):
                seat.draws(drawn)
    return seats


def _by_view(view: View, rules: Rules) -> list[_Seat]:
    """Return the records of all seats from the view alone, with only the passes on the current top card.

    If passing is final for a trick, seats that passed before the top card was played are skipped. Then it is unknown
    which of the seats in between passed on it, and the records stay empty.
    """
    seats = [_Seat(drawn=[held]) for held in view.counts]
    if view.table and view.last is not None and view.turn is not None and not rules.free_pass:
        between = (view.turn - view.last) % len(seats)
        for step in range(1, between if view.passes >= between - 1 else 0):
            seats[(view.last + step) % len(seats)].refused[0] = rules.beaters[CARDS[view.table[-1]]]
    return seats
