"""Evolve the weights of Diavoletto's `hard`.

`python -m tests.bench.diavoletto_weights ROUNDS SEED` goes on from those stored, and stores what it comes to.

An evolution strategy (Salimans and others 2017): in each round the weights are shifted at random many times, both ways.
Both shifted sets play the same deals, against `medium`'s weights and against those that the run began with, and the
weights move to where more was won, by steps as in Adam (Kingma and Ba 2015). Their moving mean is what is stored.
"""

import sys
from collections.abc import Sequence
from math import sqrt
from random import Random

import msgspec

from locanda.games.diavoletto import Options
from services.engine.games.diavoletto.deal import deal as dealt
from services.engine.players.diavoletto.evaluation import Weights
from services.engine.players.diavoletto.outlook import MAZZETTO_SOURCE
from services.engine.players.diavoletto.position import Position
from services.engine.players.diavoletto.turns import Thoroughness, Turn
from services.engine.players.diavoletto.weights import EVOLVED, EVOLVED_FILE, EXPERIENCE
from services.engine.table.fairness import shuffle

PLANNING = Thoroughness(nodes=60, endings=3)
PAIRS = 200
"""How often the weights are shifted in a round."""
SHIFT = 0.06
"""The standard deviation of a shift."""
STEP = 0.006
SLOWNESS = 0.9, 0.99
"""How much of the mean gradient, and of its mean square, is kept from one round to the next."""
FRESH = 0.05
"""The part of a round's weights in the mean that is stored."""


def share(seed: int, first: Weights, second: Weights) -> float:
    """Return the first weights' share of the win of a deal, played from both seats."""
    return (_win(seed, (first, second)) + 1 - _win(seed, (second, first))) / 2


def _win(seed: int, players: Sequence[Weights]) -> float:
    """Let the weights play a deal, which is the same for the same seed; return seat 0's share of the win."""
    rng = Random(seed)
    position = Position(dealt(Options(), 2, seed % 2, rng.randbytes(32), shuffle, None))

    def shuffled(pile: bytes) -> bytes:
        return bytes(rng.sample(pile, len(pile)))

    while (seat := position.turn) is not None:
        for step in Turn(position.outlook(), players[seat], PLANNING).best().steps:
            position.play(step, shuffled)
            if step[0] == MAZZETTO_SOURCE:
                break
    return position.win(0)


class Evolution:
    """Weights on their way."""

    def __init__(self, weights: Weights, others: Sequence[Weights], rng: Random) -> None:
        self._others, self._rng = others, rng
        self._weights = list(weights.values)
        self._mean = self._weights.copy()
        self._gradient = [0.0] * len(self._weights)
        self._square = [0.0] * len(self._weights)
        self._rounds = 0

    @property
    def mean(self) -> list[float]:
        """The weights of the rounds so far, the later ones counting more."""
        return self._mean

    def round(self, pairs: int) -> float:
        """Play a round and move the weights; return the share of the wins of all shifted weights."""
        gains, shares = [0.0] * len(self._weights), 0.0
        for pair in range(pairs):
            shifts = [self._rng.gauss(0, SHIFT) for _ in self._weights]
            seed, other = self._rng.getrandbits(48), self._others[pair % len(self._others)]
            one, two = (share(seed, self._shifted(shifts, sign), other) for sign in (1, -1))
            shares += (one + two) / 2
            gains = [gain + (one - two) * shift for gain, shift in zip(gains, shifts, strict=True)]
        self._move([gain / (2 * SHIFT**2 * pairs) for gain in gains])
        return shares / pairs

    def _shifted(self, shifts: Sequence[float], sign: int) -> Weights:
        return Weights([weight + sign * shift for weight, shift in zip(self._weights, shifts, strict=True)])

    def _move(self, gradient: Sequence[float]) -> None:
        self._rounds += 1
        slow, slower = SLOWNESS
        for number, each in enumerate(gradient):
            self._gradient[number] += (1 - slow) * (each - self._gradient[number])
            self._square[number] += (1 - slower) * (each**2 - self._square[number])
            mean = self._gradient[number] / (1 - slow**self._rounds)
            spread = sqrt(self._square[number] / (1 - slower**self._rounds))
            self._weights[number] += STEP * mean / (spread + 1e-4)
            self._mean[number] += FRESH * (self._weights[number] - self._mean[number])


if __name__ == "__main__":
    ROUNDS, SEED = map(int, sys.argv[1:])
    EVOLUTION = Evolution(EVOLVED, (EXPERIENCE, EVOLVED), Random(SEED))
    for NUMBER in range(ROUNDS):
        print(f"round {NUMBER + 1}: {EVOLUTION.round(PAIRS):.3f} of the wins", flush=True)
        EVOLVED_FILE.write_bytes(msgspec.json.encode([round(each, 3) for each in EVOLUTION.mean]) + b"\n")
