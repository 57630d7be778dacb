"""The search of `hard`: plans for the turn compete in play-outs of likely deals, which last one more round."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from locanda.games.players import Analysis, Budget, RaceRules, Situation, WeighedMove, race
from locanda.games.ramino.fast import Simulation
from locanda.games.ramino.moves import STOCK
from locanda.games.ramino.player.heuristic import Planner
from locanda.games.ramino.player.judgement import judge_of_plans, judge_of_positions
from locanda.games.ramino.player.planning import Plan, Position
from locanda.games.ramino.player.sampling import Sampler, last_plays, likelihood
from locanda.games.ramino.types import DealState, Event, Move, View

C = TypeVar("C")

POINTS_OF_A_WIN_OF_TWO = 50
"""Number of points below the others' mean that is worth as much as winning the deal."""
POINTS_OF_A_WIN_OF_MANY = 80
PLANS = 10
"""The minimum number of plans to compare. The best plan of every legal move is always compared."""
DRAWS = 5
"""The maximum number of hidden deals to draw until one agrees with the other seats' last plays."""
RULES = RaceRules(first=16, each=4, favour=2.5)
"""A plan must be clearly better than the favourite, because the evolved weights are seldom wrong."""


def worth(points: Sequence[int], seat: int) -> float:
    """Return the value of a result for a seat: its share of the win, plus its scaled lead in points."""
    own, fewest = points[seat], min(points)
    share = 1 / points.count(fewest) if own == fewest else 0.0
    others = (sum(points) - own) / (len(points) - 1)
    return share + (others - own) / (POINTS_OF_A_WIN_OF_TWO if len(points) == 2 else POINTS_OF_A_WIN_OF_MANY)


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Return the value of each legal move: the expected `worth` of the best plan that begins with the move."""
    view, search = situation.view, _Search(situation, rng)
    planner = Planner(judge_of_plans(len(view.counts)), long=view.options.long_scala)
    if view.phase == "draw":
        favourite = planner.draw(view) if len(moves) > 1 else moves[0]
        return search.race(sorted(moves, key=lambda move: move != favourite), _draw, budget)
    position = Position.of(view)
    plans = search.race(_candidates(position, planner), _followed, budget)
    return _by_moves(plans, position)


def _followed(deal: Simulation, plan: Plan) -> None:
    deal.follow(plan.steps, plan.thrown)


class _Search:
    def __init__(self, situation: Situation[View, Event], rng: Random) -> None:
        view = situation.view
        self.planner = Planner(judge_of_positions(len(view.counts)), long=view.options.long_scala)
        self._rng, self._seat = rng, view.seat or 0
        self._sampler = Sampler(situation, rng)
        self._plays = last_plays(view, situation.history)

    def race(self, candidates: Sequence[C], play: Callable[[Simulation, C], None], budget: Budget) -> Analysis[C]:
        """Run a race between candidates; `play` makes a candidate's moves in a simulation."""

        def simulate(running: Sequence[int]) -> Iterator[float]:
            dealt = self._simulation(self._likely_deal())
            for index in running:
                deal = dealt.copy()
                play(deal, candidates[index])
                yield self._play_on(deal)

        return race(candidates, simulate, budget, RULES)

    def _simulation(self, deal: DealState) -> Simulation:
        """Create the simulation of a deal. Its copies shuffle alike, so candidates are compared with equal luck."""
        seed = self._rng.random()
        return Simulation(deal, lambda cards: Random(seed).sample(cards, len(cards)))  # noqa: S311  (no secret)

    def _likely_deal(self) -> DealState:
        """Draw a random hidden deal. Deals in which the others' last plays are unlikely are drawn less often."""
        deal = self._sampler.draw()
        for _ in range(DRAWS - 1):
            if likelihood(deal.hands, self._plays, self.planner) > self._rng.random():
                break
            deal = self._sampler.draw()
        return deal

    def _play_on(self, deal: Simulation) -> float:
        """Play to the end of the deal or of the seat's next turn; return the value of the result or position."""
        turns = 1 + (deal.turn == self._seat)
        left = 0.0
        while deal.turn >= 0 and turns:
            turns -= deal.turn == self._seat
            left = self.planner.play_turn(deal)
        return worth(deal.points(), self._seat) if deal.turn < 0 else left


def _draw(deal: Simulation, move: Move) -> None:
    if move == STOCK:
        deal.draw()
    else:
        deal.take()


def _candidates(position: Position, planner: Planner) -> list[Plan]:
    """Return the plans to compare: those with the highest values, and at least one for each legal move."""

    ordered = sorted(position.plans(), key=_worth_of(position, planner), reverse=True)
    chosen, begun = ordered[:PLANS], set[Move]()
    for plan in chosen:
        begun.update(position.openings(plan))
    for plan in ordered[PLANS:]:
        openings = position.openings(plan)
        if not begun.issuperset(openings):
            begun.update(openings)
            chosen.append(plan)
    return chosen


def _worth_of(position: Position, planner: Planner) -> Callable[[Plan], float]:
    """Return a function that computes the value of a plan with the planner's weights."""
    return lambda plan: planner.worth_with(plan.hand + plan.thrown, plan.thrown, plan.melds, position.sizes)


def _by_moves(plans: Analysis[Plan], position: Position) -> Analysis[Move]:
    """Return, for each move, the result of the best plan that may begin with it."""
    weighed: dict[Move, WeighedMove[Move]] = {}
    for plan in plans.weighed:
        for move in position.openings(plan.move):
            best = weighed.setdefault(move, WeighedMove(move, plan.value, plan.simulations, plan.behind))
            weighed[move] = replace(best, behind=min(best.behind, plan.behind))
    return Analysis(position.move(plans.best), tuple(weighed.values()), plans.simulations)
