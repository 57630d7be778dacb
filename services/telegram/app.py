"""The bot put together: the one place that knows all rooms. Takes fakes as arguments."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial

import structlog
from redis.asyncio import Redis
from telegram import Bot, BotCommand, Update
from telegram.error import TelegramError
from telegram.ext import ApplicationBuilder, ContextTypes
from telegram.request import HTTPXRequest

from services.telegram.catalogue import Catalogue
from services.telegram.feed.chores import Chores
from services.telegram.feed.ears import Ears
from services.telegram.feed.feed import Feed
from services.telegram.handlers.house import House
from services.telegram.handlers.register import AnyApplication, register
from services.telegram.memory.connect import connect
from services.telegram.memory.memory import Memory
from services.telegram.ordering import KeyedProcessor
from services.telegram.outbox.api import BotApi
from services.telegram.outbox.clock import Clock
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.pace import Limits
from services.telegram.painter.painter import Painter
from services.telegram.receiving import Handle, persistently, poll, serve, until
from services.telegram.screens.talk import commands_of
from services.telegram.settings import Settings
from services.telegram.tables.tables import Tables
from services.telegram.tracing import request_id, traced
from shared.client import EngineClient
from shared.translate import Language

log = structlog.get_logger(__name__)

CONNECTIONS = 64


def now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


@asynccontextmanager
async def opened(
    settings: Settings,
    engine: EngineClient,
    redis: Redis,
    *,
    limits: Limits | None = None,
    clock: Clock | None = None,
    today: Callable[[], datetime] = now,
) -> AsyncIterator[tuple[House, Handle]]:
    """Yield the bot's rooms at work, and the function that handles its updates."""
    # Building it reads certificates from the disk.
    application = await asyncio.to_thread(_application, settings)
    async with application:
        memory, catalogue = Memory(redis), Catalogue(engine)
        tables = Tables(engine, memory, catalogue)
        outbox = Outbox(BotApi(application.bot), limits=limits, clock=clock)
        painter = Painter(engine, memory, catalogue, outbox, today)
        feed = Feed(engine, memory, tables, painter)
        house = House(
            bot=application.bot,
            memory=memory,
            catalogue=catalogue,
            tables=tables,
            painter=painter,
            feed=feed,
            outbox=outbox,
        )
        register(application, house)
        application.add_error_handler(_tell)
        ears = Ears(memory, tables.seating, painter, feed, outbox)
        async with outbox.delivering(ears), feed, Chores(engine, memory, feed):
            yield house, traced(_handling(application))


async def _found(settings: Settings) -> bool:
    """Tell that Telegram answers and knows the bot. Raises `telegram.error.TelegramError`."""
    bot = await asyncio.to_thread(Bot, settings.telegram_token, base_url=_base_url(settings))
    async with bot:
        return True


def _base_url(settings: Settings) -> str:
    return f"{settings.telegram_api_url.rstrip('/')}/bot"


def _application(settings: Settings) -> AnyApplication:
    builder = ApplicationBuilder()
    request = HTTPXRequest(connection_pool_size=CONNECTIONS, pool_timeout=10.0, read_timeout=10.0)
    return (
        builder.token(settings.telegram_token)
        .base_url(_base_url(settings))
        .request(request)
        .concurrent_updates(KeyedProcessor())
        .updater(None)
        .job_queue(None)
        .build()
    )


def _handling(application: AnyApplication) -> Handle:
    async def handle(update: Update) -> None:
        await application.update_processor.process_update(update, application.process_update(update))

    return handle


async def _tell(_update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Log what a handler did not expect; its words may hold a secret, so they stay out of the log."""
    log.error("update_not_handled", exc_info=context.error)


async def announce_commands(bot: Bot) -> None:
    """Tell Telegram the commands, in each language (Bot API, setMyCommands)."""
    languages: tuple[tuple[Language, str | None], ...] = (("en", None), ("it", "it"))
    try:
        for language, code in languages:
            commands = [BotCommand(name, told) for name, told in commands_of(language)]
            await bot.set_my_commands(commands, language_code=code)
    except TelegramError as error:
        log.warning("commands_not_announced", reason=type(error).__name__)


async def run(settings: Settings, stop: asyncio.Event, *, limits: Limits | None = None) -> None:
    """Run the bot until told to stop.

    Raises `telegram.error.InvalidToken` for a token that Telegram does not know, `SettingsError` where Redis' URL names
    nothing.
    """
    # The embedded one reads its list of commands from the disk.
    redis = await asyncio.to_thread(connect, settings.redis_url)
    try:
        if not await until(stop, persistently(partial(_found, settings))):
            return
        async with (
            EngineClient.connect(
                settings.engine_url, api_key=settings.engine_api_key or None, request_id=request_id
            ) as engine,
            opened(settings, engine, redis, limits=limits) as (house, handle),
        ):
            bot = house.bot
            await announce_commands(bot)
            log.info("bot_ready", username=bot.username, by="webhook" if settings.telegram_webhook_url else "polling")
            if settings.telegram_webhook_url:
                await serve(bot, handle, stop, settings)
            else:
                await poll(bot, handle, stop)
    finally:
        await redis.aclose()
    log.info("bot_stopped")
