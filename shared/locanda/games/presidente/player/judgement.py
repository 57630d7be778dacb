"""The value of a choice, computed by a network with two hidden layers that was trained in self-play.

`tests.bench.presidente_network` trains it (Deep Monte Carlo; Zha et al. 2021).
"""

from array import array
from collections.abc import Sequence
from math import exp
from operator import mul
from pathlib import Path

import msgspec

from locanda.games.presidente.fast import Combo
from locanda.games.presidente.player.features import Outlook, features

NETWORK_FILE = Path(__file__).with_name("network.json")


class Layers(msgspec.Struct, frozen=True):
    """The weights of the network, as multiples of 1 / `UNITS`."""

    features: list[list[int]]
    """Weights from each feature to the units of the first layer; the last row is the bias."""
    hidden: list[list[int]]
    """Weights of each unit of the second layer from the first layer's units; the last weight is the bias."""
    result: list[int]
    """Weights from the second layer's units to the result; the last weight is the bias."""


UNITS = 64


class Network:
    """The network with its weights prepared for evaluation."""

    def __init__(self, layers: Layers) -> None:
        self._features = [array("h", row) for row in layers.features]
        self._hidden = [([weight / UNITS**2 for weight in row[:-1]], row[-1] / UNITS) for row in layers.hidden]
        self._result, self._bias = [weight / UNITS for weight in layers.result[:-1]], layers.result[-1] / UNITS

    def values(self, seen: Outlook, choices: Sequence[Combo | None]) -> list[float]:
        """Return the value of each choice, from 0 to 1."""
        values, before, shared = list[float](), list[int](), list[int]()
        for common, own in features(seen, choices):
            if common is not before:
                before, shared = common, self._sum([self._features[-1]], common)
            values.append(self._value(self._sum([shared], own)))
        return values

    def _sum(self, rows: list[Sequence[int]], active: Sequence[int]) -> list[int]:
        """Return the sum of these rows and the rows of the active features."""
        return list(map(sum, zip(*rows, *[self._features[number] for number in active], strict=True)))

    def _value(self, first: Sequence[int]) -> float:
        units = [unit if unit > 0 else 0 for unit in first]
        second = [max(0.0, sum(map(mul, units, weights), bias)) for weights, bias in self._hidden]
        result = sum(map(mul, second, self._result), self._bias)
        return 1 / (1 + exp(-result))


NETWORK = Network(msgspec.json.decode(NETWORK_FILE.read_bytes(), type=Layers))
