"""Builds the bot's parts, connects them, and runs the bot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import structlog
from aiohttp import web
from redis.asyncio import Redis
from telegram import Bot
from telegram.error import InvalidToken

from locanda.client import EngineClient, NamedAccounts, RetryPolicy
from locanda.errors import EngineError
from services.common import processes
from services.common.places import NoPlaceError
from services.common.processes import BackgroundTasks, repeat
from services.common.redis_urls import REDIS_ERRORS
from services.common.timed_connections import serving
from services.telegram.accounts import account_names, acting_for
from services.telegram.drawing.facts import AppLinks
from services.telegram.evenings.facts import EveningReader
from services.telegram.evenings.following import Evenings
from services.telegram.evenings.next_evenings import NextEvenings
from services.telegram.following.announcements import LOOK_SECONDS, Announcements
from services.telegram.following.facts import FactReader
from services.telegram.following.followers import FollowerParts, TableFollowers
from services.telegram.following.housekeeping import REMATCH_SECONDS, SWEEP_SECONDS, Housekeeping
from services.telegram.following.results import MatchResults
from services.telegram.following.titles import Titles
from services.telegram.handlers.callbacks import handle_press, refuse_press
from services.telegram.handlers.commands import publish_commands
from services.telegram.handlers.context import BotContext, GroupMembers
from services.telegram.handlers.settings import load_custom_emoji
from services.telegram.handlers.updates import handle_update
from services.telegram.leadership import leading
from services.telegram.mini_app.server import MiniAppServer
from services.telegram.monitoring import (
    BAD_TOKEN,
    NO_TOKEN,
    REDIS_AWAY,
    REJECTED_TOKEN,
    TELEGRAM_AWAY,
    BotHealth,
    BotMetrics,
    answering_probes,
    check_answers,
    check_engine_key,
)
from services.telegram.receiving import FINISH_SECONDS, UpdateQueue, long_poll, retry_until_success, unless_stopped
from services.telegram.repositories.bot_state import UpdateRepository
from services.telegram.repositories.connection import connect
from services.telegram.repositories.departed import DAY_SECONDS, forget_departed
from services.telegram.repositories.lease import Lease
from services.telegram.repositories.outbox_store import OutboxStore
from services.telegram.repositories.personal_data import file_of
from services.telegram.repositories.remembered import RememberedRedis, always
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons.following import LOOK_SECONDS as SEASON_SECONDS
from services.telegram.seasons.following import Seasons
from services.telegram.sending.bot_api import BotApi
from services.telegram.sending.ephemeral import EphemeralMessages
from services.telegram.sending.http_request import AiohttpRequest
from services.telegram.sending.member_tags import MemberTags
from services.telegram.sending.outbox import Outbox
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import REQUEST_SECONDS, BotSettings, SettingsError
from services.telegram.tables.lookup import GameCatalogue
from services.telegram.tables.passes import AutomaticPasses
from services.telegram.tables.tables import Tables
from services.telegram.updates import (
    AnyUpdate,
    PressUpdate,
    UpdateHandler,
    UpdateTurns,
    asker_of,
    chat_of,
    message_of,
    request_id,
    traced,
)
from services.telegram.webhook import Webhook

log = structlog.get_logger(__name__)

RETRY = RetryPolicy(budget=5.0)
"""Seconds for which an engine call is retried: fewer than the client's default, because a person is waiting."""
CONNECTIONS = 64
"""Maximum number of connections to the Bot API, one of them for long polling. The bot makes fewer calls a second."""


class RunningBot(NamedTuple):
    """A running bot, with the parts that tests use."""

    context: BotContext
    followers: TableFollowers
    handle: UpdateHandler


@asynccontextmanager
async def running_bot(
    bot: Bot,
    settings: BotSettings,
    engine: EngineClient,
    redis: Redis,
    *,
    limits: RateLimits | None = None,
    leads: Callable[[], bool] = always,
    metrics: BotMetrics | None = None,
) -> AsyncIterator[RunningBot]:
    """Yield the running bot.

    `bot` must be initialized: Telegram has accepted its token. `leads` returns whether this process still holds the
    lease. Only one process at a time may run the bot on one Redis (see `leadership.py`).
    """
    repositories, catalogue = Repositories(redis, leads), GameCatalogue(engine)
    tables = Tables(engine, repositories, catalogue)
    metrics = metrics or BotMetrics()
    outbox = Outbox(
        BotApi(bot, metrics.call),
        OutboxStore(repositories),
        limits=limits,
        leads=leads,
        document=partial(file_of, repositories),
        outages=REDIS_ERRORS,
    )
    links = AppLinks(bot.username, settings.telegram_app, settings.public_url)
    facts = FactReader(engine, repositories, catalogue, tables, links)
    background = BackgroundTasks()
    reader = EveningReader(repositories, catalogue)
    evenings = Evenings(repositories, tables, reader, outbox, NextEvenings(engine, repositories))
    seasons = Seasons(repositories, outbox)
    titles = Titles(repositories, MemberTags(bot))
    parts = FollowerParts(
        engine=engine,
        repositories=repositories,
        tables=tables,
        facts=facts,
        outbox=outbox,
        background=background,
        results=MatchResults(engine, repositories, tables.lookup, titles, evenings.next_evenings),
        titles=titles,
        passes=AutomaticPasses(engine, background),
    )
    followers = TableFollowers(parts, evenings)
    context = BotContext(
        bot=bot,
        repositories=repositories,
        catalogue=catalogue,
        tables=tables,
        outbox=outbox,
        members=GroupMembers(bot),
        background=background,
        ephemeral=EphemeralMessages(bot, settings.telegram_api_url, repositories.abilities, background),
        evenings=reader,
        titles=titles,
        seasons=seasons,
        owner=settings.telegram_owner,
        links=links,
    )
    await load_custom_emoji(context)
    housekeeping = Housekeeping(engine, repositories, tables, followers)
    announcements = Announcements(engine, repositories, tables.lookup, outbox)
    expected = (EngineError, *REDIS_ERRORS)
    async with outbox.delivering(), followers, background:
        background.start(housekeeping.resume())
        background.start(evenings.run())
        background.start(titles.resume())
        # The first sweep comes after a pause: after a long outage, drawing a table first marks it as in use.
        background.start(repeat(housekeeping.sweep, SWEEP_SECONDS, "sweep_failed", expected, after=SWEEP_SECONDS))
        background.start(repeat(catalogue.look, LOOK_SECONDS, "games_not_read", expected, after=LOOK_SECONDS))
        rematches = housekeeping.look_for_rematches
        background.start(repeat(rematches, REMATCH_SECONDS, "rematches_not_looked_for", expected))
        background.start(repeat(announcements.look, LOOK_SECONDS, "announcement_not_made", expected))
        background.start(repeat(seasons.look, SEASON_SECONDS, "seasons_not_looked_at", expected))
        departed = partial(forget_departed, repositories)
        background.start(repeat(departed, DAY_SECONDS, "departed_not_forgotten", expected, after=SWEEP_SECONDS))
        metrics.watch(outbox.waiting, followers.count)
        yield RunningBot(context, followers, traced(_handler(context), metrics.update))


def new_bot(settings: BotSettings) -> Bot:
    """Return python-telegram-bot's `Bot`, which has not called Telegram yet."""
    url = settings.telegram_api_url.rstrip("/")
    request = AiohttpRequest(url, CONNECTIONS)
    return Bot(settings.telegram_token, base_url=f"{url}/bot", request=request, get_updates_request=request)


def _handler(context: BotContext) -> UpdateHandler:
    outbox, turns = context.outbox, UpdateTurns()

    async def handle(update: AnyUpdate) -> None:
        seen = message_of(update)
        if seen is not None:
            outbox.see(*seen)
        with outbox.holding(update.update_id, asker_of(update)), acting_for(chat_of(update)):
            try:
                async with turns.turn(update):
                    with context.repositories.changes.together():
                        await _handle(context, update)
            except NoPlaceError:
                if isinstance(update, PressUpdate):
                    refuse_press(context, update.callback_query)
            if isinstance(update, PressUpdate):
                await outbox.answered(update.callback_query.id)
            await outbox.save()
            await context.repositories.updates.forget(update.update_id)

    return handle


async def _handle(context: BotContext, update: AnyUpdate) -> None:
    """Handle an update; log an unexpected error without the update, because its text may hold a secret."""
    try:
        if isinstance(update, PressUpdate):
            await handle_press(context, update.callback_query)
        else:
            await handle_update(context, update)
    except Exception:
        log.exception("update_not_handled")


async def run(settings: BotSettings, stop: asyncio.Event, *, limits: RateLimits | None = None) -> None:
    """Run the bot until `stop` is set. Without a token, only answer probes.

    Raises `SettingsError` if the Redis URL is not supported. If Telegram rejects the token, the bot reports that on its
    probes and waits for `stop`; if probes are off, it raises `SettingsError`.
    """
    health, metrics = BotHealth(), BotMetrics()
    async with answering_probes(health, metrics, settings):
        if settings.telegram_token:
            try:
                await _serve(settings, stop, health, metrics, limits)
            except InvalidToken:
                if not settings.telegram_health_port:
                    raise SettingsError(REJECTED_TOKEN) from None
                # An exit would make the container restart in a loop. The failing probe informs the operator instead.
                health.solved("starting")
                health.report("bad_token", BAD_TOKEN)
                await stop.wait()
        else:
            health.report("no_token", NO_TOKEN)
            await stop.wait()
    log.info("bot_stopped")


async def _serve(
    settings: BotSettings, stop: asyncio.Event, health: BotHealth, metrics: BotMetrics, limits: RateLimits | None
) -> None:
    health.starting()
    # In a thread: the embedded Redis reads its list of commands from disk.
    redis = await asyncio.to_thread(connect, settings.redis_url)
    bot, lease = new_bot(settings), Lease(redis)
    metrics.watch_lease(lease.held)
    try:
        # Without a valid token this process must not compete for the lease.
        if await unless_stopped(stop, retry_until_success(partial(_started, bot))):
            async with _engine(settings) as opened:
                await Process(settings, opened, redis, lease, bot, health, metrics, limits).run(stop)
    finally:
        await bot.shutdown()
        await redis.aclose()


def _engine(settings: BotSettings) -> AbstractAsyncContextManager[EngineClient]:
    """Return the engine client. If `ENGINE_ACCOUNTS_KEY` is set, each request names the account of its chat."""
    key = settings.engine_accounts_key
    return EngineClient.connect(
        settings.engine_url,
        api_key=settings.engine_api_key or None,
        retry=RETRY,
        request_id=request_id,
        accounts=NamedAccounts(key, account_names(settings.telegram_token)) if key else None,
    )


async def _started(bot: Bot) -> bool:
    """Initialize the bot; return true once Telegram has accepted its token. Raises `telegram.error.TelegramError`."""
    try:
        await bot.initialize()
    except BaseException:
        await bot.shutdown()
        raise
    return True


@dataclass(frozen=True, slots=True)
class Process:
    """One process of the bot: accepts webhook updates, if a webhook is set, and runs the bot while it has the lease."""

    settings: BotSettings
    engine: EngineClient
    redis: Redis
    lease: Lease
    bot: Bot
    health: BotHealth
    metrics: BotMetrics
    limits: RateLimits | None

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set. Raises `InvalidToken` if Telegram rejects the bot's token."""
        webhook = Webhook(self.bot, self.settings, UpdateRepository(RememberedRedis(self.redis)))
        async with AsyncExitStack() as stack:
            background = await stack.enter_async_context(BackgroundTasks())
            background.start(check_engine_key(self.engine, self.health))
            background.start(check_answers(self.bot.get_me, "telegram_away", TELEGRAM_AWAY, self.health))
            background.start(check_answers(self.redis.ping, "redis_away", REDIS_AWAY, self.health))
            if self.settings.telegram_webhook_url:
                await stack.enter_async_context(self._serving(webhook.application()))
            self.health.solved("starting")
            processes.tune_garbage_collector()
            await leading(self.lease, stop, partial(self._lead, webhook))

    def _serving(self, application: web.Application) -> AbstractAsyncContextManager[None]:
        host, port = self.settings.telegram_webhook_host, self.settings.telegram_webhook_port
        return serving(application, host, port, REQUEST_SECONDS, finish_seconds=FINISH_SECONDS)

    async def _lead(self, webhook: Webhook, stop: asyncio.Event) -> None:
        settings, bot = self.settings, self.bot
        async with running_bot(
            bot, settings, self.engine, self.redis, limits=self.limits, leads=self.lease.held, metrics=self.metrics
        ) as (context, _, handle):
            updates = context.repositories.updates
            await unless_stopped(stop, publish_commands(bot))
            log.info("bot_ready", username=bot.username, by="webhook" if settings.telegram_webhook_url else "polling")
            mini_app = MiniAppServer(context, settings.telegram_token)
            if settings.telegram_webhook_url:
                await webhook.lead(UpdateQueue(bot, handle, updates), updates, stop, mini_app.answer)
            else:
                async with self._serving(mini_app.application()) if settings.telegram_app else nullcontext():
                    await long_poll(bot, handle, stop, updates)
