"""Evolve the weights of Ramino's `hard`.

`python -m tests.bench.ramino_weights ROUNDS SEED two|many` starts from the stored weights and stores the result. The
evolved weights play against `medium`'s weights without a search; `many` means three and four players.
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from locanda.games.ramino.deal import deal as dealt
from locanda.games.ramino.fast import Shuffled, Simulation
from locanda.games.ramino.player.heuristic import Planner
from locanda.games.ramino.player.judgement import EVOLVED, EVOLVED_FILE, Judge, Judgement, judge_of_positions
from locanda.games.ramino.types import Options
from services.engine.table.fairness import shuffle
from tests.bench.evolution import Evolution, Pace

PAIRS = 30
"""The number of random shifts of the weights in a round."""
DEALS = 4
"""The number of deals that each shifted set of weights plays, from every seat."""
SEATS = {"two": (2,), "many": (3, 4)}
PACE = Pace(shift=0.02, step=0.003)
POINTS_OF_A_WIN = {"two": 15, "many": 10}
"""The number of points that counts as much as winning a deal, because points decide matches."""


def numbers(weights: Any) -> Iterator[float]:
    """Yield the weights as numbers, in a fixed order."""
    if isinstance(weights, tuple):
        for weight in weights:
            yield from numbers(weight)
    else:
        yield weights


def of_numbers(like: Any, values: Iterator[float]) -> Any:
    """Return weights of the same structure with other numbers.

    A weight of 0 stays 0, because its feature does not occur.
    """
    if not isinstance(like, tuple):
        value = next(values)
        return round(value, 4) if like else like
    parts = [of_numbers(part, values) for part in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def shuffled(rng: Random) -> Shuffled:
    """Return a function that shuffles the discards into a new stock."""
    return lambda cards: rng.sample(cards, len(cards))


def gain(seed: int, one: Planner, other: Planner, seats: int, points_of_a_win: float) -> float:
    """Play a deal from every seat. Return the planner's gain: its share of the wins, plus its scaled lead in points."""
    deal, total = dealt(Options(), seats, seed % seats, Random(seed).randbytes(32), shuffle, None), 0.0
    for own in range(seats):
        simulation = Simulation(deal, shuffled(Random(seed)))
        while simulation.turn >= 0:
            (one if simulation.turn == own else other).play_turn(simulation)
        points = simulation.points()
        mine, fewest = points[own], min(points)
        others = (sum(points) - mine) / (seats - 1)
        total += (mine == fewest) / points.count(fewest) + (others - mine) / points_of_a_win
    return total / seats


def evolve(rounds: int, rng: Random, table: str) -> None:
    """Evolve the stored weights for a number of rounds."""
    stored, seats = EVOLVED[table], SEATS[table]
    evolution = Evolution(list(numbers(stored)), PACE, rng)

    def planner(values: Sequence[float]) -> Planner:
        return Planner(Judge(*of_numbers(stored, iter(values))), long=Options().long_scala)

    mediums = {players: Planner(judge_of_positions(players), long=Options().long_scala) for players in seats}

    def lead(one: Sequence[float], two: Sequence[float]) -> float:
        first, second, total = planner(one), planner(two), 0.0
        for number in range(DEALS):
            seed, players = rng.getrandbits(48), seats[number % len(seats)]
            for shifted, sign in ((first, 1), (second, -1)):
                total += sign * gain(seed, shifted, mediums[players], players, POINTS_OF_A_WIN[table])
        return total / DEALS

    for number in range(rounds):
        evolution.round(PAIRS, lead)
        judgement: Judgement = of_numbers(stored, iter(evolution.mean))
        EVOLVED_FILE.write_bytes(msgspec.json.encode(EVOLVED | {table: judgement}) + b"\n")
        print(f"round {number + 1} of {rounds}", flush=True)


if __name__ == "__main__":
    ROUNDS, SEED, TABLE = sys.argv[1:]
    evolve(int(ROUNDS), Random(int(SEED)), TABLE)
