"""The engine and, if there is a Telegram token, the bot, in one process with a Redis of their own."""

import asyncio
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from dotenv import dotenv_values
from telegram.error import InvalidToken

from services.common import logs, processes
from services.common.settings import SettingsError
from services.engine import process as engine
from services.engine import settings as engine_settings
from services.local_redis import BusyDirectoryError, local_redis
from services.telegram import app as bot
from services.telegram import settings as bot_settings

REDIS_DIRECTORY = Path("var") / "redis"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - nothing is bound here
WEB = {"ENGINE_WEB": "services/web"}
"""The page that is served where the environment says nothing else; an empty setting stands for none."""


def main() -> int:
    """Run until SIGINT or SIGTERM; return the exit code of the process."""
    written = {name: value for name, value in dotenv_values(".env").items() if value or (name in WEB and value == "")}
    environment = WEB | written | dict(os.environ)
    try:
        if environment.get("REDIS_URL"):
            return _run(environment)
        with local_redis(REDIS_DIRECTORY) as url:
            return _run(environment | {"REDIS_URL": url or ""})
    except (BusyDirectoryError, SettingsError) as error:
        print(error, file=sys.stderr)
        return 2


def _run(environment: Mapping[str, str]) -> int:
    for_engine = engine_settings.load(environment)
    for_bot = _bot_settings(environment, for_engine)
    logs.configure(for_engine.log_level, for_engine.log_format)
    try:
        processes.run(_serve(for_engine, environment, for_bot))
    except ExceptionGroup as errors:
        if refused := errors.subgroup(SettingsError):
            raise refused.exceptions[0] from None
        if errors.subgroup(InvalidToken):
            return _fail("TELEGRAM_TOKEN is unknown to Telegram: get a valid one from BotFather.")
        if errors.subgroup(OSError):
            return _fail(f"Cannot listen on {for_engine.engine_host}:{for_engine.engine_port}: is it in use?")
        raise
    return 0


def _fail(why: str) -> int:
    print(why, file=sys.stderr)
    return 1


def _bot_settings(
    environment: Mapping[str, str], for_engine: engine_settings.EngineSettings
) -> bot_settings.BotSettings | None:
    if not environment.get("TELEGRAM_TOKEN", "").strip():
        return None
    defaults = {"ENGINE_URL": f"http://127.0.0.1:{for_engine.engine_port}"}
    keys = engine_settings.comma_separated(for_engine.engine_api_keys)
    if keys:
        defaults["ENGINE_API_KEY"] = keys[0]
    return bot_settings.load(defaults | {name: value for name, value in environment.items() if value})


def _invite(settings: engine_settings.EngineSettings) -> None:
    """Print the address to open, if the engine serves the page."""
    if settings.engine_web:
        host = "127.0.0.1" if settings.engine_host in EVERYWHERE else settings.engine_host
        address = settings.public_url or f"http://{host}:{settings.engine_port}"
        print(f"Open {address} in a browser to play.", flush=True)


async def _serve(
    for_engine: engine_settings.EngineSettings,
    environment: Mapping[str, str],
    for_bot: bot_settings.BotSettings | None,
) -> None:
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    async with asyncio.TaskGroup() as services:
        services.create_task(engine.run(for_engine, environment, stop, partial(_invite, for_engine)))
        if for_bot:
            services.create_task(bot.run(for_bot, stop))
