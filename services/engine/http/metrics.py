"""What Prometheus is told: by route, game and problem, never by table or person."""

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Info,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from services.engine.http.tallies import Tally, Timing
from services.engine.store.errors import StoreDownError
from services.engine.store.observer import Observer
from services.engine.table.state import MoveMade, Step

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
STORE_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


# Or each counter would be two: its value, and when it began.
disable_created_metrics()  # type: ignore[no-untyped-call]


def _release() -> str:
    """Return the release that runs; a checkout that is not installed has none."""
    try:
        return version("locanda")
    except PackageNotFoundError:
        return "0"


RELEASE = _release()


class Metrics(Observer):
    """The engine's metrics, in a registry of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("locanda_build", "The release that runs.", registry=self.registry).info({"version": RELEASE})
        self._serving()
        self._playing()
        self._keeping()

    def _serving(self) -> None:
        self._requests = self._tally("requests", "Requests answered.", "method", "route", "status")
        self._seconds = self._timing(
            "request_duration_seconds", "How long a request took, streams aside.", BUCKETS, "method", "route"
        )
        self._problems = self._tally("problems", "Problems that requests were answered with.", "code")
        self._streams = Gauge("locanda_open_streams", "Event streams open now.", registry=self.registry)
        self._events = self._tally("stream_events", "Events sent to listeners.", "event")

    def _playing(self) -> None:
        self._commits = self._tally("commits", "Steps sent to the store.", "outcome")
        self._moves = self._tally("moves", "Moves committed.", "game")
        self._happened = {
            "opened": self._tally("tables_opened", "Tables opened.", "game"),
            "started": self._tally("matches_started", "Matches started, rematches too.", "game"),
            "match_over": self._tally("matches_finished", "Matches played to their end.", "game"),
            "timed_out": self._tally("turns_timed_out", "Turns that people let pass.", "game"),
        }

    def _keeping(self) -> None:
        self.replied = (
            self._timing(
                "store_call_duration_seconds", "How long Redis took to reply to a command or a script.", STORE_BUCKETS
            )
            .of()
            .add
        )
        self._store_failures = self._counter("store_failures", "Commands that Redis did not serve.")
        self._store_connections = self._counter(
            "store_connections", "Attempts to connect to Redis: one at first, and one or more after each loss."
        )
        self._wakes = self._counter("clock_wakes", "Tables that the clock looked at because their time had come.")
        self._wake_failures = self._counter("clock_failures", "Tables that the clock failed to act on.")
        self._outages = self._counter("outages", "Outages for which this engine put all deadlines off.")
        self._outage_seconds = self._counter("outage_seconds", "By how long it put them off.")

    def _counter(self, name: str, told: str) -> Counter:
        return Counter(f"locanda_{name}", told, registry=self.registry)

    def _tally(self, name: str, told: str, *labels: str) -> Tally:
        tally = Tally(f"locanda_{name}", told, *labels)
        self.registry.register(tally)
        return tally

    def _timing(self, name: str, told: str, bounds: tuple[float, ...], *labels: str) -> Timing:
        timing = Timing(f"locanda_{name}", told, bounds, *labels)
        self.registry.register(timing)
        return timing

    # --- requests and streams

    def watch_streams(self, count: Callable[[], int]) -> None:
        """Ask this function how many streams are open."""
        self._streams.set_function(count)

    def serving(self, route: str, *, timed: bool) -> Callable[[str, int, float], None]:
        """Return what counts the requests of a route, by method and status; a stream has no time."""
        requests, seconds_of = self._requests, cache(lambda method: self._seconds.of(method, route).add)

        def served(method: str, status: int, seconds: float) -> None:
            requests.add(method, route, status)
            if timed:
                seconds_of(method)(seconds)

        return served

    def problem(self, code: str) -> None:
        """Count a problem, by a code of the registry."""
        self._problems.add(code)

    def event(self, kind: str) -> None:
        """Count an event sent: a `change`, or a `gap` where a listener had missed some."""
        self._events.add(kind)

    # --- tables

    def commit(self, outcome: str, step: Step) -> None:
        """Count a step that was sent to the store: `committed`, `clash` or `replayed`."""
        self._commits.add(outcome)
        if outcome != "committed":
            return
        game = step.table.game
        for line in step.log:
            if isinstance(line.entry, MoveMade):
                self._moves.add(game)
        for event in step.table.events:
            counted = self._happened.get(event["type"])
            if counted:
                counted.add(game)

    # --- the store

    def failed(self) -> None:
        """Count a command that the store did not serve."""
        self._store_failures.inc()

    def connecting(self) -> None:
        """Count an attempt to connect to the store."""
        self._store_connections.inc()

    # --- the clock

    def waking(self, wake: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        """Return the function that wakes a table, so that it is counted."""

        async def counted(table: str) -> None:
            self._wakes.inc()
            try:
                await wake(table)
            except StoreDownError:  # counted as the store's, and the table is looked at again
                raise
            except Exception:
                self._wake_failures.inc()
                raise

        return counted

    def outage(self, milliseconds: int) -> None:
        """Count an outage, and how long it was."""
        self._outages.inc()
        self._outage_seconds.inc(milliseconds / 1000)

    def exposition(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self.registry)
