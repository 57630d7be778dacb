"""The bot as a whole: builds its parts, connects them, and runs it. Engine client, Redis and clock are arguments."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial

import structlog
from redis.asyncio import Redis
from telegram import Bot, Update
from telegram.error import InvalidToken
from telegram.ext import ApplicationBuilder, ContextTypes
from telegram.request import HTTPXRequest

from locanda.client import EngineClient
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.background import BackgroundTasks
from services.telegram.catalogue import GameCatalogue
from services.telegram.following.followers import TableFollowers
from services.telegram.following.housekeeping import Housekeeping, OutboxEvents
from services.telegram.handlers.commands import publish_commands
from services.telegram.handlers.context import BotContext, GroupMembers
from services.telegram.handlers.updates import AnyApplication, register
from services.telegram.health import (
    BAD_TOKEN,
    NO_TOKEN,
    Health,
    answering_probes,
    checking_answers,
    checking_engine_key,
)
from services.telegram.receiving import long_poll, retry_until_success, serve_webhook, unless_stopped
from services.telegram.rendering.renderer import Renderer
from services.telegram.repositories import Repositories
from services.telegram.repositories.connection import connect
from services.telegram.sending.bot_api import BotApi
from services.telegram.sending.delivery import MonotonicClock
from services.telegram.sending.outbox import Outbox
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings
from services.telegram.tables import Tables
from services.telegram.update_processing import OrderedUpdateProcessor, UpdateHandler, request_id, traced

log = structlog.get_logger(__name__)

CONNECTIONS = 64


def utc_now() -> datetime:
    """Return the current date and time in UTC."""
    return datetime.now(UTC)


@asynccontextmanager
async def running_bot(
    settings: BotSettings,
    engine: EngineClient,
    redis: Redis,
    *,
    limits: RateLimits | None = None,
    clock: MonotonicClock | None = None,
    now: Callable[[], datetime] = utc_now,
) -> AsyncIterator[tuple[BotContext, UpdateHandler]]:
    """Yield the context of the bot at work, and the function that handles its updates."""
    # Building the application reads certificates from the disk, which would block the loop.
    application = await asyncio.to_thread(_application, settings)
    async with application:
        repositories, catalogue = Repositories(redis), GameCatalogue(engine)
        tables = Tables(engine, repositories, catalogue)
        outbox = Outbox(BotApi(application.bot), store=repositories.deliveries, limits=limits, clock=clock)
        renderer = Renderer(engine, repositories, catalogue, outbox, now)
        followers = TableFollowers(engine, repositories, tables, renderer)
        background = BackgroundTasks()
        context = BotContext(
            bot=application.bot,
            repositories=repositories,
            catalogue=catalogue,
            tables=tables,
            renderer=renderer,
            followers=followers,
            outbox=outbox,
            members=GroupMembers(application.bot),
            background=background,
        )
        register(application, context)
        application.add_error_handler(_log_error)
        outbox_events = OutboxEvents(repositories, tables.seating, renderer, followers, outbox)
        housekeeping = Housekeeping(engine, repositories, followers)
        async with outbox.delivering(outbox_events), followers, housekeeping, background:
            yield context, traced(_handler(application, outbox))


async def _check_token(settings: BotSettings) -> bool:
    """Return true once Telegram has accepted the token. Raises `telegram.error.TelegramError`."""
    bot = await asyncio.to_thread(Bot, settings.telegram_token, base_url=_base_url(settings))
    async with bot:
        return True


def _base_url(settings: BotSettings) -> str:
    return f"{settings.telegram_api_url.rstrip('/')}/bot"


def _application(settings: BotSettings) -> AnyApplication:
    builder = ApplicationBuilder()
    request = HTTPXRequest(connection_pool_size=CONNECTIONS, pool_timeout=10.0, read_timeout=10.0)
    return (
        builder.token(settings.telegram_token)
        .base_url(_base_url(settings))
        .request(request)
        .concurrent_updates(OrderedUpdateProcessor())
        .updater(None)
        .job_queue(None)
        .build()
    )


def _handler(application: AnyApplication, outbox: Outbox) -> UpdateHandler:
    async def handle(update: Update) -> None:
        handled = application.process_update(update)
        try:
            await application.update_processor.process_update(update, handled)
        finally:
            handled.close()  # where it was cancelled before it began
        if update.callback_query is not None:
            await outbox.answered(update.callback_query.id)
        try:
            await outbox.save()
        except REDIS_ERRORS as error:
            log.warning("deliveries_not_saved", reason=type(error).__name__)

    return handle


async def _log_error(_update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Log an unexpected error of a handler, without the update: its text may hold a secret."""
    log.error("update_not_handled", exc_info=context.error)


async def run(settings: BotSettings, stop: asyncio.Event, *, limits: RateLimits | None = None) -> None:
    """Run the bot until `stop` is set; without a token, wait for that alone.

    Raises `telegram.error.InvalidToken` for a token that Telegram does not know, or waits where its health is asked
    for, and `SettingsError` for a Redis URL that no client understands.
    """
    health = Health()
    async with answering_probes(health, settings):
        if settings.telegram_token:
            try:
                await _serve(settings, stop, health, limits)
            except InvalidToken:
                if not settings.telegram_health_port:
                    raise
                # In a container, an end would be a start, for ever: whoever watches its health learns of it.
                health.solved("starting")
                health.report("bad_token", BAD_TOKEN)
                await stop.wait()
        else:
            health.report("no_token", NO_TOKEN)
            await stop.wait()
    log.info("bot_stopped")


async def _serve(settings: BotSettings, stop: asyncio.Event, health: Health, limits: RateLimits | None) -> None:
    health.starting()
    # The embedded Redis reads its list of commands from the disk, which would block the loop.
    redis = await asyncio.to_thread(connect, settings.redis_url)
    try:
        if not await unless_stopped(stop, retry_until_success(partial(_check_token, settings))):
            return
        async with (
            EngineClient.connect(
                settings.engine_url, api_key=settings.engine_api_key or None, request_id=request_id
            ) as engine,
            running_bot(settings, engine, redis, limits=limits) as (context, handle),
            checking_engine_key(engine, health),
            checking_answers(context.bot.get_me, redis.ping, health),
        ):
            bot = context.bot
            await unless_stopped(stop, publish_commands(bot))
            health.solved("starting")
            log.info("bot_ready", username=bot.username, by="webhook" if settings.telegram_webhook_url else "polling")
            if settings.telegram_webhook_url:
                await serve_webhook(bot, handle, stop, settings)
            else:
                await long_poll(bot, handle, stop, context.repositories.updates)
    finally:
        await redis.aclose()
