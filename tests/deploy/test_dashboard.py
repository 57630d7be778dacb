"""The dashboard after some traffic: a real Prometheus has data for each expression of the dashboard."""

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from aiohttp import ClientError, ClientSession
from msgspec.structs import replace

from locanda.messages import JsonObject
from services.engine.service.workers import ThoughtFailedError, Workers
from services.engine.store import keys
from services.telegram import app as bot
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings
from tests.deploy.test_deploy import DASHBOARD
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, quicken_clocks, running_engine, seat_players
from tests.engine.http.hook_receiver import hook_receiver
from tests.programs import program
from tests.redis_server import RedisServer, free_ports
from tests.waiting import until

pytestmark = pytest.mark.slow
PATIENCE = 300.0
VARIABLES = {"$job": "locanda|locanda-bot", "$__rate_interval": "5m"}
SCRAPING = """
global: {{scrape_interval: 500ms, scrape_timeout: 500ms}}
scrape_configs:
  - {{job_name: locanda, static_configs: [{{targets: ["127.0.0.1:{engine}"]}}]}}
  - {{job_name: locanda-bot, static_configs: [{{targets: ["127.0.0.1:{bot}"]}}]}}
"""


def expressions() -> list[str]:
    """Return the panels' expressions, with the variables replaced by values."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    texts = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    for name, value in VARIABLES.items():
        texts = [text.replace(name, value) for text in texts]
    return texts


class Prometheus:
    """A Prometheus that scrapes an engine and a bot twice a second."""

    def __init__(self, url: str, session: ClientSession) -> None:
        self._url = url
        self._session = session

    async def values(self, expression: str) -> list[float]:
        """Return the values of an expression, without NaN."""
        try:
            async with self._session.get(f"{self._url}/api/v1/query", params={"query": expression}) as answer:
                results = (await answer.json())["data"]["result"]
        except ClientError:  # Prometheus does not listen yet
            return []
        return [value for series in results if not math.isnan(value := float(series["value"][1]))]

    async def measures(self, count: int) -> None:
        """Wait until this number of processes has been scraped."""

        async def scraped() -> bool:
            return len(await self.values("up == 1")) == count

        await until(scraped, PATIENCE)


@asynccontextmanager
async def prometheus(folder: Path, engine_port: int, bot_port: int, own_port: int) -> AsyncIterator[Prometheus]:
    configuration = folder / "prometheus.yml"
    await asyncio.to_thread(configuration.write_text, SCRAPING.format(engine=engine_port, bot=bot_port))
    process = await asyncio.create_subprocess_exec(
        await asyncio.to_thread(program, "prometheus"),
        f"--config.file={configuration}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{own_port}",
        "--log.level=error",
    )
    try:
        async with ClientSession() as session:
            yield Prometheus(f"http://127.0.0.1:{own_port}", session)
    finally:
        process.terminate()
        await process.wait()


@pytest.fixture
def ports() -> range:
    return free_ports(2)


@pytest.mark.costly
async def test_every_expression_has_data_after_traffic(
    redis_server: RedisServer, tmp_path: Path, ports: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    quicken_clocks(monkeypatch)
    settings = replace(
        NO_LIMITS, redis_url=redis_server.url, engine_webhooks="on", engine_outbound_private="127.0.0.0/8"
    )
    bot_port, own_port = ports
    async with Emulator() as telegram, running_engine(settings) as engine:
        stop = asyncio.Event()
        bot_settings = BotSettings(
            telegram_token=telegram.token,
            telegram_api_url=telegram.url,
            engine_url=engine.url("/").rstrip("/"),
            redis_url=redis_server.url,
            telegram_health_port=bot_port,
        )
        serving = asyncio.create_task(bot.run(bot_settings, stop, limits=RateLimits.none()))
        port = engine.server.port
        assert port is not None
        async with prometheus(tmp_path, port, bot_port, own_port) as measured:
            await measured.measures(2)
            await traffic(engine, telegram)
            asked_expressions = await asyncio.to_thread(expressions)

            async def all_have_data() -> bool:
                return not [expression for expression in asked_expressions if not await measured.values(expression)]

            try:
                await until(all_have_data, PATIENCE)
            except TimeoutError:
                assert [expression for expression in asked_expressions if not await measured.values(expression)] == []
        stop.set()
        await serving


async def traffic(engine: RunningEngine, telegram: Emulator) -> None:
    """Cause twice everything that the dashboard shows, including failures. Some scrapes lie between the two times."""
    players = GroupPlayers(telegram)
    await players.begin()
    for _ in range(2):
        await players.move()
        await everything_that_can_happen(engine)
        await asyncio.sleep(2)  # so that Prometheus sees the counters grow


async def everything_that_can_happen(engine: RunningEngine) -> None:
    people = await seat_players(engine, 2)
    await engine.ask("PATCH", people.path, {"options": {"deals": 1}}, token=people.tokens[0])
    await people.start()
    watching = asyncio.create_task(engine.get(f"{people.path}?after=99&wait=2"))
    refused: JsonObject = {"move": {"type": "pass"}}
    await engine.post(f"{people.path}/moves", refused, token=people.tokens[await people.turn()])
    async with engine.session.get(engine.url(f"{people.path}/events?after=0")) as stream:
        await stream.content.readuntil(b"\n\n")
    await people.play_out()
    await watching
    await lets_a_turn_pass(engine)
    await thinks(engine)
    await is_notified(engine)
    await cannot_be_read(engine)


async def lets_a_turn_pass(engine: RunningEngine) -> None:
    slow = await seat_players(engine, 2, turn_seconds=1)
    begun = await slow.start()
    await engine.get(f"{slow.path}?after={begun['version']}&wait=25")


async def is_notified(engine: RunningEngine) -> None:
    """Let a person get a notice of their turn."""
    people = await seat_players(engine, 2)
    async with hook_receiver() as receiver:
        body = {"url": f"{receiver.url}/", "whole_table": True}
        subscribed = await engine.post(f"{people.path}/subscriptions", body, token=people.tokens[0])
        receiver.secrets["/"] = subscribed.json["secret"]
        await people.start()
        await until(lambda: receiver.ids)


async def thinks(engine: RunningEngine) -> None:
    """Let one computer player search, and let the search of another one fail."""
    await moves_by_computer(engine)
    with patch.object(Workers, "run", side_effect=ThoughtFailedError("failed")):
        await moves_by_computer(engine)


async def moves_by_computer(engine: RunningEngine) -> None:
    table = await seat_players(engine, 1)
    hard: JsonObject = {"name": "Computer", "kind": "computer", "level": "hard"}
    await engine.post(f"{table.path}/seats", hard, token=table.tokens[0])
    now = await table.start()
    for _ in range(20):
        while now["status"] == "playing" and now["deal"]["turn"] == 0:
            now = (await table.play()).json["table"]
        now = (await engine.get(f"{table.path}?after={now['version']}&wait=25")).json


async def cannot_be_read(engine: RunningEngine) -> None:
    damaged = await seat_players(engine, 1, listed=True)
    await engine.store._backend.call(("SET", keys.of(damaged.table).state, b"damaged"))
    await asyncio.sleep(1.1)  # the engine reads the list once per second
    await engine.get("/v1/tables")
