"""Builds the images, starts everything, and lets matches go on while containers are killed, replaced and restored.

    python -m tests.deploy.live

Needs a Docker Engine with compose v2, and the rights to end a container's process. Takes about ten minutes. The images
are those of docker-compose.yml, or of REDIS_IMAGE, PYTHON_IMAGE, CADDY_IMAGE and PROMETHEUS_IMAGE.
"""

import asyncio
import ssl
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp

from locanda import __version__
from locanda.client import EngineClient
from locanda.errors import NotFoundError
from locanda.messages import OpenTable
from tests.deploy.live.matches import Matches
from tests.deploy.live.stack import Stack, address_of_this_machine, busy_loops, folder, run
from tests.e2e.players import PATIENCE, GroupPlayers
from tests.emulator import Emulator
from tests.waiting import until

KILLED = ("redis", "engine", "telegram", "proxy")
ENGINES = 3
SCALE = ("--scale", f"engine={ENGINES}")


class Steps:
    """Prints each step with its time, on the screen and into the log."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._began = self._last = time.monotonic()
        log.write_text("")

    def done(self, text: str) -> None:
        """Print that a step has succeeded."""
        now = time.monotonic()
        line = f"{now - self._began:6.0f} s  (+{now - self._last:5.1f} s)  {text}"
        self._last = now
        print(line, flush=True)
        with self._log.open("a") as file:
            file.write(line + "\n")


def require(*, holds: object, else_: object) -> None:
    """Raise `AssertionError` where something does not hold."""
    if not holds:
        raise AssertionError(else_)


async def starts_beside_busy_loops(stack: Stack, steps: Steps) -> None:
    await stack.compose("build", "--quiet")
    sizes = await run("docker", "images", "--format", "{{.Repository}} {{.Size}}")
    ours = ", ".join(line for line in sizes.splitlines() if line.startswith("locanda-test"))
    steps.done(f"built: {ours}")
    async with busy_loops(2):
        await stack.compose("up", "--detach")
        seconds = await stack.healthy()
    steps.done(f"up, and every container healthy {seconds:.0f} s after it started, beside two busy loops")
    await logs_no_health_checks(stack, steps)


async def logs_no_health_checks(stack: Stack, steps: Steps) -> None:
    logged = await stack.compose("logs", "engine")
    require(holds="healthz" not in logged, else_="health checks are logged")
    for path in ("/metrics", "/readyz"):
        require(holds=await status(stack.url + path) == 404, else_=f"{path} is open")
    require(holds=await status(stack.url) == 200, else_="no page is served")
    steps.done("health checks are not in the log; /metrics and /readyz are closed; the page is served")


async def status(url: str) -> int:
    """Return the status of a GET, 0 where nobody answers. Who has signed a certificate does not matter."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with aiohttp.ClientSession() as session, session.get(url, ssl=context) as answer:
            return answer.status
    except aiohttp.ClientError:
        return 0


async def plays_in_a_chat(players: GroupPlayers, steps: Steps) -> None:
    await players.begin()
    over = await players.play_to_the_end()
    require(holds="🏁" in over.text, else_=over.text)
    steps.done("three people played a match in a group, by the buttons of the bot")


async def survives_kills(stack: Stack, players: GroupPlayers, steps: Steps) -> None:
    """Kill each container once in the middle of a match in a group, and of others over the API."""
    await players.anna.taps(players.group, "Rivincita")
    await players.group.until(lambda group: not group.shows(button="Rivincita"), timeout=PATIENCE)
    async with playing(stack, steps, "while each container was killed in turn"):
        for service in KILLED:
            await players.move()
            (container,) = await stack.containers(service)
            await stack.kill(container)
            seconds = await stack.healthy()
            steps.done(f"{service} was killed with -9 and is back, healthy after {seconds:.0f} s")
        await players.move()
    await players.play_to_the_end()
    steps.done("the match in the group went on, to its end")


@asynccontextmanager
async def playing(stack: Stack, steps: Steps, when: str) -> AsyncIterator[None]:
    """Let matches go on for as long as the context lasts; then every confirmed move must be in a proof, once."""
    matches = Matches(stack.url)
    try:
        yield
    except BaseException:
        await matches.cancel()
        raise
    tally = await matches.stop()
    require(holds=not tally.errors and tally.confirmed == tally.proved, else_=tally)
    steps.done(f"{tally.matches} matches of {tally.confirmed} confirmed moves {when}: all in their proofs, none twice")


async def survives_down_and_up(stack: Stack, steps: Steps) -> None:
    async with EngineClient.connect(stack.url) as engine:
        table = (await engine.open_table(OpenTable("ramino", "Anna"))).table.id
        await stack.compose("down")
        await stack.compose("up", "--detach")
        await stack.healthy()
        require(holds=(await engine.table(table)).id == table, else_="the table is gone")
    steps.done("down and up: the tables are there")


async def runs_several_engines(stack: Stack, steps: Steps) -> None:
    await stack.compose("up", "--detach", *SCALE)
    await stack.healthy()
    async with playing(stack, steps, f"by {ENGINES} engines behind one address"):
        await asyncio.sleep(10)
    for container in await stack.containers("engine"):
        lines = await run("sh", "-c", f"docker logs {container} 2>&1")
        require(holds='"route":"/v1/tables/{table}/moves"' in lines, else_=f"{container} has had no move")
    steps.done("each of the engines has served moves")


async def upgrades_engine_by_engine(stack: Stack, steps: Steps) -> None:
    """As docs/upgrade.md has it."""
    async with playing(stack, steps, "while the engines were replaced one by one"):
        for container in await stack.containers("engine"):
            await run("docker", "rm", "--force", "--volumes", await _stopped(container))
            await stack.compose("up", "--detach", "--no-deps", "--no-recreate", *SCALE, "engine")
            await stack.healthy()
    steps.done("engines were replaced one by one under play")


async def _stopped(container: str) -> str:
    await run("docker", "stop", container)
    return container


async def is_measured(stack: Stack, steps: Steps) -> None:
    await stack.compose("--profile", "monitoring", "up", "--detach", "--no-recreate", *SCALE, "prometheus", "engine")
    url = f"http://127.0.0.1:{stack.prometheus_port}/api/v1"
    async with aiohttp.ClientSession() as session:

        async def measured() -> bool:
            with suppress(aiohttp.ClientError):
                async with session.get(f"{url}/query", params={"query": 'sum(up{job="locanda"})'}) as answer:
                    found = (await answer.json())["data"]["result"]
                    return bool(found) and found[0]["value"][1] == str(ENGINES)
            return False

        await until(measured, 180)
        async with session.get(f"{url}/rules") as answer:
            rules = (await answer.json())["data"]["groups"][0]["rules"]
    await stack.compose("--profile", "monitoring", "rm", "--stop", "--force", "prometheus")
    steps.done(f"Prometheus measures {ENGINES} engines, and watches {len(rules)} alerts")


async def serves_the_public(stack: Stack, steps: Steps) -> None:
    """With a certificate of Caddy's own authority: no other can be had for a machine without a name."""
    given = {"PUBLIC_URL": "https://localhost"}
    await stack.compose("--profile", "public", "up", "--detach", "--no-deps", *SCALE, "public", "engine", **given)
    await stack.healthy()

    async def serves() -> bool:
        return await status("https://localhost/v1/games") == 200

    await until(serves)
    require(holds=await status("https://localhost/metrics") == 404, else_="/metrics is open to all")
    async with EngineClient.connect(stack.url) as engine:
        require(holds=(await engine.server()).public_url == "https://localhost", else_="another public address")
    require(holds=await status("http://localhost/v1/games") == 200, else_="http does not lead to https")
    await stack.compose("--profile", "public", "rm", "--stop", "--force", "public", **given)
    steps.done("the profile public serves with TLS; http leads there; /metrics is closed")


async def is_restored(stack: Stack, steps: Steps) -> None:
    file = folder() / "backup.tar"
    file.unlink(missing_ok=True)
    async with EngineClient.connect(stack.url) as engine:
        table = (await engine.open_table(OpenTable("ramino", "Anna"))).table.id
        said = (await stack.run("sh", "scripts/compose-backup", "save", str(file))).strip()
        steps.done(f"backup: {said}")
        await stack.compose("down", "--volumes")
        await stack.compose("up", "--detach")
        await stack.healthy()
        try:
            await engine.table(table)
            raise AssertionError("the table was to be gone")
        except NotFoundError:
            steps.done("wiped: the table is gone")
        # The services that were started anew have written something already.
        said = (await stack.run("sh", "scripts/compose-backup", "load", str(file), FORCE="1")).strip().splitlines()[-1]
        await stack.healthy()
        require(holds=(await engine.table(table)).id == table, else_="the table was not restored")
    steps.done(f"restored: {said}")


async def main() -> None:
    """Run all steps; leave no container, volume or network."""
    steps = Steps(folder() / "log.txt")
    async with Emulator(host=await address_of_this_machine()) as telegram:
        stack = Stack(telegram.token, telegram.url)
        await stack.compose("--profile", "*", "down", "--volumes", "--remove-orphans")
        try:
            docker = await run("docker", "version", "--format", "{{.Server.Version}}")
            steps.done(f"release {__version__} on Docker {docker.strip()}")
            await starts_beside_busy_loops(stack, steps)
            players = GroupPlayers(telegram)
            await plays_in_a_chat(players, steps)
            await survives_kills(stack, players, steps)
            await survives_down_and_up(stack, steps)
            await runs_several_engines(stack, steps)
            await upgrades_engine_by_engine(stack, steps)
            await is_measured(stack, steps)
            await serves_the_public(stack, steps)
            await is_restored(stack, steps)
        except BaseException:
            (folder() / "containers.log").write_text(await stack.compose("logs", "--no-color"))
            raise
        finally:
            await stack.compose("--profile", "*", "down", "--volumes", "--remove-orphans")
    steps.done("all of it holds")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
