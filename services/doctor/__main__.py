"""`python -m services.doctor`, `make doctor`: checks an installation, and says what is wrong and what to do.

It reads the settings that the services read, and changes nothing. The exit code is 1 if something is wrong.
"""

import asyncio
import os
import platform
import re
import resource
from collections.abc import AsyncIterator, Mapping
from difflib import get_close_matches
from pathlib import Path

import aiohttp

from locanda import __version__
from locanda.command import print_what_the_encoding_lacks
from services.common.processes import exit_with, require_unix
from services.common.settings import local_url
from services.doctor.checks import Finding, engine_findings, judged, public_findings, redis_findings, telegram_findings

FEW_FILES = 4096
ASSIGNED = re.compile(r"^(?:export +)?([A-Za-z_][A-Za-z0-9_]*) *=", re.MULTILINE)


async def findings(environment: Mapping[str, str]) -> AsyncIterator[Finding]:
    """Check everything that the settings name."""

    def setting(name: str, default: str = "") -> str:
        return environment.get(name, "").strip() or default

    yield Finding("ok", f"Locanda {__version__}, Python {platform.python_version()}, {platform.system()}.")
    yield _open_files()
    for finding in await asyncio.to_thread(unknown_settings):
        yield finding
    replicas = setting("ENGINE_REPLICAS", "0")
    async for finding in redis_findings(setting("REDIS_URL"), int(replicas) if replicas.isdecimal() else 0):
        yield finding
    async with aiohttp.ClientSession() as session:
        here = local_url(setting("ENGINE_HOST", "127.0.0.1"), setting("ENGINE_PORT", "8080"))
        engine = setting("ENGINE_URL", here)
        async for finding in engine_findings(session, engine, setting("ENGINE_API_KEY")):
            yield finding
        async for finding in public_findings(session, setting("PUBLIC_URL")):
            yield finding
        api, token = setting("TELEGRAM_API_URL", "https://api.telegram.org"), setting("TELEGRAM_TOKEN")
        async for finding in telegram_findings(session, api, token, setting("TELEGRAM_WEBHOOK_URL")):
            yield finding


def _open_files() -> Finding:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return judged(
        limit >= FEW_FILES,
        f"A process may open {limit} files: each listener is one.",
        f"A process may open {limit} files, and each listener is one.",
        "ulimit -n 65536, or LimitNOFILE= in a systemd unit.",
        level="note",
    )


def unknown_settings() -> list[Finding]:
    """Return a finding for each name in .env that is no setting, where there is an .env.example beside it."""
    written, known = (set(ASSIGNED.findall(_text_of(Path(name)))) for name in (".env", ".env.example"))
    found = []
    for name in sorted(written - known) if known else ():
        nearest = get_close_matches(name, sorted(known), 1)
        todo = f"Is {nearest[0]} meant?" if nearest else "docs/settings.md lists all of them."
        found.append(Finding("note", f"{name}, in .env, is no setting of Locanda's.", todo))
    return found


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


async def _print_findings(environment: Mapping[str, str]) -> bool:
    """Print all findings; return whether nothing is wrong."""
    well = True
    async for finding in findings(environment):
        print(finding, flush=True)
        well = well and finding.level != "wrong"
    print("\nNothing is wrong." if well else "\nSomething is wrong: see the lines that begin with that word.")
    return well


def environment_of_make_run() -> dict[str, str]:
    """Return the environment as `make run` sets it: with .env, and the Redis that it starts."""
    try:
        from dotenv import dotenv_values  # noqa: PLC0415  (the images have none, nor need it)
    except ImportError:
        return dict(os.environ)
    found = {name: value for name, value in dotenv_values(".env").items() if value} | dict(os.environ)
    note = Path("var") / "redis" / "url"
    if not found.get("REDIS_URL") and note.exists():
        found["REDIS_URL"] = note.read_text()
    if keys := found.get("ENGINE_API_KEYS"):  # the bot of `make run` takes the first key
        found.setdefault("ENGINE_API_KEY", keys.partition(",")[0].strip())
    return found


def main() -> int:
    """Check everything and print the findings; return the exit code of the process."""
    require_unix()
    print_what_the_encoding_lacks()
    return 0 if asyncio.run(_print_findings(environment_of_make_run())) else 1


if __name__ == "__main__":
    exit_with(main)
