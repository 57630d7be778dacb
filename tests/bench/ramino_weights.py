"""Evolve the weights of Ramino's `hard` at tables of two.

`python -m tests.bench.ramino_weights ROUNDS SEED` goes on from those stored, and stores what it comes to. They play
against `medium`'s weights, without a search.
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from locanda.games.ramino.deal import deal as dealt
from locanda.games.ramino.fast import Simulation
from locanda.games.ramino.player.heuristic import Planner
from locanda.games.ramino.player.judgement import EVOLVED, EVOLVED_FILE, Judge, Judgement, judge_of_positions
from locanda.games.ramino.types import Options
from services.engine.table.fairness import shuffle
from tests.bench.evolution import Evolution, Pace

PAIRS = 30
"""How often the weights are shifted in a round."""
DEALS = 4
"""How many deals each shifted set plays, from both seats."""
PACE = Pace(shift=0.02, step=0.003)
POINTS_OF_A_WIN = 15
"""How many points count for as much as the win of a deal: points decide matches."""


def numbers(weights: Any) -> Iterator[float]:
    """Yield all the numbers of the weights in order."""
    if isinstance(weights, tuple):
        for each in weights:
            yield from numbers(each)
    else:
        yield weights


def of_numbers(like: Any, values: Iterator[float]) -> Any:
    """Return weights of the same form, of other numbers; a weight of 0 stays, as its feature does not occur."""
    if not isinstance(like, tuple):
        value = next(values)
        return round(value, 4) if like else like
    parts = [of_numbers(each, values) for each in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def gain(seed: int, one: Planner, other: Planner) -> float:
    """Return what one planner wins in a deal played from both seats: the share of the wins, and points."""
    rng, total = Random(seed), 0.0
    deal = dealt(Options(), 2, seed % 2, rng.randbytes(32), shuffle, None)
    for own in (0, 1):
        simulation = Simulation(deal, lambda cards: rng.sample(cards, len(cards)))
        while simulation.turn >= 0:
            (one if simulation.turn == own else other).play_turn(simulation)
        mine, theirs = (simulation.points()[seat] for seat in (own, 1 - own))
        total += (mine < theirs) + (mine == theirs) / 2 + (theirs - mine) / POINTS_OF_A_WIN
    return total / 2


def planner(values: Sequence[float]) -> Planner:
    """Return a planner that judges by these numbers."""
    return Planner(Judge(*of_numbers(EVOLVED, iter(values))), long=Options().long_scala)


def evolve(rounds: int, rng: Random) -> None:
    """Evolve the stored weights for so many rounds."""
    evolution = Evolution(list(numbers(EVOLVED)), PACE, rng)
    medium = Planner(judge_of_positions(2), long=Options().long_scala)

    def lead(one: Sequence[float], two: Sequence[float]) -> float:
        first, second, seeds = planner(one), planner(two), [rng.getrandbits(48) for _ in range(DEALS)]
        return sum(gain(seed, first, medium) - gain(seed, second, medium) for seed in seeds) / DEALS

    for number in range(rounds):
        evolution.round(PAIRS, lead)
        found: Judgement = of_numbers(EVOLVED, iter(evolution.mean))
        EVOLVED_FILE.write_bytes(msgspec.json.encode(found) + b"\n")
        print(f"round {number + 1} of {rounds}", flush=True)


if __name__ == "__main__":
    ROUNDS, SEED = map(int, sys.argv[1:])
    evolve(ROUNDS, Random(SEED))
