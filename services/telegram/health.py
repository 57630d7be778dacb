"""The bot's probes, `/healthz` (alive) and `/readyz` (serves); and whether the engine lets it open tables."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from locanda.client import EngineClient
from locanda.errors import BadAnswerError, EngineError, TooManyRequestsError, UnavailableError
from locanda.messages import OpenTable
from locanda.tasks import end
from services.common.timed_connections import TimedRunner
from services.telegram.settings import REQUEST_SECONDS, BotSettings

log = structlog.get_logger(__name__)

NO_TOKEN = "TELEGRAM_TOKEN is empty: the bot waits for a start with a token from @BotFather"  # noqa: S105 (a sentence)
BAD_TOKEN = "TELEGRAM_TOKEN is unknown to Telegram: the bot waits for a start with a valid one"  # noqa: S105
STARTING = "Telegram has not accepted the token yet"
NO_KEY = "the engine has ENGINE_API_KEYS, and ENGINE_API_KEY is none of them: nobody can open a table"
RETRY_SECONDS = 5.0
"""Seconds between two attempts to ask the engine about the key."""
RECHECK_SECONDS = 60.0
"""Seconds until an engine that refused the key is asked again: it may have been started anew with it."""
NO_GAME = "-"
"""The name of no game: a table of it is never opened."""


class Health:
    """What keeps the bot from serving, in sentences for the operator; each is logged when it appears."""

    def __init__(self) -> None:
        self._problems: dict[str, str] = {}

    @property
    def problems(self) -> list[str]:
        """The sentences; None while the bot serves."""
        return [*self._problems.values()]

    def report(self, name: str, problem: str) -> None:
        """Record a problem under a name, and log it unless it is known."""
        if self._problems.get(name) != problem:
            log.warning(name, detail=problem)
        self._problems[name] = problem

    def starting(self) -> None:
        """Record that the bot does not serve yet: that is no news for the log."""
        self._problems["starting"] = STARTING

    def solved(self, name: str) -> None:
        """Forget the problem of a name."""
        self._problems.pop(name, None)


@asynccontextmanager
async def answering_probes(health: Health, settings: BotSettings) -> AsyncIterator[None]:
    """Answer `/healthz` and `/readyz` on `TELEGRAM_HEALTH_PORT`; nowhere where it is 0."""
    if not settings.telegram_health_port:
        yield
        return
    runner = TimedRunner(health_application(health), REQUEST_SECONDS, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.telegram_webhook_host, settings.telegram_health_port).start()
        yield
    finally:
        await runner.cleanup()


def health_application(health: Health) -> web.Application:
    """Return the application that answers probes."""

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def ready(_request: web.Request) -> web.Response:
        problems = health.problems
        return web.Response(text="\n".join(problems or ["ok"]) + "\n", status=503 if problems else 200)

    application = web.Application()
    application.router.add_get("/healthz", alive)
    application.router.add_get("/readyz", ready)
    return application


@asynccontextmanager
async def checking_engine_key(engine: EngineClient, health: Health) -> AsyncIterator[None]:
    """Find out meanwhile whether the engine lets this bot open tables; report where it does not, until it does."""
    checking = asyncio.create_task(_check_engine_key(engine, health), name="engine key")
    try:
        yield
    finally:
        await end(checking)


async def _check_engine_key(engine: EngineClient, health: Health) -> None:
    while (accepted := await _key_accepted(engine)) is not True:
        if accepted is False:
            health.report("no_engine_key", NO_KEY)
        await asyncio.sleep(RETRY_SECONDS if accepted is None else RECHECK_SECONDS)
    health.solved("no_engine_key")


async def _key_accepted(engine: EngineClient) -> bool | None:
    """Ask for a table of no game, which is refused: for the key, which is looked at first, or for the game.

    Return None if the engine cannot tell now.
    """
    try:
        await engine.open_table(OpenTable(game=NO_GAME, name="-"))
    except (UnavailableError, BadAnswerError, TooManyRequestsError):
        return None
    except EngineError as error:
        return error.code != "no_key"
    return True
