"""The engine and the bot in this process, for tests and the demo; the bot talks to the Telegram emulator."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web

from services.engine import app as engine
from services.engine.app import server
from services.engine.settings import EngineSettings
from services.engine.store import Store, connect
from services.telegram import app as bot
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings
from tests.emulator import Emulator
from tests.redis_server import free_port
from tests.waiting import until

API_KEY = "the-bot-alone-opens-tables"


class EngineAndBot:
    """An engine whose clock a test can move forward, and a bot that a test can stop and start."""

    def __init__(self, telegram: Emulator, redis_url: str, *, think_ms: int) -> None:
        port = free_port()
        self.telegram = telegram
        self.engine_url = f"http://127.0.0.1:{port}"
        self._engine_settings = EngineSettings(
            redis_url=redis_url,
            engine_port=port,
            engine_think_ms=think_ms,
            engine_client_cpu_ms=0,
            engine_writes_per_second=0,
            engine_api_keys=API_KEY,
            log_level="debug",
        )
        self._bot_settings = BotSettings(
            telegram_token=telegram.token,
            telegram_api_url=telegram.url,
            engine_url=self.engine_url,
            engine_api_key=API_KEY,
            redis_url=redis_url,
        )
        self._milliseconds_ahead = 0
        self._store: Store | None = None
        self._engine = AsyncExitStack()
        self._stop_bot = asyncio.Event()
        self._bot: asyncio.Task[None] | None = None

    async def time_passes(self, seconds: int) -> None:
        """Move the engine's time forward in small steps, because a jump would look like an outage."""
        for _ in range(seconds):
            self._milliseconds_ahead += 1000
            await self._heartbeat_at(self._now())

    async def _heartbeat_at(self, milliseconds: int) -> None:
        """Wait until the engine's clock has completed a round at this time or later."""
        store = self._store
        assert store
        await until(lambda: store._last_heartbeat >= milliseconds)

    def _now(self) -> int:
        assert self._store
        return self._store.now() + self._milliseconds_ahead

    async def start_engine(self) -> None:
        """Start the engine."""
        self._store = await connect(self._engine_settings.redis_url)
        opened = engine.running_engine(self._engine_settings, self._store, now=self._now)
        runner = server(await self._engine.enter_async_context(opened))
        self._engine.push_async_callback(runner.cleanup)
        await runner.setup()
        await web.TCPSite(runner, self._engine_settings.engine_host, self._engine_settings.engine_port).start()

    async def start_bot(self) -> None:
        """Start the bot, without the rate limits that the real Telegram imposes."""
        self._stop_bot = asyncio.Event()
        self._bot = asyncio.create_task(bot.run(self._bot_settings, self._stop_bot, limits=RateLimits.none()))

    async def stop_bot(self) -> None:
        """Stop the bot; updates wait in the emulator until it starts again."""
        self._stop_bot.set()
        if self._bot:
            await self._bot

    async def close(self) -> None:
        """Stop everything."""
        await self.stop_bot()
        await self._engine.aclose()


@asynccontextmanager
async def running_engine_and_bot(
    telegram: Emulator, redis_url: str, *, think_ms: int = 20
) -> AsyncIterator[EngineAndBot]:
    """Run engine and bot."""
    both = EngineAndBot(telegram, redis_url, think_ms=think_ms)
    try:
        await both.start_engine()
        await both.start_bot()
        yield both
    finally:
        await both.close()
