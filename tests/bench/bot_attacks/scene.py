"""The bot with its services, people in two groups who play and send commands, and their waiting times."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct, field

from services.telegram.repositories import keys
from services.telegram.repositories.connection import connect
from tests.bench.bot_groups import Measured, Plan, Table, share
from tests.bench.servers import seconds_used
from tests.e2e.processes import EngineProcess, ServiceProcess
from tests.emulator import Emulator, NotSeenError, Person
from tests.emulator.chats import Chat
from tests.emulator.flood import FloodLimits
from tests.redis_server import running_redis

PACE = 4.0
"""Seconds between two moves of a group."""
ASK_SECONDS = 6.0
"""Seconds between two commands of a group's people, alternately in the group and in private."""
LATE = 60.0
"""Seconds after which a command without an answer counts as never answered."""
QUIET_SECONDS, AFTER_SECONDS, START_SECONDS = 15.0, 30.0, 10.0
"""Seconds before the attack, after it, and after a kill until waiting times count again (the bot restarts)."""
LOOKS = 20
"""The number of checks of waiting messages between two moves."""
BUSY = 1.5
"""On a busy machine people may wait this many times as long as before the attack, if that exceeds the bound."""


class Bounds(Struct, frozen=True):
    """The highest allowed waits of honest people at the 95th percentile, in seconds."""

    press: float = 0.3
    command: float = 2.0


class Result(Struct, frozen=True):
    """The outcome of an attack: whether all bounds held, and lines with the figures."""

    holds: bool
    lines: list[str]


class Phase(Struct):
    """Waits of honest people in a part of the run, in seconds."""

    name: str
    answered: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    used: float = 0.0
    """The share of a core that the bot used."""

    @property
    def line(self) -> str:
        """The figures as one line of text."""
        waits = (
            f"{share(seconds, 0.95):.2f} / {max(seconds, default=0.0):.1f}"
            for seconds in (self.answered, self.drawn, self.asked)
        )
        return "{:<12} answer {}, screen {}, command {} ({} presses, {} commands; {:.0%} of a core)".format(
            self.name, *waits, len(self.drawn), len(self.asked), self.used
        )

    def holds(self, before: "Phase", bounds: "Bounds") -> bool:
        """Return whether all waiting times are within the bounds and at least one button was pressed."""
        waits = ((self.answered, before.answered), (self.drawn, before.drawn), (self.asked, before.asked))
        most = (bounds.press, bounds.press, bounds.command)
        return bool(self.drawn) and all(
            share(now, 0.95) <= max(bound, BUSY * share(then, 0.95))
            for (now, then), bound in zip(waits, most, strict=True)
        )


class Scene:
    """The services and the honest people."""

    def __init__(self, telegram: Emulator, bot: ServiceProcess, redis_url: str, groups: int) -> None:
        self.telegram = telegram
        self.bot = bot
        self._redis_url = redis_url
        self.tables = [Table(telegram, "gatto_rosso", number) for number in range(groups)]
        self._measured = Measured(Plan("gatto_rosso", groups, PACE))
        self._phase = Phase("start")

    async def begin(self) -> None:
        """Start the matches of all groups."""
        await asyncio.gather(*(table.start() for table in self.tables))

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let people play and send commands within the context."""
        counting = asyncio.Event()
        counting.set()
        now = asyncio.get_running_loop().time()
        tasks = [
            asyncio.create_task(task)
            for number, table in enumerate(self.tables)
            for task in (
                table.play(self._measured, counting, now + number * PACE / len(self.tables)),
                self._ask(table, number),
            )
        ]
        try:
            yield
        finally:
            for task in tasks:
                if task.done():
                    task.result()
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def phase(self, name: str) -> AsyncIterator[Phase]:
        """Record people's waiting times in one phase of the run."""
        phase, loop = Phase(name), asyncio.get_running_loop()
        self._phase = phase
        self._measured.answered, self._measured.drawn = phase.answered, phase.drawn
        began, used = loop.time(), seconds_used(self.bot.pid)
        yield phase
        phase.used = (seconds_used(self.bot.pid) - used) / (loop.time() - began)

    async def _ask(self, table: Table, number: int) -> None:
        await asyncio.sleep(number * ASK_SECONDS / len(self.tables))
        turn = 0
        while True:
            person = table.people[turn % len(table.people)]
            asking = asyncio.create_task(self.ask(person, table.group if turn % 4 == 0 else person.private))
            await asyncio.sleep(ASK_SECONDS)
            await asking
            turn += 1

    async def ask(self, person: Person, place: Chat) -> None:
        """Send the command for help, and record the waiting time for its answer."""
        loop, phase = asyncio.get_running_loop(), self._phase
        began = loop.time()
        question = await person.says(place, "/aiuto")
        try:
            await place.sees("/gioca", after=question, timeout=LATE)
        except NotSeenError:
            phase.asked.append(LATE)
        else:
            phase.asked.append(loop.time() - began)

    async def waiting(self) -> int:
        """Return the number of messages that the bot has queued."""
        redis = connect(self._redis_url)
        try:
            return int(await redis.hlen(keys.DELIVERIES))
        finally:
            await redis.aclose()

    async def least_waiting(self) -> int:
        """Return the lowest number of queued messages during the next seconds; it varies because play goes on."""
        least = await self.waiting()
        for _ in range(LOOKS):
            await asyncio.sleep(PACE / LOOKS)
            least = min(least, await self.waiting())
        return least

    async def kill(self) -> None:
        """Kill the bot, and start it again."""
        await self.bot.kill()
        await self.bot.start()


@asynccontextmanager
async def scene(*, groups: int = 2, **environment: str) -> AsyncIterator[Scene]:
    """Run the services, with matches of the honest groups in progress."""
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(running_redis(directory, "--appendonly", "no"))
        telegram = await stack.enter_async_context(Emulator(limits=FloodLimits.real()))
        engine = EngineProcess(directory / "engine.log", redis.url)
        await engine.start()
        stack.push_async_callback(engine.kill)
        services = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url, "ENGINE_URL": engine.url}
        bot = ServiceProcess(
            "services.telegram",
            directory / "bot.log",
            REDIS_URL=redis.url,
            LOG_FORMAT="json",
            **services,
            **environment,
        )
        await bot.start()
        stack.push_async_callback(bot.kill)
        opened = Scene(telegram, bot, redis.url, groups)
        await opened.begin()
        yield opened


Attack = Callable[[Scene], Awaitable[None]]


async def measured(attack: Attack, *, groups: int = 2, bounds: Bounds = Bounds()) -> Result:  # noqa: B008 - frozen
    """Run an attack while people play. Measure before, during and after the attack, and after a kill of the bot."""
    async with scene(groups=groups) as opened, opened.playing():
        async with opened.phase("before") as before:
            await asyncio.sleep(QUIET_SECONDS)
        async with opened.phase("during") as during:
            await attack(opened)
        left = await opened.waiting()
        async with opened.phase("after") as after:
            await asyncio.sleep(AFTER_SECONDS)
        refused = sum(call.status == 429 for call in opened.telegram.journal)
        async with opened.phase("start"):
            await opened.kill()
            await asyncio.sleep(START_SECONDS)
        async with opened.phase("after a kill") as killed:
            await asyncio.sleep(AFTER_SECONDS)
        later = await opened.least_waiting()
    phases = (before, during, after, killed)
    lines = [phase.line for phase in phases]
    lines.append(f"waiting at the end {left}, a minute later {later}; refused before the kill (429) {refused}")
    return Result(all(phase.holds(before, bounds) for phase in phases) and later == 0, lines)
