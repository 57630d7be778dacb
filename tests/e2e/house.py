"""The whole house in one process: Telegram's emulator, the bot, the engine; and people who press what they see."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web

from services.engine import app as engine
from services.engine.http.serving import Runner
from services.engine.settings import Settings as EngineSettings
from services.engine.store import connect
from services.telegram import app as bot
from services.telegram.outbox.pace import Limits
from services.telegram.settings import Settings as BotSettings
from tests.emulator import Emulator, Person
from tests.emulator.state import Button, Message
from tests.redis_server import free_port

HAND = "Regole"
"""A button that every hand message has, in the language of the people in these tests."""
KEY = "the-bot-alone-opens-tables"


class House:
    """Where everything runs: the engine with a clock that a test can move, and a bot that it can stop and start."""

    def __init__(self, telegram: Emulator, redis_url: str, *, think_ms: int) -> None:
        port = free_port()
        self.telegram = telegram
        self.engine_url = f"http://127.0.0.1:{port}"
        self._settings = EngineSettings(
            redis_url=redis_url,
            engine_port=port,
            engine_think_ms=think_ms,
            engine_requests_per_second=0,
            engine_api_keys=KEY,
            log_level="debug",
        )
        self._talk = BotSettings(
            telegram_token=telegram.token,
            telegram_api_url=telegram.url,
            engine_url=self.engine_url,
            engine_api_key=KEY,
            redis_url=redis_url,
        )
        self._passed = 0
        self._engine = AsyncExitStack()
        self._stop_bot = asyncio.Event()
        self._bot: asyncio.Task[None] | None = None

    async def time_passes(self, seconds: int) -> None:
        """Move the engine's clock forward, step by step: a leap would look as if the house had been closed."""
        for _ in range(seconds):
            self._passed += 1000
            await asyncio.sleep(0.05)

    async def start_engine(self) -> None:
        """Serve the API."""
        store = await connect(self._settings.redis_url)
        opened = engine.opened(self._settings, store, now=lambda: engine.now() + self._passed)
        runner = Runner(await self._engine.enter_async_context(opened))
        self._engine.push_async_callback(runner.cleanup)
        await runner.setup()
        await web.TCPSite(runner, self._settings.engine_host, self._settings.engine_port).start()

    async def start_bot(self) -> None:
        """Let the bot listen; it does without the pauses that the real Telegram would ask of it."""
        self._stop_bot = asyncio.Event()
        self._bot = asyncio.create_task(bot.run(self._talk, self._stop_bot, limits=Limits.none()))

    async def stop_bot(self) -> None:
        """Stop the bot; what people do meanwhile waits for it."""
        self._stop_bot.set()
        if self._bot:
            await self._bot

    async def close(self) -> None:
        """Stop everything."""
        await self.stop_bot()
        await self._engine.aclose()


@asynccontextmanager
async def opened(telegram: Emulator, redis_url: str, *, think_ms: int = 20) -> AsyncIterator[House]:
    """Run engine and bot."""
    house = House(telegram, redis_url, think_ms=think_ms)
    try:
        await house.start_engine()
        await house.start_bot()
        yield house
    finally:
        await house.close()


def playable(person: Person) -> Button | None:
    """The first button that stands out in the person's hand message: what may be played now."""
    hand = newest_hand(person)
    if hand is None:
        return None
    return next((key for row in hand.rows for key in row if key.raw.get("style") == "primary"), None)


def newest_hand(person: Person) -> Message | None:
    """The person's hand message, if there is one."""
    return person.private.shows(button=HAND)
