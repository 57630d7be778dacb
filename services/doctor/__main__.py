"""`python -m services.doctor`, `make doctor`: checks an installation, and prints problems with their remedies.

It reads the same settings as the services, and changes nothing. The exit code is 1 if something is wrong. With the
argument `settings`, it checks only the settings of the container in which it runs.
"""

import asyncio
import fcntl
import os
import platform
import resource
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from locanda import __version__
from locanda.command import print_what_the_encoding_lacks
from services.common.processes import exit_with, require_unix
from services.common.settings import SettingsError, local_url, value_of
from services.doctor.checks import (
    AWAY,
    AWAY_IN_COMPOSE,
    Finding,
    engine_findings,
    judged,
    public_findings,
    redis_findings,
    shared_redis,
    telegram_findings,
)
from services.doctor.settings import WRITTEN, bad_settings, unknown_settings

FEW_FILES = 4096
REDIS = Path("var") / "redis"
"""Folder in which `make run` keeps its Redis data."""


async def findings(environment: Mapping[str, str]) -> AsyncIterator[Finding]:
    """Yield the results of all checks for an installation with these settings."""
    values = await asyncio.to_thread(_with_files, environment)

    def setting(name: str, default: str = "") -> str:
        return values.get(name, "").strip() or default

    yield Finding("ok", f"Locanda {__version__}, Python {platform.python_version()}, {platform.system()}.")
    yield _open_files()
    for check in (bad_settings, unknown_settings):
        for finding in await asyncio.to_thread(check, environment):
            yield finding
    if await asyncio.to_thread(_redis_of_make_run_has_ended):
        yield Finding(
            "wrong", "make run runs, but its Redis has ended.", f"{REDIS / 'redis.log'} says why, at its end."
        )
    replicas = setting("ENGINE_REPLICAS", "0")
    away = AWAY_IN_COMPOSE if WRITTEN in environment else AWAY
    async for finding in redis_findings(setting("REDIS_URL"), int(replicas) if replicas.isdecimal() else 0, away):
        yield finding
    async with aiohttp.ClientSession() as session:
        here = local_url(setting("ENGINE_HOST", "127.0.0.1"), setting("ENGINE_PORT", "8080"))
        engine = setting("ENGINE_URL", here)
        async for finding in _engine(session, engine, setting("ENGINE_API_KEY"), setting("REDIS_URL")):
            yield finding
        async for finding in public_findings(session, setting("PUBLIC_URL")):
            yield finding
        api, token = setting("TELEGRAM_API_URL", "https://api.telegram.org"), setting("TELEGRAM_TOKEN")
        async for finding in telegram_findings(session, api, token, setting("TELEGRAM_WEBHOOK_URL")):
            yield finding


def _with_files(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings, with secrets read from files. Errors in files are reported by `bad_settings`."""
    values = dict(environment)
    for name in ("REDIS_URL", "ENGINE_API_KEY", "TELEGRAM_TOKEN"):
        with suppress(SettingsError):
            values[name] = value_of(name, environment)
    return values


async def _engine(session: aiohttp.ClientSession, url: str, key: str, redis_url: str) -> AsyncIterator[Finding]:
    answers = False
    async for finding in engine_findings(session, url, key):
        answers = answers or finding.level == "ok"
        yield finding
    if answers and redis_url:
        async for finding in shared_redis(redis_url, url):
            yield finding


def _redis_of_make_run_has_ended() -> bool:
    """Return whether `make run` is running, but its Redis server does not listen."""
    lock, note = REDIS / "lock", REDIS / "url"
    if not lock.exists() or not note.exists() or os.environ.get("REDIS_URL"):
        return False
    with lock.open() as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            server = urlsplit(note.read_text())
            with socket.socket() as probe:
                return probe.connect_ex((server.hostname or "", server.port or 0)) != 0
    return False


def _open_files() -> Finding:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return judged(
        limit >= FEW_FILES,
        f"A process may open {limit} files. Each listener needs one.",
        f"A process may open {limit} files, and each listener needs one.",
        "ulimit -n 65536, or LimitNOFILE= in a systemd unit.",
        level="note",
    )


async def _print_findings(environment: Mapping[str, str]) -> bool:
    """Print all findings. Return whether nothing is wrong."""
    well = True
    async for finding in findings(environment):
        print(finding, flush=True)
        well = well and finding.level != "wrong"
    print("\nNothing is wrong." if well else "\nSomething is wrong: see the lines that begin with that word.")
    return well


def environment_of_make_run() -> dict[str, str]:
    """Return the environment of `make run`, with the settings in .env and the URL of the Redis that it starts."""
    try:
        from services.local_settings import written_settings  # noqa: PLC0415  (not in the container images)
    except ImportError:
        return dict(os.environ)
    variables = {name: value for name, value in written_settings().items() if value} | dict(os.environ)
    note = REDIS / "url"
    if not variables.get("REDIS_URL") and note.exists():
        variables["REDIS_URL"] = note.read_text()
    if keys := variables.get("ENGINE_API_KEYS"):  # the bot of `make run` uses the first API key
        variables.setdefault("ENGINE_API_KEY", keys.partition(",")[0].strip())
    return variables


def main() -> int:
    """Check everything, and print the findings. Return the exit code."""
    require_unix()
    print_what_the_encoding_lacks()
    try:
        environment = environment_of_make_run()
    except SettingsError as error:
        print(error)
        return 1
    if sys.argv[1:] == ["settings"]:
        findings = bad_settings(environment)
        print(*findings, sep="\n", end="\n" if findings else "")
        return 1 if findings else 0
    return 0 if asyncio.run(_print_findings(environment)) else 1


if __name__ == "__main__":
    exit_with(main)
