"""An evolution strategy for players' weights (Salimans and others 2017; steps as in Adam, Kingma and Ba 2015).

In each round the weights are shifted at random many times, in both directions. Both shifted sets play the same deals,
and the weights move towards the one that wins more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import TypeAlias

SLOWNESS = 0.9, 0.99
"""Decay rates of the mean gradient and of the mean squared gradient, from one round to the next."""
FRESH = 0.05
"""The weight of a new round in the moving average."""

Lead: TypeAlias = Callable[[Sequence[float], Sequence[float]], float]
"""A function that plays the same deals with two sets of weights. It returns the advantage of the first set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The step sizes of the weights."""

    shift: float
    """The standard deviation of a shift."""
    step: float
    """The approximate change of a weight in a round."""


class Evolution:
    """Weights under evolution."""

    def __init__(self, weights: Sequence[float], pace: Pace, rng: Random) -> None:
        self._pace, self._rng = pace, rng
        self._weights = list(weights)
        self.mean = list(weights)
        """The moving average of the weights."""
        self._gradient = [0.0] * len(weights)
        self._square = [0.0] * len(weights)
        self._rounds = 0

    def round(self, pairs: int, lead: Lead) -> None:
        """Run one round: shift the weights this number of times, then update them."""
        gradient = [0.0] * len(self._weights)
        for _ in range(pairs):
            shifts = [self._rng.gauss(0, self._pace.shift) for _ in self._weights]
            part = lead(self._shifted(shifts, 1), self._shifted(shifts, -1)) / (2 * self._pace.shift**2 * pairs)
            gradient = [sum_ + part * shift for sum_, shift in zip(gradient, shifts, strict=True)]
        self._move(gradient)

    def _shifted(self, shifts: Sequence[float], sign: int) -> list[float]:
        return [weight + sign * shift for weight, shift in zip(self._weights, shifts, strict=True)]

    def _move(self, gradient: Sequence[float]) -> None:
        self._rounds += 1
        slow, slower = SLOWNESS
        for number, slope in enumerate(gradient):
            self._gradient[number] += (1 - slow) * (slope - self._gradient[number])
            self._square[number] += (1 - slower) * (slope**2 - self._square[number])
            mean = self._gradient[number] / (1 - slow**self._rounds)
            spread = sqrt(self._square[number] / (1 - slower**self._rounds))
            self._weights[number] += self._pace.step * mean / (spread + 1e-4)
            self.mean[number] += FRESH * (self._weights[number] - self.mean[number])
