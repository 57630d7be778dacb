"""Learn by self-play the costs of combinations in Presidente, and when to keep combinations in hand.

`python -m tests.bench.presidente_weights ROUNDS SEED` starts from the learned weights and stores the result. Every
tenth round it prints the share of wins against the usual weights. The weights play without a search, with two and three
players, against the usual weights and against their own state ten rounds before.
"""

import sys
from collections.abc import Sequence
from random import Random

import msgspec

from locanda.games.presidente.deal import deal as dealt
from locanda.games.presidente.fast import simulation_of
from locanda.games.presidente.player.planning import WEIGHTS, WEIGHTS_FILE, Planner, Weights
from locanda.games.presidente.player.policy import USUAL_POLICY, Policy
from locanda.games.presidente.types import Options
from services.engine.table.fairness import shuffle
from tests.bench.arena import interval
from tests.bench.evolution import Evolution, Pace
from tests.bench.ramino_weights import numbers, of_numbers

PAIRS = 24
"""The number of random shifts of the weights in a round."""
TABLES = (3, 3, 2)
"""The numbers of players at the tables where each shifted set plays, once against each opponent."""
PACE = Pace(shift=0.05, step=0.006)
PRINTED, BOUTS = 10, 300
"""The number of rounds between two printed scores of the weights, and the number of bouts for each score."""
OPTIONS, LEARNED = Options(), WEIGHTS["learned"]


def share(seed: int, one: Policy, other: Policy, seats: int) -> float:
    """Return a policy's share of the wins if it takes each seat of a deal in turn."""
    deal, won = dealt(OPTIONS, seats, seed % seats, Random(seed).randbytes(32), shuffle, None), 0
    for own in range(seats):
        simulation = simulation_of(deal)
        while not simulation.out:
            simulation.play((one if simulation.turn == own else other).quick(simulation))
        won += simulation.out[0] == own
    return won / seats


def policy(values: Sequence[float]) -> Policy:
    """Return a policy with these weights."""
    return Policy(Planner(of_numbers(LEARNED, iter(values))))


def learn(rounds: int, rng: Random) -> None:
    """Train for a number of rounds, starting from the stored weights."""
    evolution = Evolution(list(numbers(LEARNED)), PACE, rng)
    opponents = [USUAL_POLICY, policy(evolution.mean)]

    def lead(one: Sequence[float], two: Sequence[float]) -> float:
        first, second, total = policy(one), policy(two), 0.0
        for opponent in opponents:
            for seats in TABLES:
                seed = rng.getrandbits(48)
                total += share(seed, first, opponent, seats) - share(seed, second, opponent, seats)
        return total / len(opponents) / len(TABLES)

    for number in range(1, rounds + 1):
        evolution.round(PAIRS, lead)
        if number % PRINTED == 0 or number == rounds:
            learned: Weights = of_numbers(LEARNED, iter(evolution.mean))
            WEIGHTS_FILE.write_bytes(msgspec.json.encode(WEIGHTS | {"learned": learned}) + b"\n")
            opponents[1] = Policy(Planner(learned))
            mean, half = interval([share(seed, opponents[1], USUAL_POLICY, 3) for seed in range(BOUTS)])
            print(f"round {number} of {rounds}: {mean:.3f} ± {half:.3f} of the wins with three", flush=True)


if __name__ == "__main__":
    ROUNDS, SEED = map(int, sys.argv[1:])
    learn(ROUNDS, Random(SEED))
