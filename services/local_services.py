"""Runs the engine with a local Redis and, if there is a Telegram token, the bot, in one process."""

import asyncio
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from services.common import logs, processes
from services.common.processes import CannotListenError
from services.common.settings import EVERYWHERE, SettingsError, local_url
from services.engine import process as engine
from services.engine import settings as engine_settings
from services.local_redis import BusyDirectoryError, RedisEndedError, kept_running, local_redis
from services.local_settings import written_settings
from services.telegram import app as bot
from services.telegram import settings as bot_settings

REDIS_DIRECTORY = Path("var") / "redis"
ANOTHER_NETWORK = "192.0.2.1"
"""A reserved address that no machine has (RFC 5737)."""
WEB = {"ENGINE_WEB": "services/web"}
"""The default folder of the page. An empty setting disables the page."""


def main() -> int:
    """Run until SIGINT or SIGTERM. Return the exit code."""
    try:
        written = {name: value for name, value in written_settings().items() if value or name in WEB}
        environment = WEB | {"ENGINE_ACCOUNTS_KEY": secrets.token_hex()} | written | dict(os.environ)
        if environment.get("REDIS_URL") or environment.get("REDIS_URL_FILE"):
            return _run(environment)
        with local_redis(REDIS_DIRECTORY) as url:
            return _run(environment | {"REDIS_URL": url or ""}, own_redis=url)
    except (BusyDirectoryError, SettingsError) as error:
        print(error, file=sys.stderr)
        return 2
    except (CannotListenError, RedisEndedError) as error:
        return _fail(str(error))


def _run(environment: Mapping[str, str], own_redis: str | None = None) -> int:
    for_engine = engine_settings.load(environment)
    for_bot = _bot_settings(environment, for_engine)
    logs.configure(for_engine.log_level, for_engine.log_format)
    try:
        processes.run(_serve(for_engine, environment, for_bot, own_redis))
    except ExceptionGroup as errors:
        if refused := errors.subgroup((SettingsError, CannotListenError)):
            raise refused.exceptions[0] from None
        if for_bot and errors.subgroup(OSError):
            ports = f"{for_bot.telegram_webhook_port} (TELEGRAM_WEBHOOK_PORT)"
            if for_bot.telegram_health_port:
                ports += f" or {for_bot.telegram_health_port} (TELEGRAM_HEALTH_PORT)"
            return _fail(f"The bot cannot listen on {for_bot.telegram_webhook_host}:{ports}.")
        raise
    return 0


def _fail(why: str) -> int:
    print(why, file=sys.stderr)
    return 1


def _bot_settings(
    environment: Mapping[str, str], for_engine: engine_settings.EngineSettings
) -> bot_settings.BotSettings | None:
    """Return the settings of the bot for this engine, or None without a token."""
    if not any(environment.get(name, "").strip() for name in ("TELEGRAM_TOKEN", "TELEGRAM_TOKEN_FILE")):
        return None
    filled = {name: value for name, value in environment.items() if value} | {"ENGINE_URL": _engine_url(for_engine)}
    keys = engine_settings.comma_separated(for_engine.engine_api_keys)
    return bot_settings.load({"ENGINE_API_KEY": keys[0], **filled} if keys else filled)


def _engine_url(settings: engine_settings.EngineSettings) -> str:
    return local_url(settings.engine_host, settings.engine_port)


def _invite(settings: engine_settings.EngineSettings) -> None:
    """Print the addresses to open, if the engine serves the page."""
    if not settings.engine_web:
        return
    print(f"Open {_engine_url(settings)} in a browser to play.", flush=True)
    if settings.public_url:
        print(f"Friends open {settings.public_url}.", flush=True)
    elif settings.engine_host in EVERYWHERE and (own := _address_in_the_network()):
        print(f"Friends in the same network open http://{own}:{settings.engine_port}.", flush=True)


def _address_in_the_network() -> str | None:
    """Return this machine's IPv4 address in its network, or None. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANOTHER_NETWORK, 9))
        except OSError:
            return None
        own: str = probe.getsockname()[0]
        return own


async def _serve(
    for_engine: engine_settings.EngineSettings,
    environment: Mapping[str, str],
    for_bot: bot_settings.BotSettings | None,
    own_redis: str | None,
) -> None:
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    async with asyncio.TaskGroup() as services:
        running = [services.create_task(engine.run(for_engine, environment, stop, partial(_invite, for_engine)))]
        if for_bot:
            running.append(services.create_task(bot.run(for_bot, stop)))
        if own_redis:
            keeping = services.create_task(kept_running(REDIS_DIRECTORY, own_redis))
            await asyncio.wait(running)
            await processes.end(keeping)
