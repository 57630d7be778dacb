"""Builds the engine from its settings and runs it: store, service, table clock, HTTP server."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog
from aiohttp import web

from locanda.games.registry import GAME_NAMES, folder
from services.common import processes
from services.common.logs import LogLevel
from services.common.processes import end
from services.engine.http.api.binding import path_tree
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.document.page import RouteDocumentation
from services.engine.http.server.admission import Admission
from services.engine.http.server.connection_tracker import ConnectionTracker
from services.engine.http.server.connections import Runner
from services.engine.http.server.context import AppContext
from services.engine.http.server.limits import ApiKeys, ClientLimits, Clients
from services.engine.http.server.metrics import Metrics
from services.engine.http.server.responses import SAFE_HEADERS, TABLES_HEADERS, Cors, ResponseHeaders
from services.engine.http.website import NoPageError, Website, add_redirect
from services.engine.outbound.push import SenderKey
from services.engine.outbound.requests import Outbound
from services.engine.service import tokens
from services.engine.service.accounts import BURST, Accounts
from services.engine.service.administration import Administration
from services.engine.service.assembly import Service
from services.engine.service.clock import TableClock
from services.engine.service.computers import Thinking
from services.engine.service.evenings import EveningCalls
from services.engine.service.notices import Channel, Send
from services.engine.service.notifier import Notifier
from services.engine.service.overdue import pause_between_steps
from services.engine.service.own_players import OwnPlayers
from services.engine.service.pushes import Pushes
from services.engine.service.renewal import renew
from services.engine.service.subscriptions import Subscriptions
from services.engine.service.thought import ThoughtBudget
from services.engine.service.webhooks import Webhooks
from services.engine.service.workers import Workers
from services.engine.settings import EngineSettings, SettingsError, comma_separated, networks, own_players
from services.engine.store import Store, connect
from services.engine.store.errors import StoreDownError
from services.engine.table.state import Transition

log = structlog.stdlib.get_logger("engine")

DOCUMENTATION = RouteDocumentation(ROUTES, ADMIN_ROUTES)
"""All engines of a process share this documentation, since it does not depend on settings."""
GRACE = 5.0
"""Seconds that the clock and the notifier get at shutdown to finish their current work."""


def build(settings: EngineSettings, store: Store, *, now: Callable[[], int] | None = None) -> AppContext:
    """Return the context of an engine that uses a store. `now` returns epoch milliseconds (default: Redis' clock)."""
    metrics, tracker = Metrics(), ConnectionTracker(settings.engine_streams)
    accounts = Accounts(settings.engine_client_cpu_ms / 1000, BURST)
    store.observe(metrics)
    store.holdings.most = settings.engine_client_mb << 20
    metrics.watch_streams(lambda: tracker.streams)
    workers = Workers(settings.engine_think_workers)
    metrics.watch_thoughts(lambda: workers.pending)
    cors = Cors(comma_separated(settings.engine_cors_origins))
    listed = networks(settings.engine_outbound_private)
    outbound = Outbound(listed)
    time = now or store.now
    administration = Administration(
        store.administration, time, streams=lambda: tracker.streams, shares_address=settings.engine_workers > 1
    )
    administration.watch(lambda: tracker.end_where(administration.is_banned))
    players = OwnPlayers(
        outbound.post,
        own_players(settings.engine_players),
        added=lambda: administration.set.own_players,
        from_people=settings.engine_own_players == "on",
        listed=listed,
    )
    service = Service(
        store,
        time,
        settings.engine_think_ms,
        observers=_observers(metrics, settings.log_level),
        unserved=metrics.unserved,
        thinking=Thinking(
            workers,
            ThoughtBudget(cpu_ms=settings.engine_think_cpu_ms),
            settings.engine_review_iterations,
            metrics.thought,
            metrics.fell_back,
            own_players=players,
        ),
        accounts=accounts,
        administration=administration,
    )
    return AppContext(
        service=service,
        clients=Clients(
            networks(settings.engine_trusted_proxies), settings.engine_proxy_header, settings.engine_accounts_key
        ),
        cors=cors,
        tracker=tracker,
        api_keys=ApiKeys(comma_separated(settings.engine_api_keys), administration),
        admin_key=tokens.digest(settings.engine_admin_key) if settings.engine_admin_key else b"",
        admission=Admission(accounts, settings.engine_client_cpu_ms),
        limits=ClientLimits(
            settings.redis_url,
            tables=settings.engine_tables_per_minute,
            seats=settings.engine_seats_per_minute,
            writes=settings.engine_writes_per_second,
            thoughts=settings.engine_thoughts,
            listed=settings.engine_listed_tables,
        ),
        subscriptions=Subscriptions(store, service.queries, webhooks=settings.engine_webhooks == "on", listed=listed),
        evenings=EveningCalls(store, service.queries),
        outbound=outbound,
        public_url=settings.public_url,
        request_seconds=settings.engine_request_seconds,
        metrics=metrics,
        documentation=DOCUMENTATION,
        table_headers=ResponseHeaders(TABLES_HEADERS, cors),
        default_headers=ResponseHeaders(SAFE_HEADERS, cors),
    )


def server(context: AppContext, website: Website | None = None) -> Runner:
    """Return the HTTP server of an engine, with all routes of the API and, if there is one, the website.

    Without a website, `/` redirects to the API documentation. The admin routes exist only if `ENGINE_ADMIN_KEY` is set.
    """
    paths = path_tree(context, (*ROUTES, *ADMIN_ROUTES) if context.admin_key else ROUTES)
    if website is None:
        add_redirect(paths, context, "/", "docs")
    else:
        website.add_to(paths, context)
    return Runner(context, paths)


def website_of(settings: EngineSettings) -> Website | None:
    """Return the website that the engine serves, or None. Raises `SettingsError` if its folder has no page."""
    if not settings.engine_web:
        return None
    try:
        return Website(Path(settings.engine_web), {name: folder(name) for name in GAME_NAMES})
    except NoPageError:
        raise SettingsError(f"ENGINE_WEB {EngineSettings.EXPECTATIONS['engine_web']}.") from None


@asynccontextmanager
async def running_engine(
    settings: EngineSettings, store: Store, *, now: Callable[[], int] | None = None
) -> AsyncIterator[AppContext]:
    """Run the engine's background tasks (clock, notices, searches) until the context ends, then close the store."""
    context = build(settings, store, now=now)
    metrics = context.metrics
    clock = TableClock(
        store,
        metrics.waking(context.service.waking.wake),
        context.service.waking.postpone,
        now or store.now,
        on_outage=metrics.outage,
    )
    administration = context.service.administration
    await administration.load()
    following = asyncio.create_task(administration.follow(), name="administration")
    ticking = asyncio.create_task(clock.run(), name="clock")
    notifying = asyncio.create_task(_notify(context, store, settings), name="notices")
    searching = asyncio.create_task(context.service.overdue_tables.search(pause_between_steps), name="search")
    sweeping = asyncio.create_task(context.service.lobby.sweep(pause_between_steps), name="sweep")
    try:
        yield context
    finally:
        ticking.cancel()
        notifying.cancel()
        await asyncio.wait([ticking, notifying], timeout=GRACE)
        await end(ticking, notifying, searching, sweeping, following)
        await administration.leave()
        await context.service.close()
        await context.outbound.close()
        await context.limits.close()
        await store.close()


async def _notify(context: AppContext, store: Store, settings: EngineSettings) -> None:
    """Send notices through the channels that the settings enable. Returns at once if there are none."""
    senders: dict[Channel, Send] = {}
    if context.subscriptions.webhooks:
        senders["webhook"] = Webhooks(context.outbound.post, store.now).send
    if settings.engine_push == "on":
        key = await _sender_key(store)
        context.subscriptions.push_key = key.public
        senders["push"] = Pushes(context.outbound.post, store.now, key, settings.public_url).send
    if senders:
        await Notifier(store, senders, context.metrics.notice, context.admission.accounts).run()


async def _sender_key(store: Store) -> SenderKey:
    """Return this installation's key pair for push services; retry while Redis is down."""
    fresh = SenderKey.fresh()
    while True:
        with suppress(StoreDownError):
            return SenderKey(await store.notices.sender_key(fresh))
        await asyncio.sleep(1)


def _observers(metrics: Metrics, level: LogLevel) -> tuple[Callable[[str, Transition], None], ...]:
    """Return the functions to call with each transition: metrics always, and logging at level `debug`."""
    return (metrics.commit, _log_transition) if level == "debug" else (metrics.commit,)


def _log_transition(outcome: str, transition: Transition) -> None:
    table = transition.table
    log.debug("transition", outcome=outcome, table=tokens.short_id(table.id), version=table.version)


async def run(
    settings: EngineSettings,
    stop: asyncio.Event,
    listening: Callable[[], None] = lambda: None,
    sockets: Sequence[socket.socket] = (),
) -> None:
    """Serve until `stop` is set, then finish the requests in progress. Calls `listening` once connections are accepted.

    The engine serves on `sockets` if there are any; otherwise on a new socket at the settings' address.

    Raises `CannotListenError` if the port is taken, for example. Raises `SettingsError` if the Redis URL cannot be
    opened or the website's folder has no page.
    """
    website = await asyncio.to_thread(website_of, settings)
    try:
        store = await connect(settings.redis_url or None, settings.engine_replicas, renew=renew)
    except ValueError as error:
        raise SettingsError(f"REDIS_URL is {error}.") from None
    if not settings.redis_url:
        log.warning("embedded_store", note="without REDIS_URL, games end with this process")
    async with running_engine(settings, store) as context:
        runner = server(context, website)
        try:
            context.service.warm()
            await runner.setup()
            sites: list[web.BaseSite] = [web.SockSite(runner, socket) for socket in sockets]
            with processes.listening_at(settings.engine_host, settings.engine_port, "ENGINE_HOST", "ENGINE_PORT"):
                for site in sites or [_site(runner, settings)]:
                    await site.start()
                    log.info("listening", url=site.name)
            processes.tune_garbage_collector()
            listening()
            draining = asyncio.create_task(_follow_draining(runner, context.service.administration, settings))
            await stop.wait()
            log.info("stopping")
            await end(draining)
            if settings.engine_trusted_proxies:
                await runner.drain()
        finally:
            await runner.cleanup()
    log.info("stopped")


async def _follow_draining(runner: Runner, administration: Administration, settings: EngineSettings) -> None:
    """Stop accepting connections while an operator drains this engine; accept them again when it is resumed."""
    changed, resting = asyncio.Event(), False
    administration.watch(changed.set)
    while True:
        await changed.wait()
        changed.clear()
        if administration.draining == resting:
            continue
        resting = administration.draining
        log.info("draining" if resting else "resumed")
        if resting:
            await runner.rest()
        else:
            runner.resume()
            await _site(runner, settings).start()


def _site(runner: Runner, settings: EngineSettings) -> web.BaseSite:
    if settings.engine_host == "::":
        return web.SockSite(runner, processes.listening_socket("::", settings.engine_port))
    return web.TCPSite(runner, settings.engine_host, settings.engine_port, reuse_address=True)
