"""A seat's knowledge in Presidente, as integers: its hand, the table, known cards of others, and unseen cards."""

from dataclasses import dataclass

from locanda.cards import mask
from locanda.games.presidente.deal import cards_in_play, decoded
from locanda.games.presidente.fast import OVER, Combo, Rules, Simulation, combo_of, rules_of
from locanda.games.presidente.types import COMBINATION, View


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of the seat on turn. Cards are bit sets."""

    seat: int
    rules: Rules
    hand: int
    held: tuple[int, ...]
    """The known cards of each seat: the own hand, and the others' cards from the tax."""
    counts: tuple[int, ...]
    left_over: int
    """How many cards were left over and are not shown."""
    hidden: int
    """The cards that may lie in any other hand, or among those left over."""
    top: Combo | None
    inverted: bool
    view: View

    @property
    def unseen(self) -> int:
        """The cards that the other hands may hold."""
        return self.hidden | sum(self.held) ^ self.hand

    @property
    def fewest(self) -> int:
        """The number of cards of the shortest other hand."""
        return min(count for seat, count in enumerate(self.counts) if count and seat != self.seat)

    @property
    def owner(self) -> int:
        """The card count of the player of the combination on the table; 0 for an empty table."""
        return 0 if self.view.last is None else self.counts[self.view.last]

    def simulation(self, hands: list[int]) -> Simulation:
        """Return the simulation that begins here, with these hands."""
        view = self.view
        deal = Simulation(self.rules, hands, self.seat, inverted=self.inverted)
        deal.top = self.top
        deal.last = OVER if view.last is None else view.last
        deal.out = list(view.out)
        for seat in view.sitting_out:
            deal.sitting_out |= 1 << seat
        return deal


def knowledge_of(view: View) -> Knowledge:
    """Return the knowledge of the seat on turn from its view."""
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
