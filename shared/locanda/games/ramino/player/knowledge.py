"""Facts about hidden cards that follow from a deal's events, in particular after discards became the stock.

When discards become the stock, all seats know the cards in the new stock, and that all other hidden cards are in hands.
From then on, each hand consists of cards held at that moment and cards drawn from that stock. If the discards were
turned over instead of shuffled, all seats also know the order of the stock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from locanda.cards.cuccu import CARDS, PACK
from locanda.games.ramino.deal import HAND, ON_TABLE, without
from locanda.games.ramino.types import Attached, DealOver, Discarded, Drew, Event, Melded, Restocked, View, packed, size

UNKNOWN = -1
"""Stands for the card turned up at the deal, if no event has named it."""


@dataclass(slots=True)
class Proof:
    """A hidden card that a seat showed later or holds at the end, as proof that the seat held the card earlier."""

    seat: int
    card: int
    draws: int
    """Number of times that the seat had drawn from the stock when it showed the card."""


@dataclass(slots=True)
class Epoch:
    """The turns between two refills of the stock."""

    stock: list[int]
    """Cards of the stock; `UNKNOWN` stands for the card turned up at the deal."""
    held: int
    """Packed counts of the unseen cards that are not in the stock and so must be in hands. With `UNKNOWN` in the
    stock, there is one card too many."""
    hidden: list[int]
    """Number of unseen cards of each seat at the start of the epoch."""
    draws: list[int]
    """Number of draws of each seat from this stock."""
    proofs: list[Proof] = field(default_factory=list)


@dataclass(slots=True)
class Knowledge:
    """Certain knowledge about the hidden cards of a deal."""

    sure: list[int]
    """Packed counts of the cards that each seat certainly holds."""
    epochs: list[Epoch] = field(default_factory=list)
    """Epochs since the first refill of the stock; empty if the stock was never refilled, or was turned over."""
    stock: list[int] | None = None
    """The stock in order, if the discards were turned over."""


def knowledge(view: View, history: Sequence[Event] | None) -> Knowledge:
    """Return the facts that the view and the events since the deal prove. Ignore events that contradict the view."""
    sure = [packed(CARDS[code] for code in known) for known in view.known]
    plain = Knowledge(sure)
    if history is None or not any(isinstance(event, Restocked) for event in history):
        return plain
    replay = _Replay(view)
    for event in history:
        replay.see(event)
    if not replay.agrees():
        return plain
    if view.options.stock_end == "turn_over":
        return Knowledge(replay.sure, stock=replay.stock)
    return Knowledge(sure, epochs=replay.epochs)


class _Replay:
    """Follows the events of a deal, using only public knowledge."""

    def __init__(self, view: View) -> None:
        players = len(view.counts)
        self._view = view
        self._turned_over = view.options.stock_end == "turn_over"
        self._discards = [UNKNOWN]
        self._melds: list[int] = []
        self._sizes = [HAND] * players
        self._stock_count = len(PACK) - HAND * players - 1
        self.stock: list[int] | None = None
        self.sure = [0] * players
        self.epochs: list[Epoch] = []

    def agrees(self) -> bool:
        """Return whether the events lead to the view."""
        view = self._view
        return (
            tuple(self._sizes) == view.counts
            and self._stock_count == view.stock_count
            and len(self._discards) == len(view.discards)
            and self._melds == [_counts(meld) for meld in view.melds]
        )

    def see(self, event: Event) -> None:
        """Follow an event."""
        match event:
            case Drew(seat, "discards", str(code)):
                self._discards.pop()
                self._sizes[seat] += 1
                self.sure[seat] += 1 << 2 * CARDS[code]
            case Drew(seat):
                self._draw(seat)
            case Restocked():
                self._restock()
            case Melded(seat, codes):
                cards = [CARDS[code] for code in codes]
                self._lose(seat, cards)
                if len(cards) == ON_TABLE:
                    self._melds.append(packed(cards))
                else:
                    self._discards += cards
            case Attached(seat, code, meld, four):
                self._lose(seat, [CARDS[code]])
                del self._melds[meld]
                self._discards += [CARDS[card] for card in four]
            case Discarded(seat, code):
                self._lose(seat, [CARDS[code]])
                self._discards.append(CARDS[code])
            case DealOver():
                pass

    def _draw(self, seat: int) -> None:
        self._sizes[seat] += 1
        self._stock_count -= 1
        if self.epochs:
            self.epochs[-1].draws[seat] += 1
        if self.stock is not None and (card := self.stock.pop()) != UNKNOWN:
            self.sure[seat] += 1 << 2 * card

    def _lose(self, seat: int, cards: Sequence[int]) -> None:
        """Remove cards from a hand. If the hand has a known and an unknown copy, the known copy counts as gone."""
        self._sizes[seat] -= len(cards)
        for card in cards:
            if self.sure[seat] >> 2 * card & 3:
                self.sure[seat] = without(self.sure[seat], 1 << 2 * card)
            elif self.epochs:
                epoch = self.epochs[-1]
                epoch.proofs.append(Proof(seat, card, epoch.draws[seat]))

    def _restock(self) -> None:
        below, self._discards = self._discards[:-1], self._discards[-1:]
        self._stock_count = len(below)
        if self._turned_over:
            self.stock = below[::-1]
            return
        seen = sum(self.sure) + sum(self._melds) + packed(card for card in (*below, *self._discards) if card >= 0)
        hidden = [cards - size(sure) for cards, sure in zip(self._sizes, self.sure, strict=True)]
        self.epochs.append(Epoch(below, packed(PACK) - seen, hidden, [0] * len(hidden)))


def _counts(cards: Sequence[str]) -> int:
    return packed(CARDS[code] for code in cards)
