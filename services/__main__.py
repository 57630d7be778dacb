"""`make run`: the engine and, where there is a token, the bot, in one process on a Redis of their own."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import uvloop
from dotenv import dotenv_values
from telegram.error import InvalidToken

from services.engine import app as engine
from services.engine import settings as engine_settings
from services.own_redis import BusyDirectoryError, own_redis
from services.telegram import app as bot
from services.telegram import settings as bot_settings
from shared import logs
from shared.settings import SettingsError

GAMES = Path("var") / "redis"


def main() -> int:
    """Return the exit code of the process."""
    environment = {name: value for name, value in dotenv_values(".env").items() if value} | dict(os.environ)
    try:
        if environment.get("REDIS_URL"):
            return _run(environment)
        with own_redis(GAMES) as url:
            return _run(environment | {"REDIS_URL": url or ""})
    except (BusyDirectoryError, SettingsError) as error:
        print(error, file=sys.stderr)
        return 2


def _run(environment: Mapping[str, str]) -> int:
    house = engine_settings.load(environment)
    talk = _bot_settings(environment, house)
    logs.configure(house.log_level, house.log_format)
    try:
        uvloop.run(_serve(house, talk))
    except ExceptionGroup as errors:
        if refused := errors.subgroup(SettingsError):
            raise refused.exceptions[0] from None
        if errors.subgroup(InvalidToken):
            return _give_up("TELEGRAM_TOKEN is unknown to Telegram: get a valid one from BotFather.")
        if errors.subgroup(OSError):
            return _give_up(f"Cannot listen on {house.engine_host}:{house.engine_port}: is it in use?")
        raise
    return 0


def _give_up(why: str) -> int:
    print(why, file=sys.stderr)
    return 1


def _bot_settings(environment: Mapping[str, str], house: engine_settings.Settings) -> bot_settings.Settings | None:
    if not environment.get("TELEGRAM_TOKEN", "").strip():
        return None
    here = {"ENGINE_URL": f"http://127.0.0.1:{house.engine_port}"}
    keys = engine_settings.listed(house.engine_api_keys)
    if keys:
        here["ENGINE_API_KEY"] = keys[0]
    return bot_settings.load(here | {name: value for name, value in environment.items() if value})


async def _serve(house: engine_settings.Settings, talk: bot_settings.Settings | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with asyncio.TaskGroup() as services:
        services.create_task(engine.run(house, stop))
        if talk:
            services.create_task(bot.run(talk, stop))


if __name__ == "__main__":
    sys.exit(main())
