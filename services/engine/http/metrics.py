"""What Prometheus is told: by route, never by table or person."""

from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from services.engine.table.state import MoveMade, Step

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


def _release() -> str:
    """Return the release that runs; a checkout that is not installed has none."""
    try:
        return version("locanda")
    except PackageNotFoundError:
        return "0"


RELEASE = _release()


class Metrics:
    """The engine's metrics, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._requests = Counter(
            "locanda_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "locanda_request_seconds",
            "How long a request took, streams aside.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._streams = Gauge("locanda_open_streams", "Event streams open now.", registry=self.registry)
        self._moves = Counter("locanda_moves", "Moves committed.", ("game",), registry=self.registry)
        self._commits = Counter("locanda_commits", "Steps sent to the store.", ("outcome",), registry=self.registry)
        # Looking a label's metric up by its name costs more than counting.
        self._counter = cache(lambda method, route, status: self._requests.labels(method, route, str(status)))
        self._timer = cache(self._seconds.labels)
        Info("locanda_build", "The release that runs.", registry=self.registry).info({"version": RELEASE})

    def watch_streams(self, count: Callable[[], int]) -> None:
        """Ask this function how many streams are open."""
        self._streams.set_function(count)

    def request(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request; a stream has no time."""
        self._counter(method, route, status).inc()
        if seconds is not None:
            self._timer(method, route).observe(seconds)

    def commit(self, outcome: str, step: Step) -> None:
        """Count a step that was sent to the store: `committed`, `clash` or `replayed`."""
        self._commits.labels(outcome).inc()
        moves = sum(isinstance(line.entry, MoveMade) for line in step.log)
        if moves and outcome == "committed":
            self._moves.labels(step.table.game).inc(moves)

    def exposition(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self.registry)
