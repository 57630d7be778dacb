"""The whole house in one process: Telegram's emulator, the bot, the engine; and people who press what they see."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from services.engine import app as engine
from services.engine.settings import Settings as EngineSettings
from services.telegram import app as bot
from services.telegram.pace import Limits
from services.telegram.settings import Settings as BotSettings
from tests.e2e.processes import free_port
from tests.emulator import Emulator, NotSeenError, Person
from tests.emulator.state import Button, Message

HAND = "Regole"
"""A button that every hand message has, in the language of the people in these tests."""


@dataclass
class House:
    """Where everything runs."""

    telegram: Emulator
    engine_url: str
    redis_url: str

    def bot_environment(self) -> dict[str, str]:
        """The settings of a bot in a process of its own."""
        return {
            "TELEGRAM_TOKEN": self.telegram.token,
            "TELEGRAM_API_URL": self.telegram.url,
            "ENGINE_URL": self.engine_url,
            "REDIS_URL": self.redis_url,
            "LOG_FORMAT": "json",
            "PTB_TIMEDELTA": "true",
        }


@asynccontextmanager
async def opened(telegram: Emulator, redis_url: str, *, think_ms: int = 20) -> AsyncIterator[House]:
    """Run engine and bot, the bot without the pauses that the real Telegram would ask of it."""
    port = free_port()
    house = House(telegram, f"http://127.0.0.1:{port}", redis_url)
    stop = asyncio.Event()
    settings = EngineSettings(redis_url=redis_url, engine_port=port, engine_think_ms=think_ms)
    talk = BotSettings(
        telegram_token=telegram.token,
        telegram_api_url=telegram.url,
        engine_url=house.engine_url,
        redis_url=redis_url,
    )
    async with asyncio.TaskGroup() as services:
        services.create_task(engine.run(settings, stop))
        await _ready(house.engine_url)
        services.create_task(bot.run(talk, stop, limits=Limits.none()))
        try:
            yield house
        finally:
            stop.set()


async def _ready(url: str) -> None:
    async with aiohttp.ClientSession() as session, asyncio.timeout(10):
        while True:
            try:
                async with session.get(f"{url}/readyz") as answer:
                    if answer.status == 200:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.02)


def playable(person: Person) -> Button | None:
    """The first button that stands out in the person's hand message: what may be played now."""
    hand = newest_hand(person)
    if hand is None:
        return None
    return next((key for row in hand.rows for key in row if key.raw.get("style") == "primary"), None)


def newest_hand(person: Person) -> Message | None:
    """The person's hand message, if there is one."""
    try:
        return person.private.shows(button=HAND)
    except NotSeenError:
        return None
