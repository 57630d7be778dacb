"""Lists all possible turns after the draw. Converts views to numbers for planning, and plans to moves."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Self, TypeAlias

from locanda.cards.cuccu import CARDS, CODES
from locanda.games.ramino.deal import ON_TABLE, RUNS, SETS, codes, designs
from locanda.games.ramino.moves import held, takers
from locanda.games.ramino.types import EACH, Attach, Discard, Meld, Move, View, packed

Melds: TypeAlias = tuple[int, ...]
"""The combinations on the table in ascending order, so that tables with the same combinations compare equal."""

TAKERS = {cards: takers(cards) for cards in (*SETS, *RUNS) if cards.bit_count() == ON_TABLE}
"""The designs that can be attached to each possible combination on the table."""


class Step(NamedTuple):
    """Cards that are laid or attached together."""

    cards: int
    """A combination, or one card to attach."""
    meld: int
    """The combination that the card is attached to, or 0 for a new combination."""


class Plan(NamedTuple):
    """All actions of a turn after the draw."""

    steps: tuple[Step, ...]
    thrown: int
    """Packed count of the discarded card; 0 if the hand is empty before the discard."""
    hand: int
    melds: Melds
    """The combinations on the table at the end of the turn."""


def plans(hand: int, melds: Melds, *, barred: int, long: bool) -> Iterator[Plan]:
    """Yield a plan for each reachable hand and table with each discard, except those in `barred`.

    `barred` is a set of designs that may only be discarded if nothing else is left. `long` is the option `long_scala`.
    """
    for (left, table), steps in outcomes(hand, melds, long=long).items():
        if not left:
            yield Plan(steps, 0, 0, table)
        has = designs(left)
        for card in apart(has & ~barred or has):
            yield Plan(steps, card, left - card, table)


def outcomes(hand: int, melds: Melds, *, long: bool) -> dict[tuple[int, Melds], tuple[Step, ...]]:
    """Return the hands and tables that can be reached by laying and attaching cards, with the steps to each of them."""
    if not designs(hand) & taken_by(melds) and not held(hand, long=long):
        return {(hand, melds): ()}
    return _outcomes(hand, melds, long)


@lru_cache(maxsize=2**12)
def _outcomes(hand: int, melds: Melds, long: bool) -> dict[tuple[int, Melds], tuple[Step, ...]]:  # noqa: FBT001
    outcomes: dict[tuple[int, Melds], tuple[Step, ...]] = {(hand, melds): ()}
    ahead = [(hand, melds)]
    while ahead:
        here = ahead.pop()
        for step, following in _next(*here, long=long):
            if following not in outcomes:
                outcomes[following] = (*outcomes[here], step)
                ahead.append(following)
    return outcomes


def _next(hand: int, melds: Melds, *, long: bool) -> Iterator[tuple[Step, tuple[int, Melds]]]:
    for cards in held(hand, long=long):
        laid = tuple(sorted((*melds, cards))) if cards.bit_count() == ON_TABLE else melds
        yield Step(cards, 0), (hand - cards, laid)
    has = designs(hand)
    for place, meld in enumerate(melds):
        for card in apart(TAKERS[meld] & has):
            yield Step(card, meld), (hand - card, melds[:place] + melds[place + 1 :])


def taken_by(melds: Melds) -> int:
    """Return the set of designs that can be attached to these combinations."""
    open_to = 0
    for meld in melds:
        open_to |= TAKERS[meld]
    return open_to


@lru_cache(maxsize=2**14)
def apart(cards: int) -> tuple[int, ...]:
    """Split a set of designs into sets of one."""
    return tuple(card for card in _SINGLE if card & cards)


_SINGLE = tuple(card for number in range(EACH.bit_count()) if (card := 1 << 2 * number))


# --- positions


class Position(NamedTuple):
    """The part of a view that planning needs."""

    hand: int
    laid: Melds
    """The combinations on the table, in the order of the view."""
    barred: int
    """The design that may not be discarded, or 0."""
    sizes: tuple[int, ...]
    """Number of cards of the other seats, in order from the next seat."""
    long: bool
    """Whether runs of more than four cards may be laid."""

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
        """The combinations on the table, in ascending order."""
        return tuple(sorted(self.laid))

    def plans(self) -> Iterator[Plan]:
        """Yield all plans for the rest of the turn, after the draw."""
        return plans(self.hand, self.melds, barred=self.barred, long=self.long)

    def move(self, plan: Plan) -> Move:
        """Return the first move of a plan."""
        return self.step(plan.steps[0]) if plan.steps else Discard(code(plan.thrown))

    def openings(self, plan: Plan) -> list[Move]:
        """Return the possible first moves of a plan, beginning with the one that the method `move` returns."""
        if not plan.steps:
            return [self.move(plan)]
        return list(dict.fromkeys(self.step(step) for step in plan.steps if not step.meld or step.meld in self.laid))

    def step(self, step: Step) -> Move:
        """Return the move that lays or attaches these cards."""
        if step.meld:
            return Attach(code(step.cards), self.laid.index(step.meld))
        return Meld(codes(step.cards))


def code(card: int) -> str:
    """Return the code of a single card, given as a packed count."""
    return CODES[card.bit_length() - 1 >> 1]
