"""A deal of Diavoletto in ranks, changed in place by moves: a second, faster copy of the rules to evolve weights.

A property test compares these rules with those of the game. Piles are byte strings of ranks, bottom first; hands are
sorted.
"""

from collections.abc import Callable
from typing import TypeAlias

from locanda.games.diavoletto.deal import COLUMNS, HAND, KING, MOST_BUILDS, SINGLE, WILD
from locanda.games.diavoletto.play import MOST_REDEALS, STALLED
from locanda.games.diavoletto.player.knowledge import (
    DISCARD,
    HAND_SOURCE,
    MAZZETTO_SOURCE,
    TO_RANKS,
    Outlook,
    Side,
    Step,
    packed,
)
from locanda.games.diavoletto.types import DealState

Shuffled: TypeAlias = Callable[[bytes], bytes]
"""A function that shuffles ranks. It receives them sorted."""


class Position:
    """A deal in which cards are only ranks."""

    __slots__ = (
        "advanced",
        "aside",
        "barren",
        "builds",
        "columns",
        "hands",
        "mazzetti",
        "moved",
        "options",
        "redeals",
        "refills",
        "stalled",
        "stock",
        "turn",
    )

    def __init__(self, deal: DealState) -> None:
        self.options = deal.options
        self.turn = deal.turn
        self.hands = [hand.translate(TO_RANKS) for hand in deal.hands]
        self.mazzetti = [pile.translate(TO_RANKS) for pile in deal.mazzetti]
        self.columns = [[pile.translate(TO_RANKS) for pile in columns] for columns in deal.columns]
        self.builds = [pile.translate(TO_RANKS) for pile in deal.builds]
        self.aside = deal.aside.translate(TO_RANKS)
        self.stock = deal.stock.translate(TO_RANKS)
        self.stalled, self.barren, self.refills, self.redeals = deal.stalled, deal.barren, deal.refills, deal.redeals
        self.moved, self.advanced = deal.moved, deal.advanced

    def copy(self) -> "Position":
        """Return an independent copy."""
        new = Position.__new__(Position)
        new.options, new.turn, new.aside, new.stock = self.options, self.turn, self.aside, self.stock
        new.stalled, new.barren, new.refills, new.redeals = self.stalled, self.barren, self.refills, self.redeals
        new.moved, new.advanced = self.moved, self.advanced
        new.hands, new.mazzetti, new.builds = self.hands.copy(), self.mazzetti.copy(), self.builds.copy()
        new.columns = [self.columns[0].copy(), self.columns[1].copy()]
        return new

    def win(self, seat: int) -> float:
        """Return a seat's share of the win of a deal that is over."""
        own, other = len(self.mazzetti[seat]), len(self.mazzetti[1 - seat])
        if own == other or (self.options.deadlock == "draw" and own and other):
            return 0.5
        return float(own < other)

    def outlook(self) -> Outlook:
        """Return the view of the seat on turn, with the number of cards of each rank that may still be drawn."""
        seat = self.turn or 0
        pool = self.stock + self.hands[1 - seat]
        if len(self.stock) < HAND:
            pool += self.aside
        options = self.options
        return Outlook(
            own=self._side(seat),
            other=self._side(1 - seat),
            hand=self.hands[seat],
            needs=packed(map(len, self.builds)),
            room=options.max_piles or MOST_BUILDS,
            pool=tuple(map(pool.count, range(WILD + 1))),
            drawable=len(self.stock) + len(self.aside),
            descending=options.discard_order == "descending",
            joker_discard=options.joker_discard,
            moved=self.moved,
        )

    def _side(self, seat: int) -> Side:
        pile = self.mazzetti[seat]
        return Side(pile[-1] if pile else KING, len(pile), tuple(self.columns[seat]), len(self.hands[seat]))

    # --- moves

    def play(self, step: Step, shuffled: Shuffled) -> None:
        """Play a legal move of the seat on turn."""
        kind, rank, target = step
        if kind <= MAZZETTO_SOURCE:
            self._build(kind, rank, target, shuffled)
            return
        seat = self.turn or 0
        if kind == DISCARD:
            self.hands[seat] = self.hands[seat].replace(SINGLE[rank], b"", 1)
            self.columns[seat][target] += SINGLE[rank]
            self.moved = True
        self._end_turn(seat, shuffled)

    def _build(self, source: int, rank: int, need: int, shuffled: Shuffled) -> None:
        seat = self.turn or 0
        self.moved = True
        self._lay(rank, need)
        if source < COLUMNS:
            self.columns[seat][source] = self.columns[seat][source][:-1]
        elif source == HAND_SOURCE:
            hand = self.hands[seat] = self.hands[seat].replace(SINGLE[rank], b"", 1)
            if not hand and (self.stock or self.aside):
                self._refill(seat, shuffled)
        else:
            self.mazzetti[seat] = self.mazzetti[seat][:-1]
            self.advanced, self.refills = True, 0
            if not self.mazzetti[seat]:
                self.turn = None

    def _lay(self, rank: int, need: int) -> None:
        if not need:
            self.builds.append(SINGLE[rank])
            return
        number = next(number for number, pile in enumerate(self.builds) if len(pile) == need)
        if need == KING:
            self.aside += self.builds.pop(number) + SINGLE[rank]
        else:
            self.builds[number] += SINGLE[rank]

    def _refill(self, seat: int, shuffled: Shuffled) -> None:
        self.refills += 1
        if self._idle() >= self.options.no_progress_turns:
            self._deadlock(seat, shuffled)
        else:
            self._draw(seat, shuffled)

    def _idle(self) -> int:
        return self.refills + (0 if self.advanced else self.barren)

    def _end_turn(self, seat: int, shuffled: Shuffled) -> None:
        self.barren = self._idle() + (not self.advanced)
        self.stalled = 0 if self.moved else self.stalled + 1
        self.moved = self.advanced = False
        self.refills = 0
        if self.stalled >= STALLED or self.barren >= self.options.no_progress_turns:
            self._deadlock(seat, shuffled)
        else:
            self._draw(1 - seat, shuffled)

    def _deadlock(self, seat: int, shuffled: Shuffled) -> None:
        if self.options.deadlock != "redeal" or self.redeals >= MOST_REDEALS:
            self.turn = None
            return
        piles = (self.stock, self.aside, *self.hands, *self.columns[0], *self.columns[1], *self.builds)
        self.stock, self.aside = shuffled(bytes(sorted(b"".join(piles)))), b""
        self.hands, self.builds = [b"", b""], []
        self.columns = [[b""] * COLUMNS, [b""] * COLUMNS]
        self.redeals += 1
        self.stalled = self.barren = self.refills = 0
        self.moved = self.advanced = False
        self._draw(1 - seat, shuffled)

    def _draw(self, seat: int, shuffled: Shuffled) -> None:
        wanted = HAND - len(self.hands[seat])
        if len(self.stock) < wanted and self.aside:
            self.stock, self.aside = shuffled(bytes(sorted(self.aside))) + self.stock, b""
        left = max(len(self.stock) - wanted, 0)
        self.hands[seat] = bytes(sorted(self.hands[seat] + self.stock[left:]))
        self.stock, self.turn = self.stock[:left], seat
