"""HTTP server for Telegram's webhook and the Mini App's calls.

Every process of the bot accepts updates; the leader handles them all. Another process stores an update, announces it to
the leader with a Redis list, and then confirms it. If the leader misses an announcement, it finds the update when it
loads all stored updates.
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from telegram import Bot

from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.handlers.updates import allowed_updates
from services.telegram.mini_app.server import CALLS, unavailable
from services.telegram.receiving import (
    ReceivedUpdate,
    UpdateQueue,
    log_unreadable,
    receive,
    retry_until_success,
    unless_stopped,
)
from services.telegram.repositories.bot_state import UpdateRepository
from services.telegram.settings import REQUEST_SECONDS, BotSettings

log = structlog.get_logger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  (a header's name)
ANNOUNCED_SECONDS, RETRY_SECONDS = 1.0, 0.5
"""Seconds of one blocking read of announcements from other processes, and the pause after a failed read."""

LONGEST_UPDATE = 16 * 1024**2
"""Maximum size of an update, in bytes."""

MiniAppHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Webhook:
    """The webhook of one process."""

    def __init__(self, bot: Bot, settings: BotSettings, store: UpdateRepository) -> None:
        self._bot = bot
        self._settings = settings
        self._store = store
        self._queue: UpdateQueue | None = None
        """The queue of updates while this process leads, else None."""
        self._mini_app: MiniAppHandler | None = None

    def application(self) -> web.Application:
        """Return the aiohttp application that accepts Telegram's updates, and answers `/healthz`."""
        application = web.Application(client_max_size=LONGEST_UPDATE)
        application.router.add_post(urlsplit(self._settings.telegram_webhook_url).path or "/", self._receive)
        application.router.add_get("/healthz", _healthy)
        if self._settings.telegram_app:
            for path in CALLS:
                application.router.add_post(path, self._answer_mini_app)
        return application

    async def _receive(self, request: web.Request) -> web.Response:
        secret_sent = request.headers.get(SECRET_HEADER, "")
        secret = self._settings.telegram_webhook_secret
        if not hmac.compare_digest(secret_sent.encode(errors="surrogateescape"), secret.encode()):
            return web.Response(status=401)
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                received = receive(json.loads(await request.read()), self._bot)
        except TimeoutError:
            return web.Response(status=408)
        except (ValueError, RecursionError, web.HTTPRequestEntityTooLarge) as error:
            log_unreadable(error)
            received = None
        return web.Response(status=200 if received is None or await self._take(received) else 503)

    async def _take(self, received: ReceivedUpdate) -> bool:
        """Handle or store an update; return whether it may be confirmed."""
        if self._queue is not None:
            return await self._queue.take([received])
        number = received.update.update_id
        try:
            await self._store.keep({number: received.text})
            await self._store.announce(number)
        except REDIS_ERRORS as error:
            log.warning("updates_not_stored", reason=type(error).__name__)
            return False
        return True

    async def _answer_mini_app(self, request: web.Request) -> web.StreamResponse:
        """Answer a call of the Mini App, if this process leads."""
        return unavailable(request) if self._mini_app is None else await self._mini_app(request)

    async def lead(
        self, queue: UpdateQueue, store: UpdateRepository, stop: asyncio.Event, mini_app: MiniAppHandler | None = None
    ) -> None:
        """Register the webhook (Bot API, setWebhook), and handle the updates of all processes until `stop` is set.

        Raises `InvalidToken`.
        """
        url, secret = self._settings.telegram_webhook_url, self._settings.telegram_webhook_secret
        self._queue, self._mini_app = queue, mini_app
        listening = asyncio.create_task(_take_announced(queue, store), name="announced updates")
        try:
            await unless_stopped(
                stop,
                retry_until_success(
                    lambda: self._bot.set_webhook(
                        url, secret_token=secret, allowed_updates=allowed_updates(self._bot), drop_pending_updates=False
                    )
                ),
            )
            await stop.wait()
        finally:
            self._queue = self._mini_app = None
            await end(listening)
            await queue.stop()


async def _take_announced(queue: UpdateQueue, store: UpdateRepository) -> None:
    """Handle stored updates, then updates that other processes announce."""
    loaded = False
    while True:
        try:
            if not loaded:
                await store.forget_announcements()  # before loading: later announcements stay
                loaded = await queue.load()
            stored = await store.announced(ANNOUNCED_SECONDS)
        except REDIS_ERRORS as error:
            log.warning("updates_not_announced", reason=type(error).__name__)
            loaded = False
        else:
            if stored is not None:
                await queue.take_stored(*stored)
        if not loaded:
            await asyncio.sleep(RETRY_SECONDS)


async def _healthy(_request: web.Request) -> web.Response:
    return web.Response(text="ok")
