"""Kills the bot at each call of the scripted matches, one run for each call, and compares the screens afterwards."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import Struct, field

from tests.emulator import Emulator
from tests.redis_server import empty_database
from tests.telegram.crashes.bot_process import Point
from tests.telegram.crashes.run import Until, scene
from tests.telegram.crashes.screens import Screens, differences, screens
from tests.telegram.crashes.script import Cast, Step, steps
from tests.telegram.crashes.snapshots import Snapshot


class Undisturbed(Struct):
    """A step of a match without failures."""

    cast: Cast
    number: int
    step: Step
    begin: Snapshot
    """The state before the step."""
    calls: list[str]
    """The calls that the bot makes because of the step."""
    shown: Screens
    """Everybody's screens after the step."""
    shown_again: Screens
    """Everybody's screens after the step and a restart of the bot, which forgets questions shown in hands."""

    @property
    def points(self) -> list[Point]:
        """All points at which the bot can die."""
        return [Point(number, done) for number in range(1, len(self.calls) + 1) for done in (False, True)]


class Difference(Struct):
    """Differing screens after the bot died at a point."""

    where: str
    lines: list[str]

    def __str__(self) -> str:
        return "\n".join([self.where, *self.lines])


class Report(Struct):
    """The numbers of runs and differences."""

    runs: int = 0
    unreached: int = 0
    """Number of points that a run did not reach, because its calls came in another order."""
    differences: list[Difference] = field(default_factory=list)


class Crashes:
    """Makes the runs, one after the other, on two Redis databases."""

    def __init__(self, databases: tuple[str, str]) -> None:
        self._databases = databases
        self.report = Report()

    async def undisturbed(self, cast: Cast) -> AsyncIterator[Undisturbed]:
        """Play a match, and yield its steps."""
        telegram = Emulator()
        async with scene(telegram, self._databases) as now:
            await cast.come_together(telegram, self._databases[0])
            now.bot.start()
            await now.settle()
            begin = await now.snapshot()
        for number, step in enumerate(steps(cast), 1):
            if step.plays is not None:
                begin = await self._played(begin, number, step.plays)
                continue
            async with scene(telegram, self._databases, begin, number=number) as now:
                now.bot.start()
                await now.settle()
                if not step.applies(now):
                    continue
                await step.prepare(now)
                await now.settle()
                now.bot.count_from_here(None)
                await step.act(now)
                await now.settle()
                calls, shown, after = list(now.bot.calls), screens(now.telegram.world), await now.snapshot()
                await now.start_again()
                await now.settle()
                again = screens(now.telegram.world)
            yield Undisturbed(cast, number, step, begin, calls, shown, again)
            begin = after

    async def _played(self, begin: Snapshot, number: int, until: Until) -> Snapshot:
        """Play over the API from a snapshot, and return the snapshot after that."""
        most: int | None = None
        if until != "over":
            async with scene(Emulator(), self._databases, begin, number=number) as now:
                most = await now.play(until, None) - 1
        async with scene(Emulator(), self._databases, begin, number=number) as now:
            await now.play(until, most)
            now.bot.start()
            await now.settle()
            return await now.snapshot()

    async def crash(self, at: Undisturbed, point: Point) -> None:
        """Kill the bot at a point, start it again, and compare the screens with those without a crash."""
        name = at.calls[point.number - 1]
        where = f"{at.cast}, {at.step.name}: {'after' if point.done else 'before'} {point.number} {name}"
        async with scene(Emulator(), self._databases, at.begin, number=at.number) as now:
            now.bot.start()
            await now.settle()
            await at.step.prepare(now)
            await now.settle()
            now.bot.count_from_here(point)
            self.report.runs += 1
            await at.step.act(now)
            if at.step.restarts:
                now.bot.count_from_here(point)
            if await now.settle():
                self.report.unreached += 1
            else:
                await now.start_again()
                try:
                    await now.settle()
                except TimeoutError:
                    self.report.differences.append(Difference(where, ["does not settle"]))
                    return
            screens_now = screens(now.telegram.world)
            lines = list(differences(at.shown_again, screens_now))
            if lines and screens_now != at.shown:
                self.report.differences.append(Difference(where, lines))


@asynccontextmanager
async def crashes() -> AsyncIterator[Crashes]:
    """Yield a runner of crashes."""
    async with AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(empty_database()) for _ in range(2)]
        yield Crashes((databases[0], databases[1]))
