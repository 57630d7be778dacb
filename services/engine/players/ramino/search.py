"""The search: plans of the turn race over deals that agree with what is known, played on by experienced players."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from locanda.games.ramino import Event, Move, View
from services.engine.games.ramino.moves import STOCK
from services.engine.players.base import Analysis, Budget, Situation, WeighedMove
from services.engine.players.racing import RaceRules, race
from services.engine.players.ramino.heuristic import draw, play_turn, worth_of
from services.engine.players.ramino.plans import Plan
from services.engine.players.ramino.position import Position
from services.engine.players.ramino.sampling import Sampler
from services.engine.players.ramino.simulation import Simulation

C = TypeVar("C")

PLANS = 10
"""How many plans race at least; besides, the best one of each legal move does."""
POINTS_OF_A_WIN = 50
"""How many points less than the others' mean are worth as much as the win of the deal."""
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
    sampler, seat = Sampler(situation, rng), situation.view.seat or 0

    def simulate(running: Sequence[int]) -> list[float]:
        dealt = Simulation(sampler.draw(), lambda cards: rng.sample(cards, len(cards)))
        values = []
        for each in running:
            deal = dealt.copy()
            play(deal, candidates[each])
            while deal.turn >= 0:
                play_turn(deal)
            values.append(worth(deal.points(), seat))
        return values

    return race(candidates, simulate, budget, RULES)


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
