"""What the seat on turn sees, as numbers; and plans as moves of the game."""

from collections.abc import Iterator
from typing import NamedTuple, Self

from locanda.cuccu import CARDS, CODES
from locanda.games.ramino import Attach, Discard, Meld, Move, View
from services.engine.games.ramino.state import codes, packed
from services.engine.players.ramino.plans import Melds, Plan, Step, plans


class Position(NamedTuple):
    """The part of a view that a turn is planned by."""

    hand: int
    laid: Melds
    """The combinations of the table, in the order in which the view has them."""
    barred: int
    """The design that may not be discarded, or 0."""
    sizes: tuple[int, ...]
    """How many cards the seats hold, from the next one on; without one's own."""
    long: bool
    """Whether long runs may be laid."""

    @classmethod
    def of(cls, view: View) -> Self:
        """Return the position of a seat's view."""
        seat = view.seat or 0
        barred = view.taken is not None and not view.options.return_taken
        return cls(
            hand=packed(CARDS[code] for code in view.hand or ()),
            laid=tuple(packed(CARDS[code] for code in meld) for meld in view.melds),
            barred=packed([CARDS[view.taken]]) if view.taken is not None and barred else 0,
            sizes=view.counts[seat + 1 :] + view.counts[:seat],
            long=view.options.long_scala,
        )

    @property
    def melds(self) -> Melds:
        """The combinations of the table, in ascending order."""
        return tuple(sorted(self.laid))

    def plans(self) -> Iterator[Plan]:
        """Yield all that the rest of the turn can come to, once the card is drawn."""
        return plans(self.hand, self.melds, barred=self.barred, long=self.long)

    def move(self, plan: Plan) -> Move:
        """Return the first move of a plan."""
        return self.step(plan.steps[0]) if plan.steps else Discard(code(plan.thrown))

    def openings(self, plan: Plan) -> list[Move]:
        """Return the moves that a plan may begin with, the one of `move` first."""
        if not plan.steps:
            return [self.move(plan)]
        return list(dict.fromkeys(self.step(step) for step in plan.steps if not step.meld or step.meld in self.laid))

    def step(self, step: Step) -> Move:
        """Return the move that lays or attaches these cards."""
        if step.meld:
            return Attach(code(step.cards), self.laid.index(step.meld))
        return Meld(codes(step.cards))


def code(card: int) -> str:
    """Return the code of a design, given as a packed count."""
    return CODES[card.bit_length() - 1 >> 1]
