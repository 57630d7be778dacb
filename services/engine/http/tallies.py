"""Counts that requests add to, told to Prometheus when it asks.

By hand: the library's own counters take a lock and four calls for each addition, and a move makes ten of them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

Labels = tuple[object, ...]


class Tally(Collector):
    """How often something happened, by labels."""

    def __init__(self, name: str, told: str, *labels: str) -> None:
        self._described = name, told, labels
        self._counts: Counter[Labels] = Counter()

    def add(self, *labels: object) -> None:
        """Count what happened."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[Metric]:
        """Yield the counts."""
        name, told, labels = self._described
        family = CounterMetricFamily(name, told, labels=labels)
        for values, count in list(self._counts.items()):
            family.add_metric([str(value) for value in values], count)
        yield family


class Durations:
    """How long something took: how often at most so many seconds, and all seconds together."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """By bucket; of what took longer than all bounds at the end."""
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Take note of a duration."""
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.seconds += seconds


class Timing(Collector):
    """Durations by labels."""

    def __init__(self, name: str, told: str, bounds: tuple[float, ...], *labels: str) -> None:
        self._described = name, told, labels
        self._bounds = bounds
        self._names = [*map(floatToGoString, bounds), "+Inf"]
        self._found: dict[tuple[str, ...], Durations] = {}

    def of(self, *labels: str) -> Durations:
        """Return the durations that bear these labels, to be kept by who adds to them often."""
        return self._found.setdefault(labels, Durations(self._bounds))

    def collect(self) -> Iterator[Metric]:
        """Yield the buckets."""
        name, told, labels = self._described
        family = HistogramMetricFamily(name, told, labels=labels)
        for values, found in list(self._found.items()):
            buckets = list(zip(self._names, accumulate(found.counts.copy()), strict=True))
            family.add_metric(values, buckets, found.seconds)
        yield family
