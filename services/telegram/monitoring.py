"""Monitoring of the bot: `/metrics` for Prometheus, and the probes `/healthz` (alive) and `/readyz` (serves).

The bot is ready while Telegram and its Redis answer, and the engine accepts its API key.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext

import structlog
from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from telegram.error import InvalidToken, TelegramError

from locanda import __version__
from locanda.client import EngineClient
from locanda.errors import BadAnswerError, EngineError, TooManyRequestsError, UnavailableError
from locanda.messages import GameName, OpenTable
from services.common.redis_urls import REDIS_ERRORS
from services.common.timed_connections import serving
from services.telegram.settings import REQUEST_SECONDS, BotSettings

log = structlog.get_logger(__name__)

Question = Callable[[], Awaitable[object]]

NO_TOKEN = "TELEGRAM_TOKEN is empty: the bot waits for a start with a token from @BotFather"  # noqa: S105 (a sentence)
BAD_TOKEN = "TELEGRAM_TOKEN is unknown to Telegram: the bot waits for a start with a valid one"  # noqa: S105
REJECTED_TOKEN = "TELEGRAM_TOKEN is unknown to Telegram: get a valid one from BotFather."  # noqa: S105
STARTING = "Telegram has not accepted the token yet"
NO_KEY = "the engine has ENGINE_API_KEYS, and ENGINE_API_KEY is none of them: nobody can open a table"
TELEGRAM_AWAY = "Telegram does not answer"
REDIS_AWAY = "the bot's Redis does not answer"
CHECK_SECONDS, ANSWER_SECONDS = 30.0, 10.0
"""Seconds between checks of Telegram and of Redis while they answer, and the time limit of a check."""
RETRY_SECONDS = 5.0
"""Seconds between checks while checks fail."""
RECHECK_SECONDS = 60.0
"""Seconds until an API key that the engine refused is checked again: the engine may have been restarted with it."""
NO_GAME = GameName("-")
"""No game has this name, so the check of the key opens no table."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histogram's buckets, in seconds."""

# Otherwise each counter would also export the time of its creation.
disable_created_metrics()  # type: ignore[no-untyped-call]


# --- metrics


class BotMetrics:
    """The Prometheus metrics of one process, in their own registry."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        Info("locanda_build", "The release that runs.", registry=registry).info({"version": __version__})
        self._calls = Counter(
            "locanda_bot_calls", "Calls of the Bot API for messages.", ("kind", "outcome"), registry=registry
        )
        self._updates = Histogram(
            "locanda_bot_update_duration_seconds",
            "From an update's arrival to its end, its wait for earlier ones of its chat too.",
            ("kind",),
            buckets=BUCKETS,
            registry=registry,
        )
        self._waiting = Gauge("locanda_bot_waiting_messages", "Messages to be sent or edited.", registry=registry)
        self._followers = Gauge("locanda_bot_followers", "Tables that are followed.", registry=registry)
        self._read: dict[Gauge, Callable[[], int]] = {}
        """Functions that return the current value of a gauge, called for each scrape."""

    def watch(self, waiting: Callable[[], int], followers: Callable[[], int]) -> None:
        """Export the numbers of waiting messages and of followers, read from these functions at each scrape."""
        self._read[self._waiting], self._read[self._followers] = waiting, followers

    def watch_lease(self, held: Callable[[], bool]) -> None:
        """Export whether this process leads, read from `held`. Processes without a token do not export it."""
        leads = Gauge("locanda_bot_leads", "1 in the process that leads.", registry=self._registry)
        self._read[leads] = held

    def call(self, kind: str, outcome: str) -> None:
        """Count a Bot API call of a kind, such as `send`, by its outcome: `done` or the name of a `DeliveryError`."""
        self._calls.labels(kind, outcome).inc()

    def update(self, kind: str, seconds: float) -> None:
        """Record the duration of a handled update."""
        self._updates.labels(kind).observe(seconds)

    async def exposition(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        for gauge, read in self._read.items():
            gauge.set(read())
        return await asyncio.to_thread(generate_latest, self._registry)  # it reads files in /proc


# --- probes


class BotHealth:
    """Problems that keep the bot from serving, by name, each as a text for the operator. New problems are logged."""

    def __init__(self) -> None:
        self._problems: dict[str, str] = {}

    @property
    def problems(self) -> list[str]:
        """The texts of all current problems; empty while the bot serves."""
        return [*self._problems.values()]

    def report(self, name: str, problem: str) -> None:
        """Record a problem, and log it if it is new."""
        if self._problems.get(name) != problem:
            log.warning(name, detail=problem)
        self._problems[name] = problem

    def has(self, name: str) -> bool:
        """Return whether this problem is recorded now."""
        return name in self._problems

    def starting(self) -> None:
        """Record that the bot does not serve yet; this is not logged."""
        self._problems["starting"] = STARTING

    def solved(self, name: str) -> None:
        """Remove the problem with this name."""
        self._problems.pop(name, None)


@asynccontextmanager
async def answering_probes(health: BotHealth, metrics: BotMetrics, settings: BotSettings) -> AsyncIterator[None]:
    """Answer `/healthz`, `/readyz` and `/metrics` on `TELEGRAM_HEALTH_PORT`; do nothing if it is 0."""
    application, port = health_application(health, metrics), settings.telegram_health_port
    async with serving(application, settings.telegram_webhook_host, port, REQUEST_SECONDS) if port else nullcontext():
        yield


def health_application(health: BotHealth, metrics: BotMetrics) -> web.Application:
    """Return the aiohttp application with `/healthz`, `/readyz` and `/metrics`."""

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def ready(_request: web.Request) -> web.Response:
        problems = health.problems
        return web.Response(text="\n".join(problems or ["ok"]) + "\n", status=503 if problems else 200)

    async def measured(_request: web.Request) -> web.Response:
        return web.Response(body=await metrics.exposition(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    application = web.Application()
    application.router.add_get("/healthz", alive)
    application.router.add_get("/readyz", ready)
    application.router.add_get("/metrics", measured)
    return application


async def check_answers(ask: Question, name: str, problem: str, health: BotHealth) -> None:
    """Call `ask` at intervals, and report `problem` while Telegram or Redis does not answer it."""
    while True:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await ask()
        except InvalidToken:
            health.report(name, BAD_TOKEN)
        except (TelegramError, TimeoutError, *REDIS_ERRORS):
            health.report(name, problem)
        else:
            health.solved(name)
        await asyncio.sleep(RETRY_SECONDS if health.has(name) else CHECK_SECONDS)


async def check_engine_key(engine: EngineClient, health: BotHealth) -> None:
    """Check the engine API key until the engine accepts it; report a problem while it does not."""
    while (accepted := await _key_accepted(engine)) is not True:
        if accepted is False:
            health.report("no_engine_key", NO_KEY)
        await asyncio.sleep(RETRY_SECONDS if accepted is None else RECHECK_SECONDS)
    health.solved("no_engine_key")


async def _key_accepted(engine: EngineClient) -> bool | None:
    """Return whether the engine accepts the API key; None if the engine cannot be asked now.

    The check opens a table of a game that does not exist. The engine checks the key first, so its error is about either
    the key or the game.
    """
    try:
        await engine.open_table(OpenTable(game=NO_GAME, name="-"))
    except (UnavailableError, BadAnswerError, TooManyRequestsError):
        return None
    except EngineError as error:
        return error.code != "no_key"
    return True
