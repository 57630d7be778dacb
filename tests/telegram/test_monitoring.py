"""A bot that cannot serve reports the reason once, and waits."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import aiohttp
import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from locanda.client import EngineClient
from services.common.processes import BackgroundTasks
from services.engine.settings import EngineSettings
from services.telegram import monitoring
from services.telegram.app import run
from services.telegram.monitoring import (
    BAD_TOKEN,
    NO_KEY,
    NO_TOKEN,
    REDIS_AWAY,
    TELEGRAM_AWAY,
    BotHealth,
    check_engine_key,
)
from services.telegram.repositories import keys
from services.telegram.repositories.connection import connect
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings, SettingsError
from tests.emulator import Emulator, Person
from tests.engine.http.engine_server import running_engine
from tests.redis_server import RedisServer, free_port
from tests.waiting import until

KEY = "0123456789abcdef"
NO_ENGINE = "http://127.0.0.1:9"


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    with capture_logs() as lines:
        yield lines


async def probe(port: int, path: str) -> tuple[int, str]:
    """Return the status and text of a bot's answer; retry while the bot is starting."""
    async with aiohttp.ClientSession() as session:
        answers: list[tuple[int, str]] = []

        async def answered() -> bool:
            with suppress(aiohttp.ClientConnectionError):
                async with session.get(f"http://127.0.0.1:{port}{path}") as answer:
                    answers.append((answer.status, (await answer.text()).strip()))
            return bool(answers)

        await until(answered)
        return answers[0]


async def test_without_a_token_the_bot_waits_and_says_so_once(lines: list[EventDict]) -> None:
    port, stop = free_port(), asyncio.Event()
    running = asyncio.create_task(run(BotSettings(telegram_health_port=port), stop))
    assert await probe(port, "/healthz") == (200, "ok")
    assert await probe(port, "/readyz") == (503, NO_TOKEN)
    assert "locanda_bot_leads" not in (await probe(port, "/metrics"))[1]  # no alert: nobody should lead
    assert not running.done()
    stop.set()
    await running
    assert [(line["event"], line["log_level"]) for line in lines] == [("no_token", "warning"), ("bot_stopped", "info")]


async def test_a_bot_whose_token_is_not_accepted_yet_is_alive_and_not_ready() -> None:
    port, stop = free_port(), asyncio.Event()
    settings = BotSettings(telegram_token="1:a", telegram_api_url="http://127.0.0.1:1", telegram_health_port=port)
    running = asyncio.create_task(run(settings, stop))
    assert (await probe(port, "/healthz"))[0] == 200
    assert (await probe(port, "/readyz"))[0] == 503
    stop.set()
    await running


@pytest.mark.slow
async def test_with_a_token_that_telegram_does_not_know_a_bot_that_is_probed_waits(lines: list[EventDict]) -> None:
    port, stop = free_port(), asyncio.Event()
    async with Emulator() as telegram:
        settings = BotSettings(telegram_token="1:a", telegram_api_url=telegram.url, telegram_health_port=port)
        running = asyncio.create_task(run(settings, stop))
        await until_ready(port, 503, BAD_TOKEN)
        assert not running.done()
        stop.set()
        await running
    assert [line["event"] for line in lines if line["log_level"] == "warning"].count("bad_token") == 1


@pytest.mark.slow
async def test_with_such_a_token_a_bot_that_nobody_probes_ends() -> None:
    async with Emulator() as telegram:
        with pytest.raises(SettingsError, match="get a valid one from BotFather"):
            await run(BotSettings(telegram_token="1:a", telegram_api_url=telegram.url), asyncio.Event())


@pytest.mark.parametrize("key", [None, "a key of another engine"])
async def test_a_bot_without_the_engines_key_says_so_until_it_has_it(
    lines: list[EventDict], monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    monkeypatch.setattr(monitoring, "RECHECK_SECONDS", 0.01)
    accepted, ask = [], monitoring._key_accepted

    async def counted(engine: EngineClient) -> bool | None:
        accepted.append(await ask(engine))
        return accepted[-1]

    monkeypatch.setattr(monitoring, "_key_accepted", counted)
    health = BotHealth()
    async with (
        running_engine(EngineSettings(engine_api_keys=KEY)) as server,
        EngineClient.connect(server.url("/").rstrip("/"), api_key=key) as engine,
        BackgroundTasks() as background,
    ):
        background.start(check_engine_key(engine, health))
        await until(lambda: len(accepted) > 3)
        assert health.problems == [NO_KEY]
        server.context.api_keys._digests.clear()
        await until(lambda: not health.problems)
    assert accepted == [False] * (len(accepted) - 1) + [True]
    assert [line["detail"] for line in lines if line["event"] == "no_engine_key"] == [NO_KEY]


async def test_a_bot_with_the_engines_key_opens_no_table_to_find_out() -> None:
    health = BotHealth()
    async with (
        running_engine(EngineSettings(engine_api_keys=KEY)) as server,
        EngineClient.connect(server.url("/").rstrip("/"), api_key=KEY) as engine,
    ):
        await check_engine_key(engine, health)
        metrics = (await server.ask("GET", "/metrics")).body.decode()
    assert health.problems == []
    assert "locanda_tables_opened_total{" not in metrics


async def test_a_bot_whose_telegram_and_redis_go_away_is_not_ready_until_they_are_back(
    lines: list[EventDict], monkeypatch: pytest.MonkeyPatch, telegram: Emulator, mortal_redis: RedisServer
) -> None:
    monkeypatch.setattr(monitoring, "CHECK_SECONDS", 0.01)
    monkeypatch.setattr(monitoring, "RETRY_SECONDS", 0.01)
    port, stop = free_port(), asyncio.Event()
    settings = BotSettings(
        telegram_token=telegram.token,
        telegram_api_url=telegram.url,
        telegram_health_port=port,
        redis_url=mortal_redis.url,
    )
    running = asyncio.create_task(run(settings, stop))
    await until_ready(port, 200, "ok")
    with telegram.outage():
        await until_ready(port, 503, TELEGRAM_AWAY)
    await until_ready(port, 200, "ok")
    await asyncio.to_thread(mortal_redis.kill)
    await until_ready(port, 503, REDIS_AWAY)
    assert (await probe(port, "/healthz"))[0] == 200
    await asyncio.to_thread(mortal_redis.start)
    await until_ready(port, 200, "ok")
    stop.set()
    await running
    warned = [line["event"] for line in lines if line["event"] in {"telegram_away", "redis_away"}]
    assert list(dict.fromkeys(warned)) == ["telegram_away", "redis_away"]


async def test_a_process_that_comes_to_lead_while_telegram_is_away_serves_once_it_is_back(
    lines: list[EventDict], telegram: Emulator, anna: Person, mortal_redis: RedisServer
) -> None:
    port, stop = free_port(), asyncio.Event()
    settings = BotSettings(
        telegram_token=telegram.token,
        telegram_api_url=telegram.url,
        telegram_health_port=port,
        redis_url=mortal_redis.url,
        engine_url=NO_ENGINE,
    )
    async with connect(mortal_redis.url) as redis:
        await redis.set(keys.LEADER, "another process")
        running = asyncio.create_task(run(settings, stop, limits=RateLimits.none()))
        await until_ready(port, 200, "ok")
        with telegram.outage():
            await redis.delete(keys.LEADER)
            await until(lambda: running.done() or "telegram_unreachable" in {line["event"] for line in lines})
            assert not running.done()
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    stop.set()
    await running


async def until_ready(port: int, status: int, text: str) -> None:
    """Wait until the bot's `/readyz` answers with this status and text."""

    async def answered() -> bool:
        return await probe(port, "/readyz") == (status, text)

    await until(answered, seconds=100)


async def test_the_bots_metrics_count_calls_updates_and_what_waits_and_name_nobody(
    telegram: Emulator, anna: Person
) -> None:
    port, stop = free_port(), asyncio.Event()
    settings = BotSettings(
        telegram_token=telegram.token, telegram_api_url=telegram.url, telegram_health_port=port, engine_url=NO_ENGINE
    )
    running = asyncio.create_task(run(settings, stop, limits=RateLimits.none()))
    telegram.fail_next("sendMessage", 429, parameters={"retry_after": 1})
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")

    async def shown() -> set[str]:
        return set((await probe(port, "/metrics"))[1].splitlines())

    expected = {
        'locanda_bot_calls_total{kind="send",outcome="rate_limited"} 1.0',
        'locanda_bot_calls_total{kind="send",outcome="done"} 1.0',
        'locanda_bot_update_duration_seconds_count{kind="message"} 1.0',
        "locanda_bot_waiting_messages 0.0",
        "locanda_bot_followers 0.0",
        "locanda_bot_leads 1.0",
    }

    async def all_shown() -> bool:
        return expected <= await shown()

    await until(all_shown)
    assert not [line for line in await shown() if str(anna.id) in line or "Anna" in line]
    stop.set()
    await running
