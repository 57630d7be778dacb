"""The engine's Prometheus metrics, labelled by route, game and problem; never by table or person."""

import asyncio
import collections
import time
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from itertools import accumulate

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Info,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from locanda import __version__
from services.engine.store.errors import StoreDownError
from services.engine.table.state import MoveMade, Transition

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
STORE_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the buckets, in seconds."""
EXPOSITION_SECONDS = 1.0

Labels = tuple[object, ...]

# Without this call, each counter would have a second time series with its creation time.
disable_created_metrics()  # type: ignore[no-untyped-call]


# --- collectors


class LabelledCounter(Collector):
    """A counter for each combination of labels."""

    def __init__(self, name: str, help_: str, *labels: str) -> None:
        self._described = name, help_, labels
        self._counts: collections.Counter[Labels] = collections.Counter()

    def add(self, *labels: object) -> None:
        """Add one to the counter of these labels."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[Metric]:
        """Yield the counters for Prometheus."""
        name, help_, labels = self._described
        family = CounterMetricFamily(name, help_, labels=labels)
        for values, count in list(self._counts.items()):
            family.add_metric([str(value) for value in values], count)
        yield family


class DurationBuckets:
    """A histogram of durations."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """Counts by bucket; the last bucket has no upper bound."""
        self.seconds = 0.0
        """Sum of all durations."""

    def add(self, seconds: float) -> None:
        """Add a duration."""
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.seconds += seconds


class LabelledHistogram(Collector):
    """A histogram of durations for each combination of labels."""

    def __init__(self, name: str, help_: str, bounds: tuple[float, ...], *labels: str) -> None:
        self._described = name, help_, labels
        self._bounds = bounds
        self._names = [*map(floatToGoString, bounds), "+Inf"]
        self._found: dict[tuple[str, ...], DurationBuckets] = {}

    def of(self, *labels: str) -> DurationBuckets:
        """Return the histogram of these labels. Callers that add durations often should keep it."""
        return self._found.setdefault(labels, DurationBuckets(self._bounds))

    def collect(self) -> Iterator[Metric]:
        """Yield the histograms for Prometheus."""
        name, help_, labels = self._described
        family = HistogramMetricFamily(name, help_, labels=labels)
        for values, histogram in list(self._found.items()):
            buckets = list(zip(self._names, accumulate(histogram.counts.copy()), strict=True))
            family.add_metric(values, buckets, histogram.seconds)
        yield family


# --- the engine's metrics


class Metrics:
    """The engine's metrics, in a separate registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._making = asyncio.Lock()
        self._exposed = b""
        self._exposed_until = 0.0
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("locanda_build", "The release that runs.", registry=self.registry).info({"version": __version__})
        self._add_requests()
        self._add_tables()
        self._add_store_and_clock()
        self._add_thinking()
        self._notices = self._labelled_counter("notices", "Due notices, by outcome.", "channel", "outcome")
        self._notice_seconds = self._histogram(
            "notice_delay_seconds", "Seconds from a move to the arrival of its notice.", BUCKETS, "channel"
        )

    def _add_requests(self) -> None:
        self._requests = self._labelled_counter("requests", "Requests answered.", "method", "route", "status")
        self._seconds = self._histogram(
            "request_duration_seconds", "Duration of requests, except streams.", BUCKETS, "method", "route"
        )
        self.problem = self._labelled_counter("problems", "Problem responses, by code.", "code").add
        self.refused_move = self._counter("refused_moves", "Moves that the rules of a game refused.").inc
        """Their codes are not counted, since on a quiet engine codes would reveal which cards a hand lacks."""
        self.watch_streams = self._gauge("open_streams", "Open event streams and long polls.").set_function
        self.event = self._labelled_counter(
            "stream_events", "Events sent on streams: `change`, `gap` (some events were lost) or `lobby`.", "event"
        ).add

    def _add_tables(self) -> None:
        self._commits = self._labelled_counter("commits", "Transitions sent to the store, by outcome.", "outcome")
        self._moves = self._labelled_counter("moves", "Moves committed.", "game")
        self._happened = {
            "opened": self._labelled_counter("tables_opened", "Tables opened.", "game"),
            "started": self._labelled_counter("matches_started", "Matches started, including rematches.", "game"),
            "match_over": self._labelled_counter("matches_finished", "Matches finished.", "game"),
            "timed_out": self._labelled_counter("turns_timed_out", "Turns of people that timed out.", "game"),
        }
        self.unserved = self._labelled_counter(
            "tables_unserved",
            "Tables that the clock or the lobby skipped because this release cannot serve them.",
            "reason",
        ).add

    def _add_store_and_clock(self) -> None:
        self.replied = (
            self._histogram("store_call_duration_seconds", "Duration of Redis commands and scripts.", STORE_BUCKETS)
            .of()
            .add
        )
        self.failed = self._counter("store_failures", "Redis commands that failed.").inc
        self.connecting = self._counter(
            "store_connections", "Attempts to connect to Redis: one at start, and at least one after each loss."
        ).inc
        self._wakes = self._counter("clock_wakes", "Due tables that the clock processed.")
        self._wake_failures = self._counter("clock_failures", "Due tables that the clock failed to process.")
        self._outages = self._counter("outages", "Outages after which this engine postponed all deadlines.")
        self._outage_seconds = self._counter("outage_seconds", "Total postponement of deadlines in seconds.")

    def _add_thinking(self) -> None:
        self.watch_thoughts = self._gauge(
            "thoughts_pending", "Thoughts of computer players that are waiting or running."
        ).set_function
        self._thinking_seconds = self._histogram(
            "thinking_seconds", "Duration of thoughts in worker processes, including the wait.", BUCKETS, "level"
        )
        self.fell_back = self._labelled_counter(
            "thinking_fallbacks", "Moves of computer players not chosen as planned, by reason.", "reason"
        ).add

    def _counter(self, name: str, help_: str) -> Counter:
        return Counter(f"locanda_{name}", help_, registry=self.registry)

    def _gauge(self, name: str, help_: str) -> Gauge:
        return Gauge(f"locanda_{name}", help_, registry=self.registry)

    def _labelled_counter(self, name: str, help_: str, *labels: str) -> LabelledCounter:
        counter = LabelledCounter(f"locanda_{name}", help_, *labels)
        self.registry.register(counter)
        return counter

    def _histogram(self, name: str, help_: str, bounds: tuple[float, ...], *labels: str) -> LabelledHistogram:
        histogram = LabelledHistogram(f"locanda_{name}", help_, bounds, *labels)
        self.registry.register(histogram)
        return histogram

    # --- requests

    def request_counter(self, route: str, *, timed: bool) -> Callable[[str, int, float], None]:
        """Return a function that counts a request of a route.

        Its arguments are method, status and seconds. The seconds are ignored unless `timed` is true.
        """
        requests, seconds_of = self._requests, cache(lambda method: self._seconds.of(method, route).add)

        def count(method: str, status: int, seconds: float) -> None:
            requests.add(method, route, status)
            if timed:
                seconds_of(method)(seconds)

        return count

    # --- tables

    def commit(self, outcome: str, transition: Transition) -> None:
        """Count a transition sent to the store: `committed`, `clash` or `replayed`."""
        self._commits.add(outcome)
        if outcome != "committed":
            return
        game = transition.table.game
        for line in transition.log:
            if isinstance(line.entry, MoveMade):
                self._moves.add(game)
        for event in transition.table.events:
            counted = self._happened.get(event["type"])
            if counted:
                counted.add(game)

    # --- computer players

    def thought(self, level: str, seconds: float) -> None:
        """Record the wall-clock seconds of a computer player's computation in a worker process."""
        self._thinking_seconds.of(level).add(seconds)

    # --- notices to subscribers

    def notice(self, channel: str, outcome: str, seconds: float) -> None:
        """Count a due notice. If it was sent, also record the seconds since it was written."""
        self._notices.add(channel, outcome)
        if outcome == "sent":
            self._notice_seconds.of(channel).add(seconds)

    # --- the clock

    def waking(self, wake: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        """Return a function that calls `wake`, and counts the calls and their failures."""

        async def counted(table: str) -> None:
            self._wakes.inc()
            try:
                await wake(table)
            except StoreDownError:  # counted already as a failure of the store; the clock will retry
                raise
            except Exception:
                self._wake_failures.inc()
                raise

        return counted

    def outage(self, milliseconds: int) -> None:
        """Count an outage, and add its milliseconds to the total."""
        self._outages.inc()
        self._outage_seconds.inc(milliseconds / 1000)

    def exposition(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    async def shared_exposition(self) -> bytes:
        """Return all metrics as `exposition` does, generated at most once in `EXPOSITION_SECONDS` for all callers."""
        async with self._making:
            if time.monotonic() >= self._exposed_until:
                self._exposed = await asyncio.to_thread(self.exposition)
                self._exposed_until = time.monotonic() + EXPOSITION_SECONDS
        return self._exposed
