"""Solves endings in which only two hands are left and both are known."""

from collections.abc import Iterable

from locanda.games.presidente.deal import ALL
from locanda.games.presidente.fast import BY_MOVE, COMBOS, OVER, Combo, Simulation, forbidden
from locanda.games.presidente.moves import answers, leads
from locanda.games.presidente.player.knowledge import Knowledge

CARDS, POSITIONS = 20, 10_000
"""Limits for solving an ending, in cards and positions. An ending at the limits takes about 50 ms."""

RANKED = dict(zip(COMBOS, ALL, strict=True))
"""The combination, as the rules have it, for each `Combo`."""


class _TooLongError(Exception):
    """The ending has too many positions."""


def ending_of(known: Knowledge) -> Simulation | None:
    """Return the deal if only two seats have cards, few enough to solve it, and the seat on turn knows all of them.

    Returns None otherwise.
    """
    others = [seat for seat, count in enumerate(known.counts) if count and seat != known.seat]
    if len(others) != 1 or known.left_over or known.view.dues or sum(known.counts) > CARDS:
        return None
    hands = [0] * len(known.counts)
    hands[known.seat], hands[others[0]] = known.hand, known.unseen
    return known.simulation(hands)


def winning(ending: Simulation, candidates: Iterable[Combo | None]) -> list[Combo | None] | None:
    """Return the candidates that surely go out first; None if the ending has too many positions."""
    solver = _Solver()
    try:
        return [combo for combo in candidates if solver.wins_by(ending, combo)]
    except _TooLongError:
        return None


class _Solver:
    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], bool] = {}

    def wins_by(self, deal: Simulation, combo: Combo | None) -> bool:
        """Return whether the seat on turn goes out first after this choice."""
        seat, out = deal.turn, len(deal.out)
        following = deal.copy()
        following.play(combo)
        if len(following.out) > out or following.turn == OVER:
            return following.out[out] == seat
        return self._wins(following) == (following.turn == seat)

    def _wins(self, deal: Simulation) -> bool:
        """Return whether the seat on turn goes out first."""
        key = (*deal.hands, deal.turn, deal.top, deal.inverted, deal.last, deal.sitting_out)
        if key not in self._known:
            if len(self._known) >= POSITIONS:
                raise _TooLongError
            self._known[key] = False
            self._known[key] = any(self.wins_by(deal, combo) for combo in choices(deal))
        return self._known[key]


def choices(deal: Simulation) -> list[Combo | None]:
    """Return the legal choices of the seat on turn, the longest combinations first; None stands for a pass."""
    hand, top = deal.hands[deal.turn], deal.top
    plays = leads(hand) if top is None else answers(hand, RANKED[top], inverted=deal.inverted)
    combos = [BY_MOVE[play] for play in plays]
    legal = [combo for combo in combos if not forbidden(deal.rules, hand, combo, leading=top is None)]
    legal.sort(key=lambda combo: -combo.size)
    return [*legal] if top is None else [*legal, None]
