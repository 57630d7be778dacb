"""Builds the images, starts everything, and lets matches go on while containers are killed, replaced and restored.

    python -m tests.deploy.live

Needs a Docker Engine with compose v2, and the rights to end a container's process. Takes about ten minutes. The images
are those of docker-compose.yml, or of REDIS_IMAGE, PYTHON_IMAGE, CADDY_IMAGE and PROMETHEUS_IMAGE.
"""

import asyncio
import itertools
import ssl
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import aiohttp

from locanda import __version__
from locanda.client import EngineClient
from locanda.errors import NotFoundError
from locanda.messages import OpenTable
from tests.deploy.live.matches import Matches
from tests.deploy.live.stack import (
    NEWER,
    OLDER,
    CommandFailedError,
    Stack,
    address_of_this_machine,
    busy_loops,
    clone,
    folder,
    run,
)
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.emulator.chats import PATIENCE
from tests.waiting import until

KILLED = ("redis", "engine", "telegram", "proxy")
ENGINES = 3
SCALE = ("--scale", f"engine={ENGINES}")
REQUESTS_A_SECOND = 200
UPGRADE, BACK_TO_OLDER = 0, 1
"""The indexes of two code blocks in docs/upgrade.md: the one that upgrades, and the one that goes back."""


class Steps:
    """Prints each step with its time on the screen, and writes it into the log."""

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
    """Raise `AssertionError` if something does not hold."""
    if not holds:
        raise AssertionError(else_)


async def starts_beside_busy_loops(stack: Stack, steps: Steps) -> None:
    await stack.run("git", "checkout", "--quiet", NEWER)
    await stack.compose("build", "--quiet")
    sizes = await run("docker", "images", "--format", "{{.Repository}} {{.Size}}")
    ours = ", ".join(line for line in sizes.splitlines() if line.startswith("locanda-"))
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
    """Return the status of a GET request, or 0 if no server answers. Certificates are not verified."""
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
    """Kill each container once, during a match in a group and matches over the API."""
    for person in players.people:
        await person.taps(players.group, "Ci sto")
    await players.group.until(lambda group: not group.shows(button="Ci sto"), timeout=PATIENCE)
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
    """Let matches go on within the context. At the end, each confirmed move must appear exactly once in a proof."""
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


async def drains_an_engine(stack: Stack, steps: Steps) -> None:
    """Drain engines by `make admin`, including the engine whose container runs the command."""
    listed = (await stack.run("make", "admin", "ADMIN=engines")).splitlines()[1:]
    require(holds=len(listed) == ENGINES, else_=listed)
    names = [line.split()[0] for line in listed]
    for name in names[1:]:
        await stack.run("make", "admin", f"ADMIN=engines --drain {name}")
    answered = [await status(f"{stack.url}/v1/games") for _ in range(100)]
    require(holds=set(answered) == {200}, else_=Counter(answered))
    for name in names[1:]:
        await stack.run("make", "admin", f"ADMIN=engines --resume {name}")
    steps.done(f"make admin: {len(names) - 1} engines of {ENGINES} drained, and the other one answered 100 requests")


async def rolls_under_load(stack: Stack, steps: Steps) -> None:
    """Run `make roll` during play and under 200 requests per second without retries.

    Half of the requests have a body.
    """
    before = set(await stack.containers("engine"))
    answers: Counter[str] = Counter()
    async with playing(stack, steps, "while the engines were replaced one by one"):
        loading = asyncio.create_task(load(stack.url, answers))
        await stack.run("make", "roll", ENGINES=str(ENGINES))
        loading.cancel()
        await asyncio.gather(loading, return_exceptions=True)
    now = set(await stack.containers("engine"))
    require(holds=len(now) == ENGINES, else_=now)
    counted = ", ".join(f"{number} {answer}" for answer, number in sorted(answers.items()))
    steps.done(f"make roll: {len(now - before)} new engines of {ENGINES}; a client that repeats nothing got {counted}")
    require(holds=answers.keys() <= {"GET 200", "POST 400"}, else_=answers)


async def load(url: str, answers: Counter[str]) -> None:
    """Send requests until this task is cancelled, then wait for all responses and count them."""
    sent: set[asyncio.Task[None]] = set()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        try:
            for number in itertools.count():
                sent.add(asyncio.create_task(ask(session, url, number, answers)))
                await asyncio.sleep(1 / REQUESTS_A_SECOND)
        finally:
            await asyncio.gather(*sent)


async def ask(session: aiohttp.ClientSession, url: str, number: int, answers: Counter[str]) -> None:
    """Send a read, or a write with an unknown field. Only the proxy may repeat such requests."""
    try:
        if number % 2:
            body = {"game": "gatto_rosso", "name": "Anna", "unknown": 1}
            request = session.post(f"{url}/v1/tables", json=body, headers={"Idempotency-Key": uuid4().hex})
        else:
            request = session.get(f"{url}/v1/games")
        async with request as answer:
            own = "X-Request-ID" in answer.headers
            answers[f"{answer.method} {answer.status}{'' if own else ' of the proxy'}"] += 1
    except aiohttp.ClientError as error:
        answers[type(error).__name__] += 1


async def upgrades_and_goes_back(stack: Stack, telegram: Emulator, steps: Steps) -> None:
    """Upgrade from the older release to this one, go back, and upgrade again while people play.

    Runs the blocks of docs/upgrade.md.
    """
    await stack.run("git", "checkout", "--quiet", OLDER)
    await stack.run("docker", "compose", "up", "--build", "--detach")
    await stack.healthy()
    steps.done(f"{OLDER} is up, as its README says")
    players = GroupPlayers(telegram, "Amici del lunedì")
    await players.begin()
    for release, block in ((NEWER, UPGRADE), (OLDER, BACK_TO_OLDER), (NEWER, UPGRADE)):
        async with playing(stack, steps, f"while {release} took over"):
            await players.move()
            began = time.monotonic()
            await stack.follow("upgrade.md", block, RELEASE=release)
            seconds = time.monotonic() - began
            await stack.healthy()
            await players.move()
        require(holds=await release_of(stack) == release, else_="another release runs")
        steps.done(f"{release} took over in {seconds:.0f} s, by the commands of docs/upgrade.md")
    over = await players.play_to_the_end()
    require(holds="🏁" in over.text, else_=over.text)
    await players.group.sees("✅", timeout=PATIENCE)
    steps.done("the match in the group crossed all three, to its end, and the bot checked its shuffle")


async def release_of(stack: Stack) -> str:
    async with EngineClient.connect(stack.url) as engine:
        return f"v{(await engine.server()).release}"


async def is_measured(stack: Stack, steps: Steps) -> None:
    await stack.compose("--profile", "monitoring", "up", "--detach", "--no-recreate", *SCALE, "prometheus", "engine")
    url = f"http://127.0.0.1:{stack.prometheus_port}/api/v1"
    async with aiohttp.ClientSession() as session:

        async def measured() -> bool:
            with suppress(aiohttp.ClientError):
                async with session.get(f"{url}/query", params={"query": 'sum(up{job="locanda"})'}) as answer:
                    results = (await answer.json())["data"]["result"]
                    return bool(results) and results[0]["value"][1] == str(ENGINES)
            return False

        await until(measured, 180)
        async with session.get(f"{url}/rules") as answer:
            rules = (await answer.json())["data"]["groups"][0]["rules"]
    await stack.compose("--profile", "monitoring", "rm", "--stop", "--force", "prometheus")
    steps.done(f"Prometheus measures {ENGINES} engines, and watches {len(rules)} alerts")


async def serves_the_public(stack: Stack, steps: Steps) -> None:
    """Serve with a certificate of Caddy's own authority, because a machine without a domain cannot get a public one."""
    variables = {"PUBLIC_URL": "https://localhost"}
    await stack.compose("--profile", "public", "up", "--detach", *SCALE, "public", "engine", **variables)
    await stack.healthy()

    async def serves() -> bool:
        return await status("https://localhost/v1/games") == 200

    await until(serves)
    # Start Caddy again, because the certificates now belong to another user.
    await stack.compose(
        "--profile", "public", "up", "--detach", "--force-recreate", "certificates", "public", **variables
    )
    await stack.healthy()
    await until(serves)
    require(holds=await status("https://localhost/metrics") == 404, else_="/metrics is open to all")
    async with EngineClient.connect(stack.url) as engine:
        require(holds=(await engine.server()).public_url == "https://localhost", else_="another public address")
    require(holds=await status("http://localhost/v1/games") == 200, else_="http does not lead to https")
    await stack.compose("--profile", "public", "rm", "--stop", "--force", "public", **variables)
    steps.done("the profile public serves with TLS; http leads there; /metrics is closed")


async def refuses_a_restore_at_once(stack: Stack, file: Path, steps: Steps) -> None:
    before = await stack.run("docker", "ps", "--quiet", "--no-trunc")
    began = time.monotonic()
    try:
        await stack.run("sh", "scripts/compose-backup", "load", str(file))
        raise AssertionError("Redis holds games")
    except CommandFailedError as error:
        seconds = time.monotonic() - began
        require(holds="FORCE=1 moves them aside" in str(error), else_=error)
    require(holds=await stack.run("docker", "ps", "--quiet", "--no-trunc") == before, else_="something was stopped")
    steps.done(f"a restore was refused in {seconds:.1f} s, and nothing was stopped")


async def is_restored(stack: Stack, steps: Steps) -> None:
    file = folder() / "backup.tar"
    file.unlink(missing_ok=True)
    async with EngineClient.connect(stack.url) as engine:
        table = (await engine.open_table(OpenTable("ramino", "Anna"))).table.id
        said = (await stack.run("sh", "scripts/compose-backup", "save", str(file))).strip()
        steps.done(f"backup: {said}")
        await refuses_a_restore_at_once(stack, file, steps)
        await stack.compose("down", "--volumes")
        await stack.compose("up", "--detach")
        await stack.healthy()
        try:
            await engine.table(table)
            raise AssertionError("the table was to be gone")
        except NotFoundError:
            steps.done("wiped: the table is gone")
        # The restarted services have already written data.
        said = (await stack.run("sh", "scripts/compose-backup", "load", str(file), FORCE="1")).strip().splitlines()[-1]
        await stack.healthy()
        require(holds=(await engine.table(table)).id == table, else_="the table was not restored")
    steps.done(f"restored: {said}")


async def main() -> None:
    """Run all steps. Remove all containers, volumes and networks at the end."""
    steps = Steps(folder() / "log.txt")
    async with Emulator(host=await address_of_this_machine()) as telegram:
        stack = Stack(await clone(), telegram.token, telegram.url)
        await stack.compose("--profile", "*", "down", "--volumes", "--remove-orphans")
        try:
            docker = await run("docker", "version", "--format", "{{.Server.Version}}")
            steps.done(f"release {__version__} on Docker {docker.strip()}")
            await upgrades_and_goes_back(stack, telegram, steps)
            await stack.run("make", "down")
            await starts_beside_busy_loops(stack, steps)
            players = GroupPlayers(telegram)
            await plays_in_a_chat(players, steps)
            await survives_kills(stack, players, steps)
            await survives_down_and_up(stack, steps)
            await runs_several_engines(stack, steps)
            await drains_an_engine(stack, steps)
            await rolls_under_load(stack, steps)
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
