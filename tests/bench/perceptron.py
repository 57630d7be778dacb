"""A network with two hidden layers whose inputs are lists of active features, and its training, in numpy.

It learns the probability of a win by Adam (Kingma and Ba 2015). The result is the mean of its weights over about the
last thousand steps, rounded as players store them.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from locanda.games.presidente.player.judgement import UNITS, Layers

Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.int32]
Active: TypeAlias = Sequence[tuple[list[int], list[int]]]
"""The active features of each choice: those shared with other choices, and its own."""

SLOWNESS = 0.9, 0.999
"""Decay rates of the mean gradient and of the mean squared gradient, from one step to the next."""
FRESH = 0.001
"""The weight of a new step in the moving average. It is larger at the start."""
SPREAD = 0.15
"""The standard deviation of the first layer's weights at the start."""


class Perceptron:
    """The weights of the features, of the first hidden layer and of the second one, each with its bias."""

    def __init__(self, weights: list[Floats]) -> None:
        self._weights = weights
        self._features = len(weights[0])
        self._mean = [weight.copy() for weight in weights]
        self._gradient, self._square = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
        self._steps = 0

    @classmethod
    def fresh(cls, features: int, first: int, second: int, rng: np.random.Generator) -> "Perceptron":
        """Return an untrained network. The numbers are the units of its layers."""
        shapes = ((features, first), SPREAD), ((first, second), (2 / first) ** 0.5), ((second,), second**-0.5)
        drawn = [rng.normal(0, spread, shape).astype(np.float32) for shape, spread in shapes]
        added = [np.zeros(size, np.float32) for size in (first, second, 1)]
        return cls([weights for pair in zip(drawn, added, strict=True) for weights in pair])

    @classmethod
    def of(cls, layers: Layers) -> "Perceptron":
        """Return a network with the stored weights of a player."""
        rows = np.array(layers.features), np.array(layers.hidden).T, np.array([layers.result]).T
        parts = [part / UNITS for row in rows for part in (row[:-1], row[-1])]
        parts[4] = parts[4][:, 0]
        return cls([part.astype(np.float32) for part in parts])

    def layers(self) -> Layers:
        """Return the learned network in the form that players store."""
        features, first, hidden, second, result, last = [np.rint(layer * UNITS).astype(int) for layer in self._mean]
        return Layers(
            np.vstack([features, first[None]]).tolist(),
            np.vstack([hidden, second[None]]).T.tolist(),
            np.concatenate([result, last]).tolist(),
        )

    # --- values of choices

    def values(self, active: Active, *, learned: bool = False) -> Floats:
        """Return each choice's probability of a win, by the current weights or by the learned mean."""
        features, first, *_ = weights = self._mean if learned else self._weights
        padded = np.vstack([features, np.zeros_like(first)[None]])
        shared = list({id(common): common for common, _ in active}.values())
        places = {id(common): place for place, common in enumerate(shared)}
        sums = padded[self._rows(shared)].sum(1)[[places[id(common)] for common, _ in active]]
        return self._above(sums + padded[self._rows([own for _, own in active])].sum(1), weights)[2]

    def _rows(self, active: Sequence[Sequence[int]]) -> Numbers:
        """Return the features as rows of equal length. They are padded with a number that stands for no feature."""
        rows = np.full((len(active), max(map(len, active))), self._features, np.int32)
        for row, numbers in zip(rows, active, strict=True):
            row[: len(numbers)] = numbers
        return rows

    def _above(self, sums: Floats, weights: list[Floats]) -> tuple[Floats, Floats, Floats]:
        """Return the activations of both hidden layers, and the values."""
        _, first, hidden, second, result, last = weights
        lower = np.maximum(sums + first, 0)
        upper = np.maximum(lower @ hidden + second, 0)
        return lower, upper, 1 / (1 + np.exp(-(upper @ result + last[0])))

    # --- learning

    def learn(self, active: Sequence[list[int]], targets: Sequence[float], rate: float) -> float:
        """Move the weights towards the targets of these choices. Return the loss (cross entropy) before the step."""
        features, _, hidden, _, result, _ = self._weights
        count, wanted = len(active), np.array(targets, np.float32)
        flat = (self._rows(active) + (np.arange(count) * (self._features + 1))[:, None]).ravel()
        held = np.bincount(flat, minlength=count * (self._features + 1)).reshape(count, -1)[:, :-1].astype(np.float32)
        lower, upper, values = self._above(held @ features, self._weights)
        top = (values - wanted) / count
        above = np.outer(top, result) * (upper > 0)
        below = above @ hidden.T * (lower > 0)
        gradients = [held.T @ below, below.sum(0), lower.T @ above, above.sum(0), upper.T @ top, top.sum(keepdims=True)]
        self._move(gradients, rate)
        likely = np.where(wanted > 0.5, values, 1 - values)
        return float(-np.log(likely + 1e-7).mean())

    def _move(self, gradients: list[Floats], rate: float) -> None:
        self._steps += 1
        slow, slower = SLOWNESS
        for number, layer_gradient in enumerate(gradients):
            gradient, square, weights = self._gradient[number], self._square[number], self._weights[number]
            gradient += (1 - slow) * (layer_gradient - gradient)
            square += (1 - slower) * (layer_gradient * layer_gradient - square)
            spread = np.sqrt(square / (1 - slower**self._steps)) + 1e-8
            weights -= rate * gradient / (1 - slow**self._steps) / spread
            self._mean[number] += max(FRESH, 1 / (1 + self._steps / 10)) * (weights - self._mean[number])
