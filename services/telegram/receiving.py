"""Updates come in: asked for, or delivered to a webhook. Each is confirmed to Telegram only after it was handled."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from telegram import Bot, Update
from telegram.error import InvalidToken, RetryAfter, TelegramError

from services.telegram.handlers.register import ALLOWED_UPDATES
from services.telegram.settings import Settings
from shared.tasks import end

log = structlog.get_logger(__name__)

LONG_POLL = 25
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  (a header's name)

T = TypeVar("T")
Handle = Callable[[Update], Awaitable[None]]


async def poll(bot: Bot, handle: Handle, stop: asyncio.Event) -> None:
    """Ask for updates until told to stop. Raises `InvalidToken`."""
    await until(stop, persistently(lambda: bot.delete_webhook(drop_pending_updates=False)))
    offset: int | None = None
    while not stop.is_set():
        updates = await until(stop, persistently(partial(_ask, bot, offset)))
        if not updates:
            continue
        await asyncio.gather(*(handle(update) for update in updates))
        offset = updates[-1].update_id + 1
    if offset is not None:
        await _confirm(bot, offset)


async def _ask(bot: Bot, offset: int | None) -> tuple[Update, ...]:
    return await bot.get_updates(offset, timeout=LONG_POLL, allowed_updates=ALLOWED_UPDATES)


async def _confirm(bot: Bot, offset: int) -> None:
    """Tell Telegram at the end what was handled, so that it does not come again."""
    try:
        await bot.get_updates(offset, limit=1, timeout=0, allowed_updates=ALLOWED_UPDATES)
    except TelegramError as error:
        log.debug("updates_not_confirmed", reason=type(error).__name__)


async def persistently(call: Callable[[], Awaitable[T]]) -> T:
    """Return what the call gives, however often it fails before."""
    pause = FIRST_PAUSE
    while True:
        try:
            return await call()
        except InvalidToken:
            raise
        except TelegramError as error:
            log.warning("telegram_unreachable", reason=type(error).__name__)
            await asyncio.sleep(_told(error) or pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def _told(error: TelegramError) -> float:
    """Return how long Telegram asks to wait, if it does."""
    if not isinstance(error, RetryAfter):
        return 0.0
    after = error.retry_after
    return float(after) if isinstance(after, int) else after.total_seconds()


async def until(stop: asyncio.Event, work: Awaitable[T]) -> T | None:
    """Return what the work gives; nothing when it was to stop first."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        await end(working, stopping)


async def serve(bot: Bot, handle: Handle, stop: asyncio.Event, settings: Settings) -> None:
    """Let Telegram deliver updates to our own address until told to stop. Raises `InvalidToken`."""
    runner = web.AppRunner(webhook(bot, handle, settings), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.telegram_webhook_host, settings.telegram_webhook_port).start()
        url, secret = settings.telegram_webhook_url, settings.telegram_webhook_secret
        await until(
            stop,
            persistently(
                lambda: bot.set_webhook(
                    url, secret_token=secret, allowed_updates=ALLOWED_UPDATES, drop_pending_updates=False
                )
            ),
        )
        await stop.wait()
    finally:
        await runner.cleanup()


def webhook(bot: Bot, handle: Handle, settings: Settings) -> web.Application:
    """Return the application that takes Telegram's deliveries, and answers to health checks."""

    async def take(request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), settings.telegram_webhook_secret.encode()):
            return web.Response(status=401)
        try:
            update = Update.de_json(await request.json(), bot)
        except (ValueError, TypeError, KeyError, AttributeError):
            return web.Response(status=400)
        await handle(update)
        return web.Response()

    async def healthy(_request: web.Request) -> web.Response:
        return web.Response(text="ok")

    application = web.Application()
    application.router.add_post(urlsplit(settings.telegram_webhook_url).path or "/", take)
    application.router.add_get("/healthz", healthy)
    return application
