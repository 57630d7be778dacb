"""The search: plans of the turn race over likely deals, in which experienced players go on to the seat's next turn."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from locanda.games.ramino import Event, Move, View
from services.engine.games.ramino.moves import STOCK
from services.engine.games.ramino.state import DealState
from services.engine.players.base import Analysis, Budget, Situation, WeighedMove
from services.engine.players.racing import RaceRules, race
from services.engine.players.ramino.heuristic import draw, play_turn, worth_of
from services.engine.players.ramino.plans import Plan
from services.engine.players.ramino.position import Position
from services.engine.players.ramino.reading import last_plays, likelihood
from services.engine.players.ramino.sampling import Sampler
from services.engine.players.ramino.simulation import Simulation

C = TypeVar("C")

PLANS = 10
"""How many plans race at least; besides, the best one of each legal move does."""
POINTS_OF_A_WIN = 50
"""How many points less than the others' mean are worth as much as the win of the deal."""
DRAWS = 5
"""How many hidden deals are drawn at most until one is likely, seen how the others played."""
TURNS = 1
"""After how many more turns of the seat a simulation is judged instead of played on: it is quicker, and chance less."""
RULES = RaceRules(first=16, each=4)


def worth(points: Sequence[int], seat: int) -> float:
    """Return what a result is worth to a seat: its share of the win, and its lead over the others' mean in points."""
    own, fewest = points[seat], min(points)
    share = 1 / points.count(fewest) if own == fewest else 0.0
    others = (sum(points) - own) / (len(points) - 1)
    return share + (others - own) / POINTS_OF_A_WIN


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Return what is expected of each legal move: the `worth` of the result, for the best plan that begins with it."""
    if situation.view.phase == "draw":
        draws = sorted(moves, key=lambda move: move != draw(situation.view))
        return _race(draws, _draw, situation, rng, budget)
    position = Position.of(situation.view)
    found = _race(_candidates(position), Simulation.follow, situation, rng, budget)
    return _by_moves(found, position)


def _race(
    candidates: Sequence[C],
    play: Callable[[Simulation, C], None],
    situation: Situation[View, Event],
    rng: Random,
    budget: Budget,
) -> Analysis[C]:
    """Let candidates race; `play` begins the turn in a simulation."""
    deals, seat = _LikelyDeals(situation, rng), situation.view.seat or 0

    def simulate(running: Sequence[int]) -> list[float]:
        dealt = Simulation(deals.draw(), lambda cards: rng.sample(cards, len(cards)))
        values = []
        for each in running:
            deal = dealt.copy()
            play(deal, candidates[each])
            values.append(_play_on(deal, seat))
        return values

    return race(candidates, simulate, budget, RULES)


class _LikelyDeals:
    """Draws hidden deals, the rarer the less likely the others' last plays are in them."""

    def __init__(self, situation: Situation[View, Event], rng: Random) -> None:
        self._sampler, self._rng = Sampler(situation, rng), rng
        self._plays = last_plays(situation.view, situation.history)
        self._long = situation.view.options.long_scala

    def draw(self) -> DealState:
        deal = self._sampler.draw()
        for _ in range(DRAWS - 1):
            if likelihood(deal.hands, self._plays, long=self._long) > self._rng.random():
                break
            deal = self._sampler.draw()
        return deal


def _play_on(deal: Simulation, seat: int) -> float:
    """Return what a simulation comes to: its result, or what an experienced player thinks of it after `TURNS`."""
    turns = TURNS + (deal.turn == seat)
    left = 0.0
    while deal.turn >= 0 and turns:
        own = deal.turn == seat
        left = play_turn(deal)
        turns -= own
    return worth(deal.points(), seat) if deal.turn < 0 else left


def _draw(deal: Simulation, move: Move) -> None:
    if move == STOCK:
        deal.draw()
    else:
        deal.take()


def _candidates(position: Position) -> list[Plan]:
    """Return the plans worth trying, those of the highest worth first, with one for each legal move."""
    ordered = sorted(position.plans(), key=lambda plan: worth_of(plan, position), reverse=True)
    chosen, begun = ordered[:PLANS], set[Move]()
    for plan in chosen:
        begun.update(position.openings(plan))
    for plan in ordered[PLANS:]:
        openings = position.openings(plan)
        if not begun.issuperset(openings):
            begun.update(openings)
            chosen.append(plan)
    return chosen


def _by_moves(found: Analysis[Plan], position: Position) -> Analysis[Move]:
    """Return for each move what was found of the best plan that may begin with it."""
    weighed: dict[Move, WeighedMove[Move]] = {}
    for each in found.weighed:
        for move in position.openings(each.move):
            weighed.setdefault(move, WeighedMove(move, each.value, each.simulations))
    return Analysis(position.move(found.best), tuple(weighed.values()), found.simulations)
