"""A seat's knowledge, as integers: its hand, the table, others' cards known from the tax, and the unseen cards."""

from dataclasses import dataclass

from locanda.cards import mask
from locanda.games.presidente.deal import cards_in_play, decoded
from locanda.games.presidente.fast import OVER, Combo, Rules, Simulation, combo_of, rules_of
from locanda.games.presidente.types import COMBINATION, View


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of the seat on turn. Sets of cards are bit sets."""

    seat: int
    rules: Rules
    hand: int
    held: tuple[int, ...]
    """The known cards of each seat: its own hand, and the cards of others known from the tax."""
    counts: tuple[int, ...]
    left_over: int
    """Number of cards that were neither dealt nor shown."""
    hidden: int
    """Cards that may be in any other hand or among those not dealt."""
    top: Combo | None
    inverted: bool
    view: View

    @property
    def unseen(self) -> int:
        """Cards that other hands may hold."""
        return self.hidden | sum(self.held) ^ self.hand

    @property
    def fewest(self) -> int:
        """Number of cards in the shortest other hand."""
        return min(count for seat, count in enumerate(self.counts) if count and seat != self.seat)

    @property
    def owner(self) -> int:
        """Number of cards of the player whose combination is on the table; 0 if the table is empty."""
        return 0 if self.view.last is None else self.counts[self.view.last]

    def simulation(self, hands: list[int]) -> Simulation:
        """Return a simulation of the rest of the deal with these hands."""
        view = self.view
        deal = Simulation(self.rules, hands, self.seat, inverted=self.inverted)
        deal.top = self.top
        deal.last = OVER if view.last is None else view.last
        deal.out = list(view.out)
        for seat in view.sitting_out:
            deal.sitting_out |= 1 << seat
        return deal


def knowledge_of(view: View) -> Knowledge:
    """Return the knowledge that the seat on turn has from its view. Raises `ValueError` for a spectator's view."""
    if view.seat is None or view.hand is None:
        raise ValueError("a spectator has nothing to choose")
    held = [0] * len(view.counts)
    for fact in view.known:
        held[fact.seat] |= decoded(fact.cards)
    held[view.seat] = decoded(view.hand)
    table = None if view.table is None else COMBINATION.from_wire(view.table)
    shown = decoded(view.shown)
    seen = sum(held) | shown | decoded(view.gone) | (table.cards if table else 0)
    return Knowledge(
        seat=view.seat,
        rules=rules_of(view.options),
        hand=held[view.seat],
        held=tuple(held),
        counts=view.counts,
        left_over=view.stock_count - shown.bit_count(),
        hidden=mask(cards_in_play(view.options)) & ~seen,
        top=None if table is None else combo_of(table),
        inverted=view.inverted,
        view=view,
    )
