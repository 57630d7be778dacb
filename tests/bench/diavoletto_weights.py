"""Evolve the weights of Diavoletto's `hard`.

`python -m tests.bench.diavoletto_weights ROUNDS SEED` starts from the stored weights and stores the result. The evolved
weights play against `medium`'s weights and against those at the start of the run.
"""

import sys
from collections.abc import Sequence
from itertools import cycle
from random import Random

import msgspec

from locanda.games.diavoletto.deal import deal as dealt
from locanda.games.diavoletto.player.judgement import EVOLVED, EVOLVED_FILE, EXPERIENCE, Weights
from locanda.games.diavoletto.player.knowledge import MAZZETTO_SOURCE
from locanda.games.diavoletto.player.planning import Thoroughness, Turn
from locanda.games.diavoletto.types import Options
from services.engine.table.fairness import shuffle
from tests.bench.diavoletto_position import Position
from tests.bench.evolution import Evolution, Pace

PLANNING = Thoroughness(nodes=60, endings=3)
PAIRS = 200
"""The number of random shifts of the weights per round."""
PACE = Pace(shift=0.06, step=0.006)


def share(seed: int, first: Weights, second: Weights) -> float:
    """Play a deal from both seats. Return the first weights' share of the win."""
    return (_win(seed, (first, second)) + 1 - _win(seed, (second, first))) / 2


def _win(seed: int, players: Sequence[Weights]) -> float:
    """Play a deal, determined by the seed, between two sets of weights. Return seat 0's share of the win."""
    rng = Random(seed)
    position = Position(dealt(Options(), 2, seed % 2, rng.randbytes(32), shuffle, None))
    play_out(position, players, rng)
    return position.win(0)


def play_out(position: Position, players: Sequence[Weights], rng: Random) -> None:
    """Play a deal to its end by these weights."""

    def shuffled(pile: bytes) -> bytes:
        return bytes(rng.sample(pile, len(pile)))

    while (seat := position.turn) is not None:
        for step in Turn(position.outlook(), players[seat], PLANNING).best().steps:
            position.play(step, shuffled)
            if step[0] == MAZZETTO_SOURCE:
                break


def evolve(rounds: int, rng: Random) -> None:
    """Evolve the stored weights for a number of rounds."""
    evolution, others = Evolution(EVOLVED.values, PACE, rng), cycle((EXPERIENCE, EVOLVED))

    def lead(one: Sequence[float], two: Sequence[float]) -> float:
        seed, other = rng.getrandbits(48), next(others)
        return share(seed, Weights(one), other) - share(seed, Weights(two), other)

    for number in range(rounds):
        evolution.round(PAIRS, lead)
        EVOLVED_FILE.write_bytes(msgspec.json.encode([round(weight, 3) for weight in evolution.mean]) + b"\n")
        print(f"round {number + 1} of {rounds}", flush=True)


if __name__ == "__main__":
    ROUNDS, SEED = map(int, sys.argv[1:])
    evolve(ROUNDS, Random(SEED))
