"""Metrics: what an operator can count on, and a dashboard that shows all of it."""

import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from services.engine.games.registry import GAMES
from services.engine.http.metrics import Metrics
from services.engine.settings import Settings
from services.engine.store import connect
from tests.engine.http.house import FREE, House, Players, gather, house
from tests.redis_server import RedisServer

DASHBOARD = Path(__file__).parents[3] / "docs" / "grafana" / "locanda.json"
METRIC = re.compile(r"\b(?:locanda|process|python)_[a-z0-9_]+")
WRONG_ENDS = re.compile(r"_(counter|gauge|histogram|summary|count|sum|bucket|total|created|ms|milliseconds|minutes)$")
SUFFIXES = re.compile(r"_(total|bucket|info)$")


async def value(engine: House, sample: str) -> float:
    """Return the value of a sample, 0 where it is not there yet."""
    text = (await engine.get("/metrics")).body.decode()
    found = re.search(rf"^{re.escape(sample)} (.+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def families() -> Iterable[Metric]:
    return text_string_to_metric_families(Metrics().exposition().decode())


def test_metrics_are_named_as_prometheus_asks() -> None:
    """As `promtool check metrics` and the conventions have it: base units, no type in the name, a line of help."""
    for family in families():
        if family.name.startswith("locanda"):
            assert re.fullmatch(r"locanda(_[a-z]+)+", family.name)
            assert family.documentation.endswith(".")
            assert not WRONG_ENDS.search(family.name)
            assert family.type != "histogram" or family.name.endswith("_seconds")


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    shown = {SUFFIXES.sub("", name) for expression in asked for name in METRIC.findall(expression)}
    known = {SUFFIXES.sub("", family.name) for family in families()}
    assert shown <= known
    assert {name for name in known if name.startswith("locanda")} <= shown


@pytest.mark.parametrize("name", GAMES)
async def test_tables_matches_and_moves_are_counted_by_game(engine: House, name: str) -> None:
    players = await gather(engine, 2, game=name)
    await players.start()
    await players.play()
    for counted in ("tables_opened", "matches_started", "moves"):
        assert await value(engine, f'locanda_{counted}_total{{game="{name}"}}') == 1


async def test_a_match_played_to_its_end_is_counted(playing: Players) -> None:
    await playing.play_out()
    assert await value(playing.house, 'locanda_matches_finished_total{game="gatto_rosso"}') == 1


async def test_problems_are_counted_by_their_code(engine: House) -> None:
    await engine.get("/v1/games/briscola")
    await engine.get("/v1/tables/x")
    assert await value(engine, 'locanda_problems_total{code="no_such_game"}') == 1
    assert await value(engine, 'locanda_problems_total{code="no_such_table"}') == 1


async def test_events_sent_are_counted(playing: Players) -> None:
    async with playing.house.session.get(playing.house.url(f"{playing.path}/events")) as stream:
        await stream.content.readuntil(b"\n\n")
        await stream.content.readuntil(b"\n\n")
    assert await value(playing.house, 'locanda_stream_events_total{event="change"}') == 1


async def test_a_store_that_goes_away_and_comes_back_is_seen(mortal_redis: RedisServer) -> None:
    async with house(Settings(redis_url=mortal_redis.url)) as engine:
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
    async with house(FREE, store) as engine:
        players = await gather(engine, 2)
        await engine.post(f"{players.path}/seats", {"name": "Ugo", "kind": "computer"}, token=players.tokens[0])
        await players.start()
        async with asyncio.timeout(10):
            while not await value(engine, "locanda_clock_wakes_total"):
                await (players.play() if await players.turn() != 2 else asyncio.sleep(0.02))
        assert await value(engine, "locanda_clock_failures_total") == 0
