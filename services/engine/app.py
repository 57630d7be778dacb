"""The one place where the engine is put together."""

import asyncio
import gc
import logging
import time
from collections.abc import AsyncIterator, Callable

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from services.engine import tokens
from services.engine.addresses import networks
from services.engine.clock import Clock
from services.engine.http import routes
from services.engine.http.clients import Clients
from services.engine.http.cors import Cors
from services.engine.http.doors import Doors
from services.engine.http.headers import Headers
from services.engine.http.keyring import Keyring
from services.engine.http.keys import CLIENTS, CORS, DOORS, HEADERS, KEYRING, LIMITS, METRICS, SERVICE
from services.engine.http.limiting import Limits
from services.engine.http.metrics import Metrics
from services.engine.http.serving import Runner
from services.engine.service import Service
from services.engine.settings import Settings, SettingsError, listed
from services.engine.store.connect import connect
from services.engine.store.store import Store
from services.engine.table.state import Step
from services.engine.writing import Observe
from shared.logs import Level
from shared.tasks import end

log = structlog.stdlib.get_logger("engine")

BODY_LIMIT = 65_536
COLLECT_EVERY = 20_000
"""Objects made and still there, after which the garbage collector looks."""
KEEP_ALIVE = 75.0
"""Seconds that a connection may rest between two requests."""
GRACE = 5.0
"""Seconds that requests in flight get at the end."""


def now() -> int:
    """Return the time in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def build(settings: Settings, store: Store, *, now: Callable[[], int] = now) -> web.Application:
    """Return the application on a store, which it closes at its end."""
    metrics = Metrics()
    app = web.Application(client_max_size=BODY_LIMIT)
    app[METRICS] = metrics
    app[SERVICE] = Service(store, now, settings.engine_think_ms, _observing(metrics, settings.log_level))
    app[DOORS] = Doors(settings.engine_streams)
    app[CLIENTS] = Clients(networks(settings.engine_trusted_proxies), settings.engine_proxy_header)
    app[CORS] = Cors(listed(settings.engine_cors_origins))
    app[HEADERS] = Headers(app[CORS])
    app[KEYRING] = Keyring(listed(settings.engine_api_keys))
    app[LIMITS] = Limits(
        settings.redis_url,
        tables=settings.engine_tables_per_minute,
        seats=settings.engine_seats_per_minute,
        requests=settings.engine_requests_per_second,
    )
    store.watched_by(metrics)
    metrics.watch_streams(lambda: app[DOORS].streams)
    app.on_shutdown.append(_close_doors)
    app.cleanup_ctx.append(_storage(store))
    app.cleanup_ctx.append(_clock(store, now))
    routes.register(app)
    return app


def _observing(metrics: Metrics, level: Level) -> Observe:
    """Return what counts each step sent to the store, and logs it under the id of the request that it comes from."""
    if level != "debug":
        return metrics.commit

    def observe(outcome: str, step: Step) -> None:
        metrics.commit(outcome, step)
        log.debug("step", outcome=outcome, table=tokens.beginning(step.table.id), version=step.table.version)

    return observe


async def _close_doors(app: web.Application) -> None:
    await app[DOORS].close(GRACE)


def _storage(store: Store) -> Callable[[web.Application], AsyncIterator[None]]:
    async def context(app: web.Application) -> AsyncIterator[None]:
        yield
        await app[LIMITS].close()
        await store.close()

    return context


def _clock(store: Store, now: Callable[[], int]) -> Callable[[web.Application], AsyncIterator[None]]:
    async def context(app: web.Application) -> AsyncIterator[None]:
        service, metrics = app[SERVICE], app[METRICS]
        clock = Clock(store, metrics.waking(service.wake), service.put_off, now, tell=metrics.outage)
        ticking = asyncio.create_task(clock.run(), name="clock")
        yield
        ticking.cancel()
        await asyncio.wait([ticking], timeout=GRACE)
        await end(ticking)

    return context


async def run(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until told to stop; then finish what is in flight.

    Raises `OSError` where the address is taken, `SettingsError` where Redis' URL names nothing.
    """
    try:
        store = await connect(settings.redis_url or None, settings.engine_replicas)
    except ValueError as error:
        raise SettingsError(f"REDIS_URL is {error}.") from None
    if not settings.redis_url:
        log.warning("embedded_store", note="without REDIS_URL, games last as long as this process")
    server = logging.getLogger("aiohttp.server")
    server.addFilter(quietly)
    runner = Runner(
        build(settings, store),
        access_log=None,
        keepalive_timeout=KEEP_ALIVE,
        shutdown_timeout=GRACE,
        logger=server,
    )
    try:
        await runner.setup()
        site = web.TCPSite(runner, settings.engine_host, settings.engine_port, reuse_address=True)
        await site.start()
        _spare_the_collector()
        log.info("listening", url=site.name)
        await stop.wait()
        log.info("stopping")
    finally:
        await runner.cleanup()
    log.info("stopped")


def _spare_the_collector() -> None:
    """Let the garbage collector pass over what stays for ever, and look less often: requests leave hardly a cycle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)


def quietly(record: logging.LogRecord) -> bool:
    """Log what is no HTTP at all as one line at a low level, and none of its words: they may hold a token."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError | web.RequestPayloadError):
        record.exc_info = None
        record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return logging.getLogger().isEnabledFor(logging.DEBUG)
    return True
