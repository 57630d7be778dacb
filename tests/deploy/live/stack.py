"""The containers of docker-compose.yml, with their own project name and ports."""

import asyncio
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from locanda import __version__
from tests.e2e.processes import ROOT
from tests.redis_server import free_port
from tests.waiting import until

PROJECT = "locanda-test"
OLDER, OLDER_COMMIT = "v0.1.0", "590a96b8490f6a8ddae119df51a923425eb9c358"
"""The release to upgrade from: the last release without `make roll`, whose images compose built itself."""
NEWER = f"v{__version__}"
BUILD = "deploy/build.yml"
PATIENCE = 900.0
"""Seconds for a command, or until a started container is healthy."""


class CommandFailedError(Exception):
    """A command of Docker or a script has failed; the message is its output."""


class Stack:
    """The services, which are started and stopped by the commands in the documents."""

    def __init__(self, repository: Path, telegram_token: str, telegram_url: str) -> None:
        self.repository = repository
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.prometheus_port = free_port()
        self._environment = {
            "COMPOSE_PROJECT_NAME": PROJECT,
            "ENGINE_PORT": str(self.port),
            "TELEGRAM_WEBHOOK_PORT": str(free_port()),
            "PROMETHEUS_PORT": str(self.prometheus_port),
            "REDIS_PASSWORD": secrets.token_hex(16),
            "TELEGRAM_TOKEN": telegram_token,
            "TELEGRAM_API_URL": telegram_url,
            "ENGINE_THINK_MS": "20",
            "ENGINE_ADMIN_KEY": secrets.token_hex(16),
            "ENGINE_CLIENT_CPU_MS": "0",
            "ENGINE_WRITES_PER_SECOND": "0",
        }

    async def compose(self, *arguments: str, **environment: str) -> str:
        """Run `docker compose`, and return its output."""
        built = {"COMPOSE_FILE": f"docker-compose.yml:{BUILD}"} if (self.repository / BUILD).exists() else {}
        return await self.run("docker", "compose", *arguments, **built, **environment)

    async def run(self, *command: str, **environment: str) -> str:
        """Run a command. Raises `CommandFailedError` if it fails."""
        return await run(*command, environment=self._environment | environment, folder=self.repository)

    async def follow(self, page: str, number: int, **environment: str) -> str:
        """Run a code block of a page of this release, as a reader would. Blocks are counted from 0."""
        block = re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)[number]
        return await self.run("sh", "-euxc", block, **environment)

    async def containers(self, service: str) -> list[str]:
        """Return the ids of a service's running containers, oldest first."""
        return (await self.compose("ps", "--quiet", service)).split()[::-1]

    async def kill(self, container: str) -> None:
        """Kill a container's process, so that Docker starts it again, and wait until it runs."""
        before = await _inspect(container)
        await run("kill", "-9", str(before["Pid"]))

        async def back() -> bool:
            now = await _inspect(container)
            return bool(now["Running"]) and now["StartedAt"] != before["StartedAt"]

        await until(back, PATIENCE)

    async def healthy(self) -> float:
        """Wait until every container with a health check is healthy. Return the seconds waited."""
        began = time.monotonic()

        async def all_are() -> bool:
            return all([await _is_healthy(container) for container in (await self.compose("ps", "--quiet")).split()])

        await until(all_are, PATIENCE)
        return time.monotonic() - began


async def run(*command: str, environment: Mapping[str, str] | None = None, folder: Path = ROOT) -> str:
    """Run a command in a folder. Raises `CommandFailedError` if it fails."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=os.environ | dict(environment or {}),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        output, errors = await process.communicate()
    if process.returncode:
        raise CommandFailedError(f"{' '.join(command)}\n{output.decode()}{errors.decode()}")
    return output.decode()


async def _is_healthy(container: str) -> bool:
    state = await _inspect(container)
    health = state.get("Health")
    return bool(state["Running"]) and (health is None or health["Status"] == "healthy")


async def _inspect(container: str) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(await run("docker", "inspect", "--format", "{{json .State}}", container))
    return state


async def address_of_this_machine() -> str:
    """Return the address at which containers can reach this machine."""
    networks = json.loads(await run("docker", "network", "inspect", "bridge"))
    bridge = networks[0]["IPAM"]["Config"][0]
    return str(bridge.get("Gateway") or ip_network(bridge["Subnet"])[1])


@asynccontextmanager
async def busy_loops(count: int) -> AsyncIterator[None]:
    """Keep a number of cores busy within the context."""
    loops = [await asyncio.create_subprocess_exec("sh", "-c", "while :; do :; done") for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            await loop.wait()


async def clone() -> Path:
    """Return a new clone of the repository, like that of an operator, with tags for both releases."""
    place = folder() / "locanda"
    await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
    await run("git", "clone", "--quiet", "--shared", str(ROOT), str(place))
    for tag, commit in ((OLDER, OLDER_COMMIT), (NEWER, "HEAD")):
        await run("git", "tag", "--force", tag, commit, folder=place)
    return place


def folder() -> Path:
    """Return the folder for backups and the log of this run."""
    place = ROOT / "var" / "test-compose"
    place.mkdir(parents=True, exist_ok=True)
    return place
