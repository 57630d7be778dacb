"""How an experienced player plans a turn, which is how the turns of play-outs are played as well."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from locanda.cuccu import CARDS
from locanda.games.ramino import Draw, Event, Move, View
from services.engine.games.ramino.moves import DISCARDS, STOCK
from services.engine.games.ramino.play import ONE_CARD
from services.engine.games.ramino.state import designs, packed, size
from services.engine.players.base import Situation
from services.engine.players.ramino.judgement import Judge, Table, judge_of_points
from services.engine.players.ramino.plans import Melds, Plan, apart, outcomes, taken_by
from services.engine.players.ramino.position import Position
from services.engine.players.ramino.simulation import BIT, Simulation

CLOSING = 1000.0
"""The worth of going out, above all else."""


class Planner:
    """Plans turns by the worth that a judge sees in what they leave."""

    def __init__(self, judge: Judge, *, long: bool) -> None:
        self._judge, self._long = judge, long

    def best_plan(self, hand: int, melds: Melds, barred: int, sizes: Sequence[int]) -> tuple[float, Plan]:
        """Return the highest worth that the turn can come to after the draw, and its plan.

        The arguments are those of a `Position`; `melds` are in ascending order.
        """
        return _best_plan(self._judge, hand, melds, barred, (min(sizes), sizes[0]), self._long)

    def worth_with(self, hand: int, thrown: int, melds: Melds, sizes: Sequence[int]) -> float:
        """Return the worth of ending the turn with this discard."""
        if hand == thrown:
            return CLOSING
        table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
        return self._judge.best_discard(hand, (thrown,), table)[0]

    def takes(self, hand: int, melds: Melds, top: int, barred: int, sizes: Sequence[int]) -> bool:
        """Return whether the top of the discards is worth more than a card of the stock."""
        worth, _ = self.best_plan(hand + top, melds, barred, sizes)
        table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
        return worth >= CLOSING or worth > self._judge.before(hand, table)

    def draw(self, view: View) -> Draw:
        """Return where to draw from, where there is a choice."""
        position, top = Position.of(view), packed([CARDS[view.discards[-1]]])
        barred = 0 if view.options.return_taken else top
        taken = self.takes(position.hand, position.melds, top, barred, position.sizes)
        return DISCARDS if taken else STOCK

    def play_turn(self, deal: Simulation) -> float:
        """Play the rest of the turn in a simulation; return the worth that it leaves, where the deal goes on."""
        seat, options = deal.turn, deal.options
        sizes = [size(hand) for hand in deal.hands[seat + 1 :] + deal.hands[:seat]]
        melds = tuple(sorted(deal.melds))
        if not deal.drawn:
            self._draw(deal, melds, sizes)
            if deal.turn != seat:
                return 0.0
        barred = 0 if options.return_taken else deal.taken
        left, plan = self.best_plan(deal.hands[seat], melds, barred, sizes)
        deal.follow(plan)
        return left

    def _draw(self, deal: Simulation, melds: Melds, sizes: Sequence[int]) -> None:
        options, discards = deal.options, deal.discards
        if not discards:
            return deal.draw()
        if not deal.stock and len(discards) == 1 and options.stock_end != "block":
            return deal.take()
        top = BIT[discards[-1]]
        taken = self.takes(deal.hands[deal.turn], melds, top, 0 if options.return_taken else top, sizes)
        return deal.take() if taken else deal.draw()


# A search comes upon the same turns again and again, after other moves before them.
@lru_cache(maxsize=2**14)
def _best_plan(
    judge: Judge,
    hand: int,
    melds: Melds,
    barred: int,
    others: tuple[int, int],
    long: bool,  # noqa: FBT001  (a key of the cache)
) -> tuple[float, Plan]:
    most, best = -CLOSING, Plan((), 0, hand, melds)
    for (left, laid), steps in outcomes(hand, melds, long=long).items():
        if not left or left in ONE_CARD:
            return CLOSING, Plan(steps, left, 0, laid)
        has = designs(left)
        table = Table(taken_by(laid), len(laid), *others)
        worth, card = judge.best_discard(left, apart(has & ~barred or has), table)
        if worth > most:
            most, best = worth, Plan(steps, card, left - card, laid)
    return most, best


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Return the choice of an experienced player: the one of the highest worth."""
    view = situation.view
    planner = Planner(judge_of_points(len(view.counts)), long=view.options.long_scala)
    if view.phase == "draw":
        return planner.draw(view) if len(moves) > 1 else moves[0]
    position = Position.of(view)
    return position.move(planner.best_plan(position.hand, position.melds, position.barred, position.sizes)[1])
