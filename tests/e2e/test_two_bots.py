"""Two processes of the bot: the process in reserve takes over when the leader is killed, and no tap is lost."""

import time
from pathlib import Path

import pytest

from tests.e2e.balancer import balancer
from tests.e2e.players import GroupPlayers
from tests.e2e.processes import ForkedBot, ForkedEngine, running
from tests.emulator import Emulator
from tests.redis_server import RedisServer, free_port
from tests.waiting import until

pytestmark = pytest.mark.costly

SECRET = "a-long-secret"
TAKEOVER_SECONDS = 15.0


class BotProcess(ForkedBot):
    """One of the bot's processes."""

    async def leads(self) -> bool:
        """Whether the process has become the leader since its start."""
        return "bot_ready" in await self.log()

    async def waits(self) -> bool:
        """Whether the process has entered the reserve since its start."""
        return "bot_in_reserve" in await self.log()


async def test_by_webhook_both_processes_take_updates_and_the_second_leads_once_the_first_is_killed(
    telegram: Emulator, redis_server: RedisServer, tmp_path: Path
) -> None:
    engine, ports = ForkedEngine(tmp_path / "engine.log", redis_server.url), [free_port(), free_port()]
    async with balancer(ports) as url:
        hook = {"TELEGRAM_WEBHOOK_URL": url, "TELEGRAM_WEBHOOK_SECRET": SECRET}
        one, two = (
            BotProcess(
                tmp_path / f"{port}.log",
                telegram,
                engine.url,
                redis_server.url,
                TELEGRAM_WEBHOOK_PORT=str(port),
                **hook,
            )
            for port in ports
        )
        await take_over(telegram, engine, one, two)


async def test_by_polling_the_second_process_waits_in_reserve_and_leads_once_the_first_is_killed(
    telegram: Emulator, redis_server: RedisServer, tmp_path: Path
) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", redis_server.url)
    one, two = (BotProcess(tmp_path / f"{name}.log", telegram, engine.url, redis_server.url) for name in ("one", "two"))
    await take_over(telegram, engine, one, two)


async def play(players: GroupPlayers, moves: int) -> None:
    for _ in range(moves):
        await players.move()


async def take_over(telegram: Emulator, engine: ForkedEngine, one: BotProcess, two: BotProcess) -> None:
    """Kill the leader just after a tap. The process in reserve serves the tap, and the match goes on."""
    async with running(engine, one):
        await until(one.leads)
        async with running(two):
            await until(two.waits)
            players = GroupPlayers(telegram)
            await players.begin()
            await play(players, 4)
            person, key = await players.turn()
            tap = person.presses(person.private, key)
            await one.kill()
            killed = time.monotonic()
            await until(two.leads)
            assert time.monotonic() - killed < TAKEOVER_SECONDS
            await tap.answer()
            await players.redrawn(person, key)
            await play(players, 4)
            assert await two.stop() == 0
            assert "not_handled" not in await two.log()
