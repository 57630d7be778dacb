"""What requests are counted with says what the library's own counters say."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

import services.engine.http.metrics  # noqa: F401 - counters without the time of their creation
from services.engine.http.tallies import Tally, Timing

BOUNDS = (0.001, 0.01, 0.25, 1.0, 30.0)
ROUTES = st.sampled_from(["/v1/games", "/v1/tables/{table}", 'a "quoted"\nroute'])
SECONDS = st.sampled_from(BOUNDS) | st.floats(0, 60)


def _told(registry: CollectorRegistry) -> bytes:
    return generate_latest(registry)


@given(st.lists(st.tuples(ROUTES, st.sampled_from([200, 404, 503]))))
def test_a_tally_is_told_as_a_counter_is(requests: list[tuple[str, int]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    tally = Tally("requests", "Requests.", "route", "status")
    ours.register(tally)
    counter = Counter("requests", "Requests.", ("route", "status"), registry=theirs)
    for route, status in requests:
        tally.add(route, status)
        counter.labels(route, str(status)).inc()
    assert _told(ours) == _told(theirs)


@given(st.lists(st.tuples(ROUTES, SECONDS)))
def test_durations_are_told_as_a_histogram_is(requests: list[tuple[str, float]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    timing = Timing("seconds", "Durations.", BOUNDS, "route")
    ours.register(timing)
    histogram = Histogram("seconds", "Durations.", ("route",), buckets=BOUNDS, registry=theirs)
    for route, seconds in requests:
        timing.of(route).add(seconds)
        histogram.labels(route).observe(seconds)
    assert _told(ours) == _told(theirs)


@given(st.lists(SECONDS))
def test_durations_without_labels_are_told_from_the_start(durations: list[float]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    timing = Timing("seconds", "Durations.", BOUNDS)
    ours.register(timing)
    durations_of_all = timing.of()
    histogram = Histogram("seconds", "Durations.", buckets=BOUNDS, registry=theirs)
    for seconds in durations:
        durations_of_all.add(seconds)
        histogram.observe(seconds)
    assert _told(ours) == _told(theirs)
