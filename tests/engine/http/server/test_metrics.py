"""The values and the names of metrics."""

import asyncio
import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from locanda.cards import CODES
from locanda.games.rules import GAMES
from services.engine.http.problems.types import REFUSALS_BY_GAME
from services.engine.http.server.metrics import LabelledCounter, LabelledHistogram, Metrics
from services.engine.settings import EngineSettings
from services.engine.store import connect
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.redis_server import RedisServer

WRONG_ENDS = re.compile(r"_(counter|gauge|histogram|summary|count|sum|bucket|total|created|ms|milliseconds|minutes)$")


async def value(engine: RunningEngine, sample: str) -> float:
    """Return the value of a sample, or 0 if the sample does not exist yet."""
    text = (await engine.get("/metrics")).body.decode()
    match = re.search(rf"^{re.escape(sample)} (.+)$", text, re.MULTILINE)
    return float(match[1]) if match else 0.0


def families() -> Iterable[Metric]:
    return text_string_to_metric_families(Metrics().exposition().decode())


def test_metrics_are_named_as_prometheus_asks() -> None:
    """These are the rules of `promtool check metrics`: base units, no type in the name, a help text."""
    for family in families():
        if family.name.startswith("locanda"):
            assert re.fullmatch(r"locanda(_[a-z]+)+", family.name)
            assert family.documentation.endswith(".")
            assert not WRONG_ENDS.search(family.name)
            assert family.type != "histogram" or family.name.endswith("_seconds")


@pytest.mark.parametrize("name", GAMES)
async def test_tables_matches_and_moves_are_counted_by_game(engine: RunningEngine, name: str) -> None:
    players = await seat_players(engine, 2, game=name)
    await players.start()
    await players.play()
    for counted in ("tables_opened", "matches_started", "moves"):
        assert await value(engine, f'locanda_{counted}_total{{game="{name}"}}') == 1


async def test_a_match_played_to_its_end_is_counted(playing: SeatedPlayers) -> None:
    await playing.play_out()
    assert await value(playing.engine, 'locanda_matches_finished_total{game="gatto_rosso"}') == 1


async def test_problems_are_counted_by_their_code(engine: RunningEngine) -> None:
    await engine.get("/v1/games/briscola")
    await engine.get("/v1/tables/x")
    assert await value(engine, 'locanda_problems_total{code="no_such_game"}') == 1
    assert await value(engine, 'locanda_problems_total{code="no_such_table"}') == 1


async def test_refused_moves_are_counted_without_their_codes(playing: SeatedPlayers) -> None:
    """Otherwise anyone who reads the metrics of a quiet engine would learn which cards an opponent lacks."""
    seat = await playing.turn()
    hand = (await playing.see(seat))["deal"]["hand"]
    card = next(code for code in CODES if code.endswith("h") and code not in hand)
    for other in (seat, (seat + 1) % 3):
        path = f"{playing.path}/moves"
        body = {"move": {"type": "play", "card": card}}
        answer = await playing.engine.post(path, body, token=playing.tokens[other])
        assert answer.status in (409, 422)
    counted = (await playing.engine.get("/metrics")).body.decode()
    assert re.search(r"^locanda_refused_moves_total [12]\.0$", counted, re.MULTILINE)
    codes = {*re.findall(r'locanda_problems_total{code="(\w+)"}', counted)}
    assert not codes & {code for refusals in REFUSALS_BY_GAME.values() for code in refusals}


async def test_events_sent_are_counted(playing: SeatedPlayers) -> None:
    async with playing.engine.session.get(playing.engine.url(f"{playing.path}/events")) as stream:
        await stream.content.readuntil(b"\n\n")
        await stream.content.readuntil(b"\n\n")
    assert await value(playing.engine, 'locanda_stream_events_total{event="change"}') == 1


async def test_a_store_that_goes_away_and_comes_back_is_seen(mortal_redis: RedisServer) -> None:
    async with running_engine(EngineSettings(redis_url=mortal_redis.url)) as engine:
        await engine.ready()
        assert await value(engine, "locanda_store_call_duration_seconds_count") > 0
        assert await value(engine, "locanda_store_failures_total") == 0
        first = await value(engine, "locanda_store_connections_total")
        mortal_redis.kill()
        assert (await engine.get("/readyz")).status == 503
        assert await value(engine, "locanda_store_failures_total") > 0
        assert await value(engine, "locanda_store_connections_total") > first


async def test_the_clock_is_counted() -> None:
    store = await connect(None)
    async with running_engine(NO_LIMITS, store) as engine:
        players = await seat_players(engine, 2)
        await engine.post(f"{players.path}/seats", {"name": "Ugo", "kind": "computer"}, token=players.tokens[0])
        await players.start()
        async with asyncio.timeout(60):
            while (table := await players.see())["deal"]["turn"] != 2:
                await players.play()
            await engine.get(f"{players.path}?after={table['version']}&wait=25")
        assert await value(engine, "locanda_clock_wakes_total") >= 1
        assert await value(engine, "locanda_clock_failures_total") == 0


# --- the collectors expose the same samples as those of prometheus_client

BOUNDS = (0.001, 0.01, 0.25, 1.0, 30.0)
LABELS = st.sampled_from(["/v1/games", "/v1/tables/{table}", 'a "quoted"\nroute'])
SECONDS = st.sampled_from(BOUNDS) | st.floats(0, 60)


def _exposed(registry: CollectorRegistry) -> bytes:
    return generate_latest(registry)


@given(st.lists(st.tuples(LABELS, st.sampled_from([200, 404, 503]))))
def test_a_labelled_counter_is_exposed_as_a_counter(requests: list[tuple[str, int]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    ours_counter = LabelledCounter("requests", "Requests.", "route", "status")
    ours.register(ours_counter)
    counter = Counter("requests", "Requests.", ("route", "status"), registry=theirs)
    for route, status in requests:
        ours_counter.add(route, status)
        counter.labels(route, str(status)).inc()
    assert _exposed(ours) == _exposed(theirs)


@given(st.lists(st.tuples(LABELS, SECONDS)))
def test_a_labelled_histogram_is_exposed_as_a_histogram(requests: list[tuple[str, float]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    ours_histogram = LabelledHistogram("seconds", "Durations.", BOUNDS, "route")
    ours.register(ours_histogram)
    histogram = Histogram("seconds", "Durations.", ("route",), buckets=BOUNDS, registry=theirs)
    for route, seconds in requests:
        ours_histogram.of(route).add(seconds)
        histogram.labels(route).observe(seconds)
    assert _exposed(ours) == _exposed(theirs)


@given(st.lists(SECONDS))
def test_a_histogram_without_labels_is_exposed_from_the_start(durations: list[float]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    ours_histogram = LabelledHistogram("seconds", "Durations.", BOUNDS)
    ours.register(ours_histogram)
    durations_of_all = ours_histogram.of()
    histogram = Histogram("seconds", "Durations.", buckets=BOUNDS, registry=theirs)
    for seconds in durations:
        durations_of_all.add(seconds)
        histogram.observe(seconds)
    assert _exposed(ours) == _exposed(theirs)


async def test_metrics_are_made_once_for_all_who_ask_within_a_second(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.engine.http.server.metrics.EXPOSITION_SECONDS", 60.0)
    first = await engine.get("/metrics")
    await engine.get("/v1/games")
    assert (await engine.get("/metrics")).body == first.body
