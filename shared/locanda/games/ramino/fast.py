"""A fast simulator for play-outs: the deal changes in place, without events and checks.

Cards are designs; hands and combinations are the packed counts of `locanda.games.ramino.deal`. Callers must make only
legal moves.
"""

from collections.abc import Callable, Iterable
from typing import Self

from locanda.games.ramino.deal import ON_TABLE, unpacked
from locanda.games.ramino.play import ONE_CARD, value
from locanda.games.ramino.types import DealState

Shuffled = Callable[[list[int]], list[int]]
"""Returns a list of cards in random order."""


BIT = [1 << 2 * card for card in range(20)]
"""Packed counts of a single card, by design."""


class Simulation:
    """A deal in play. `turn` is negative once the deal is over."""

    __slots__ = (
        "acted",
        "closer",
        "discards",
        "drawn",
        "hands",
        "idle",
        "melds",
        "opened",
        "options",
        "shuffled",
        "stock",
        "taken",
        "turn",
    )

    def __init__(self, deal: DealState, shuffled: Shuffled) -> None:
        self.options = deal.options
        self.shuffled = shuffled
        self.turn = -1 if deal.turn is None else deal.turn
        self.hands = list(deal.hands)
        self.stock = list(deal.stock)
        self.discards = list(deal.discards)
        self.melds = list(deal.melds)
        self.drawn = deal.drawn
        self.taken = 0 if deal.taken is None else BIT[deal.taken]
        """Packed count of the design taken from the discards in this turn, or 0."""
        self.opened = deal.opened
        self.acted = deal.acted
        self.idle = deal.idle
        self.closer = deal.closer

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.options = self.options
        other.shuffled = self.shuffled
        other.turn = self.turn
        other.hands = self.hands[:]
        other.stock = self.stock[:]
        other.discards = self.discards[:]
        other.melds = self.melds[:]
        other.drawn = self.drawn
        other.taken = self.taken
        other.opened = self.opened
        other.acted = self.acted
        other.idle = self.idle
        other.closer = self.closer
        return other

    def draw(self) -> None:
        """Draw from the stock. If it is empty, refill it from the discards or end the deal."""
        if not self.stock and not self._restock():
            return
        self.hands[self.turn] += BIT[self.stock.pop()]
        self.drawn = True

    def _restock(self) -> bool:
        """Refill the stock from the discards, or end the deal; return whether the stock now has cards."""
        if self.options.stock_end == "block":
            self.turn = -1
            return False
        below, self.discards = self.discards[:-1], self.discards[-1:]
        self.stock = below[::-1] if self.options.stock_end == "turn_over" else self.shuffled(below)
        return True

    def take(self) -> None:
        """Take the top discard."""
        self.taken = BIT[self.discards.pop()]
        self.hands[self.turn] += self.taken
        self.drawn = True

    def lay(self, cards: int) -> None:
        """Lay a combination."""
        if cards.bit_count() == ON_TABLE:
            self.melds.append(cards)
        else:
            self.discards += unpacked(cards)
        self._down(cards)

    def attach(self, card: int, meld: int) -> None:
        """Attach a card to a combination on the table; both are packed counts."""
        self.melds.remove(meld)
        self.discards += unpacked(meld + card)
        self._down(card)

    def _down(self, cards: int) -> None:
        self.acted = True
        self.hands[self.turn] -= cards
        if not self.hands[self.turn]:
            self._close()

    def _close(self) -> None:
        self.closer, self.turn = self.turn, -1

    def throw(self, card: int) -> None:
        """Discard a card of this design, which ends the turn."""
        seat = self.turn
        self.hands[seat] -= BIT[card]
        self.discards.append(card)
        if not self.hands[seat]:
            return self._close()
        if self.acted:
            self.opened |= 1 << seat
            self.idle = 0
        else:
            self.idle += 1
        self.acted = self.drawn = False
        self.taken = 0
        self.turn = seat + 1 if seat + 1 < len(self.hands) else 0
        if self.idle >= self.options.idle_rounds * len(self.hands) or (
            not self.melds and ONE_CARD.issuperset(self.hands)
        ):
            self.turn = -1
        return None

    def follow(self, steps: Iterable[tuple[int, int]], thrown: int) -> None:
        """Carry out steps, then discard. A step has cards, and the combination to attach them to or 0 to lay them.

        Cards are packed counts; `thrown` is 0 if the turn ends without a discard.
        """
        for cards, meld in steps:
            if meld:
                self.attach(cards, meld)
            else:
                self.lay(cards)
        if thrown:
            self.throw(thrown.bit_length() - 1 >> 1)

    def points(self) -> list[int]:
        """Return the penalty points of each seat once the deal is over."""
        if self.closer is None:
            counted = self.options.blocked_score == "count"
            return [value(hand) if counted else 0 for hand in self.hands]
        double = self.options.ramino_double and not self.opened >> self.closer & 1
        return [value(hand) << double for hand in self.hands]
