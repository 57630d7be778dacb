"""The number of groups one bot can serve: the cost of a move in calls, taps and processor time, and its delay.

Redis, the engine and the bot are separate processes, as in production. People and their groups play in this process
through the emulator, with Telegram's limits. Every group makes a move in `--pace` seconds.

`python -m tests.bench.bot_groups [--game NAME …] [--groups 20] [--pace 10] [--seconds 60] [--bots 2]`; with `--bots`
updates come by webhook, through a proxy in this process, to this number of bot processes. With `--page` it measures
what docs/benchmarks.md shows, and writes it there, which takes a quarter of an hour.
"""

import asyncio
import os
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
from msgspec import Struct, field

from locanda.games.registry import GAME_NAMES
from tests.bench.report import write_into_page
from tests.bench.servers import seconds_used
from tests.e2e.balancer import balancer
from tests.e2e.players import newest_hand, tap_of
from tests.e2e.processes import EngineProcess, ServiceProcess
from tests.emulator import Emulator
from tests.emulator.flood import FloodLimits
from tests.emulator.journal import ChatEvent
from tests.redis_server import free_port, running_redis

TITLES = {"gatto_rosso": "Gatto Rosso", "ramino": "Ramino", "diavoletto": "Diavoletto", "presidente": "Presidente"}
SEATS = {"diavoletto": 2}
MOVE = '2["m"'
"""The prefix of a move's callback data."""
SENDS, DELETIONS, ANSWERS = ("sendMessage", "editMessageText"), ("deleteMessage",), ("answerCallbackQuery",)
PATIENCE = 120.0
SETTLED_SECONDS = 5.0
"""Seconds between the last group's start and the first move that counts."""


class Plan(Struct, frozen=True):
    """The parameters of a measurement."""

    game: str
    groups: int
    pace: float
    """Seconds between two moves of a group."""
    seconds: float = 60.0
    bots: int = 0
    """Processes of the bot that get updates by webhook; 0 for one that polls."""


PUBLISHED = (
    *(Plan(game, 6, 4.0) for game in GAME_NAMES),
    Plan("gatto_rosso", 6, 4.0, bots=2),
    Plan("gatto_rosso", 60, 8.0),
    Plan("gatto_rosso", 200, 25.0),
    Plan("gatto_rosso", 200, 25.0, bots=2),
)
"""The plans shown in docs/benchmarks.md."""
MARKS = ("<!-- bot -->", "<!-- end of bot -->")


class Measured(Struct):
    """The results of a measurement."""

    plan: Plan
    moves: int = 0
    taps: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    """Calls answered with 429."""
    seconds: float = 0.0
    used: float = 0.0
    """Seconds of processor time that the bot used."""
    answered: list[float] = field(default_factory=list)
    """Seconds from each tap to its answer."""
    drawn: list[float] = field(default_factory=list)
    """Seconds from each tap to the next screen of the person who tapped."""
    newest: list[float] = field(default_factory=list)
    """Seconds for which each group waited for its newest table, from the first move that the shown table lacked."""

    def calls_a_move(self, methods: Sequence[str]) -> float:
        """Return the number of calls of these methods for each move."""
        return sum(self.calls[method] for method in methods) / max(1, self.moves)

    @property
    def row(self) -> str:
        """The figures as a row of a table in Markdown."""
        plan, moves = self.plan, max(1, self.moves)
        cells = (
            plan.game,
            f"{plan.groups}, a move in {plan.pace:g} s",
            f"{plan.bots}, by webhook" if plan.bots else "1, polling",
            f"{self.moves / self.seconds:.1f}",
            f"{1000 * self.used / moves:.1f}",
            f"{self.calls_a_move(SENDS):.2f}",
            f"{self.calls_a_move(DELETIONS):.2f}",
            f"{self.calls_a_move(ANSWERS):.2f}",
            f"{self.taps / moves:.2f}",
            f"{1000 * share(self.answered, 0.5):.0f}, {1000 * share(self.answered, 0.99):.0f}",
            f"{share(self.drawn, 0.95):.2f}",
            f"{self.refused} of {self.refused + sum(self.calls[method] for method in SENDS)}",
        )
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| game | groups, pace | processes of the bot | moves a second | ms of the bot a move | sends and edits "
    "| deletions | answers | taps | tap answered p50, p99 ms | screen p95 s | refused (429) |\n|---|---|---|"
    + "---:|"
    * 9
)


def share(values: Sequence[float], part: float) -> float:
    """Return a quantile of the values (from 0 to 1), or 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Table:
    """A group and its people, who play until the benchmark ends."""

    def __init__(self, telegram: Emulator, game: str, number: int) -> None:
        self.game = game
        names = ("Anna", "Bruno", "Carla", "Dora")[: SEATS.get(game, 4)]
        self.people = [telegram.person(name, language="it", started=True) for name in names]
        self.group = telegram.supergroup(f"Amici {number}", self.people)
        self._changed = asyncio.Event()
        self.stale_since: float | None = None
        """The time of the first move that the group's table does not show yet."""
        self.waits: list[float] = []
        self._chats = {self.group.id, *(person.id for person in self.people)}
        telegram.watch(self._notice)

    def _notice(self, event: ChatEvent) -> None:
        if event.chat_id in self._chats:
            self._changed.set()
        if event.chat_id == self.group.id and event.kind in {"sent", "edited"}:
            self.end_wait()

    def end_wait(self) -> None:
        """If the group waits for its newest table, record for how long and end the wait."""
        if self.stale_since is not None:
            self.waits.append(asyncio.get_running_loop().time() - self.stale_since)
            self.stale_since = None

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until a condition holds. It is checked after each change in the group's chats."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    async def start(self) -> None:
        """Seat everybody, and start the match."""
        first, *others = self.people
        for person in self.people:
            await person.starts()
            await person.private.sees("/gioca", timeout=PATIENCE)
        await first.says(self.group, "/gioca")
        await self.until(lambda: self.group.shows(button=TITLES[self.game]))
        await first.taps(self.group, TITLES[self.game], timeout=PATIENCE)
        await self.until(lambda: self.group.shows(button="Siediti"))
        for person in others:
            await self.until(lambda: self.group.shows(button="Siediti"))
            await person.taps(self.group, "Siediti", timeout=PATIENCE)
        await self.until(lambda: all(self.group.shows(f"👤 {person.name}") for person in self.people))
        await self.until(lambda: self.group.shows(button="Si comincia"))
        await first.taps(self.group, "Si comincia", timeout=PATIENCE)
        await self.until(lambda: any(map(tap_of, self.people)))

    async def play(self, measured: Measured, counting: asyncio.Event, first: float) -> None:
        """Make a move in each period, without end. Figures count once `counting` is set."""
        loop = asyncio.get_running_loop()
        due = first
        while True:
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = max(due, loop.time() - measured.plan.pace) + measured.plan.pace
            while not await self._tap(measured, counting):
                pass

    async def _tap(self, measured: Measured, counting: asyncio.Event) -> bool:
        """Make the next tap. Return whether it completed a move."""
        await self.until(lambda: self._again() or any(map(tap_of, self.people)))
        again = self._again()
        if again:
            for person in self.people:
                await person.taps(self.group, "Ci sto", timeout=PATIENCE)
            await self.until(lambda: any(map(tap_of, self.people)))
            return True
        person, button = next((player, key) for player in self.people if (key := tap_of(player)))
        hand = newest_hand(person)
        assert hand is not None
        before, loop = (hand.id, hand.edits), asyncio.get_running_loop()
        began = loop.time()
        if (button.callback_data or "").startswith(MOVE) and self.stale_since is None:
            self.stale_since = began
        await person.taps(person.private, button, message=button.message, timeout=PATIENCE)
        answered = loop.time()
        await self.until(lambda: (now := newest_hand(person)) is None or (now.id, now.edits) != before)
        if counting.is_set():
            measured.taps += 1
            measured.answered.append(answered - began)
            measured.drawn.append(loop.time() - began)
        return (button.callback_data or "").startswith(MOVE)

    def _again(self) -> bool:
        over = self.group.shows(button="Ci sto")
        return over is not None and not any(map(tap_of, self.people))


async def moves_so_far(engine: str) -> int:
    """Return the number of moves that an engine has accepted, including moves of computer players and of the bot."""
    async with aiohttp.ClientSession() as session, session.get(f"{engine}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return sum(round(float(line.split()[-1])) for line in lines if line.startswith("locanda_moves_total{"))


async def measure(telegram: Emulator, bots: Sequence[int], engine: str, plan: Plan) -> Measured:
    """Let groups play a game for a while, and return the measurements."""
    measured = Measured(plan)
    tables = [Table(telegram, plan.game, number) for number in range(plan.groups)]
    waiting = asyncio.Semaphore(8)

    async def start(table: Table) -> None:
        async with waiting:
            await table.start()

    await asyncio.gather(*map(start, tables))
    loop, counting = asyncio.get_running_loop(), asyncio.Event()
    now = loop.time()
    playing = [
        asyncio.create_task(table.play(measured, counting, now + plan.pace * number / len(tables)))
        for number, table in enumerate(tables)
    ]
    await asyncio.wait(playing, timeout=SETTLED_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    began, used, calls, moves = loop.time(), seconds(bots), len(telegram.journal), await moves_so_far(engine)
    counting.set()
    for table in tables:
        table.waits.clear()
    await asyncio.wait(playing, timeout=plan.seconds, return_when=asyncio.FIRST_COMPLETED)
    for table in tables:
        table.end_wait()
        measured.newest += table.waits
    measured.seconds, measured.used = loop.time() - began, seconds(bots) - used
    measured.moves = await moves_so_far(engine) - moves
    for call in telegram.journal[calls:]:
        measured.calls[call.method] += call.status == 200
        measured.refused += call.status == 429
    for task in playing:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return measured


def seconds(processes: Sequence[int]) -> float:
    """Return the processor time that these processes have used so far, in seconds."""
    return sum(map(seconds_used, processes))


async def run(plan: Plan) -> Measured:
    """Measure one plan with new processes, and return the results."""
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(running_redis(directory, "--appendonly", "no"))
        telegram = await stack.enter_async_context(Emulator(limits=FloodLimits.real()))
        engine = EngineProcess(
            directory / "engine.log",
            redis.url,
            ENGINE_STREAMS="0",
            ENGINE_TABLES_PER_MINUTE="0",
            ENGINE_CLIENT_MB="0",
            ENGINE_SEATS_PER_MINUTE="0",
        )
        await engine.start()
        stack.push_async_callback(engine.kill)
        environment = {
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "ENGINE_URL": engine.url,
            "REDIS_URL": redis.url,
            "LOG_FORMAT": "json",
        }
        bots = await stack.enter_async_context(running_bots(directory, environment, plan.bots))
        return await measure(telegram, bots, engine.url, plan)


async def main(plans: Sequence[Plan], *, page: bool) -> None:
    """Measure each plan and print the table; with `page`, also write it into docs/benchmarks.md."""
    rows = [HEAD]
    print(HEAD)
    for plan in plans:
        measured = await run(plan)
        rows.append(measured.row)
        print(rows[-1])
        median, slowest = share(measured.newest, 0.5), max(measured.newest, default=0.0)
        print(f"a group waited for its newest table for {median:.1f} s (median), {slowest:.1f} s at most", flush=True)
    if page:
        when = f"Measured on {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores"
        load = f"{os.getloadavg()[2]:.1f} processes busy on them in the last quarter of an hour, these among them"
        write_into_page("\n".join([f"{when}, {load}.", "", *rows]), MARKS)


@asynccontextmanager
async def running_bots(directory: Path, environment: Mapping[str, str], count: int) -> AsyncIterator[list[int]]:
    """Run this number of bot processes by webhook, or one that polls if the number is 0. Yield their process ids."""
    async with AsyncExitStack() as stack:
        bots, ports = [], [free_port() for _ in range(count)]
        webhook = {}
        if count:
            url = await stack.enter_async_context(balancer(ports))
            webhook = {"TELEGRAM_WEBHOOK_URL": url, "TELEGRAM_WEBHOOK_SECRET": "a-secret-of-the-bench"}
        for number, port in enumerate(ports or [0]):
            variables = {**environment, **webhook, "TELEGRAM_WEBHOOK_PORT": str(port)}
            bot = ServiceProcess("services.telegram", directory / f"bot{number}.log", **variables)
            await bot.start()
            stack.push_async_callback(bot.kill)
            bots.append(bot.pid)
        yield bots


def arguments() -> Namespace:
    """Return the arguments of the command."""
    parser = ArgumentParser()
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--game", nargs="*", default=GAME_NAMES)
    parser.add_argument("--groups", type=int, default=20)
    parser.add_argument("--pace", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--bots", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    args = arguments()
    asked_plans = [Plan(game, args.groups, args.pace, args.seconds, args.bots) for game in args.game]
    asyncio.run(main(PUBLISHED if args.page else asked_plans, page=args.page))
