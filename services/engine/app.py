"""The one place where the engine is put together."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from services.engine import tokens
from services.engine.addresses import networks
from services.engine.clock import Clock
from services.engine.http.clients import Clients
from services.engine.http.cors import Cors
from services.engine.http.doors import Doors
from services.engine.http.headers import SAFE_HEADERS, TABLES_HEADERS, Headers
from services.engine.http.house import House
from services.engine.http.keyring import Keyring
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

COLLECT_EVERY = 20_000
"""Objects made and still there, after which the garbage collector looks."""
GRACE = 5.0
"""Seconds that the clock gets to finish what it is about."""


def now() -> int:
    """Return the time in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def build(settings: Settings, store: Store, *, now: Callable[[], int] = now) -> House:
    """Return the engine on a store."""
    metrics, doors = Metrics(), Doors(settings.engine_streams)
    store.watched_by(metrics)
    metrics.watch_streams(lambda: doors.streams)
    cors = Cors(listed(settings.engine_cors_origins))
    return House(
        service=Service(store, now, settings.engine_think_ms, _observing(metrics, settings.log_level)),
        clients=Clients(networks(settings.engine_trusted_proxies), settings.engine_proxy_header),
        cors=cors,
        doors=doors,
        keyring=Keyring(listed(settings.engine_api_keys)),
        limits=Limits(
            settings.redis_url,
            tables=settings.engine_tables_per_minute,
            seats=settings.engine_seats_per_minute,
            requests=settings.engine_requests_per_second,
        ),
        metrics=metrics,
        on_tables=Headers(TABLES_HEADERS, cors),
        elsewhere=Headers(SAFE_HEADERS, cors),
    )


@asynccontextmanager
async def opened(settings: Settings, store: Store, *, now: Callable[[], int] = now) -> AsyncIterator[House]:
    """Keep an engine's clock running on a store, which is closed at the end."""
    house = build(settings, store, now=now)
    metrics = house.metrics
    clock = Clock(store, metrics.waking(house.service.wake), house.service.put_off, now, tell=metrics.outage)
    ticking = asyncio.create_task(clock.run(), name="clock")
    try:
        yield house
    finally:
        ticking.cancel()
        await asyncio.wait([ticking], timeout=GRACE)
        await end(ticking)
        await house.limits.close()
        await store.close()


def _observing(metrics: Metrics, level: Level) -> Observe:
    """Return what counts each step sent to the store, and logs it under the id of the request that it comes from."""
    if level != "debug":
        return metrics.commit

    def observe(outcome: str, step: Step) -> None:
        metrics.commit(outcome, step)
        log.debug("step", outcome=outcome, table=tokens.beginning(step.table.id), version=step.table.version)

    return observe


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
    async with opened(settings, store) as house:
        runner = Runner(house)
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
