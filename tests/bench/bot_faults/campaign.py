"""A campaign of faults: matches in waves, with faults and kills, and the counts of outcomes."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random

from msgspec import Struct, field

from locanda.games.registry import GAME_NAMES
from services.engine.store import connect
from tests.bench.bot_faults.faults import Killer, RandomFaults
from tests.bench.bot_faults.matches import ChatMatch
from tests.e2e.processes import EngineProcess, ServiceProcess
from tests.emulator import Emulator
from tests.redis_server import RedisServer
from tests.secrecy import SecrecyGuard

TRUE_SECONDS = 60.0
"""The maximum number of seconds from the last fault until every screen agrees with its table."""
LOBBY_SECONDS = (3.0, 15.0)
"""The shortest and the longest pause before each check while people sit down, in seconds."""
LOBBY_LOOKS = 3
PLAY_SECONDS = (15.0, 60.0)
"""Seconds from the start of play until the check in the middle (shortest, longest)."""
LONGEST_SECONDS = 900.0
"""The longest duration of a wave."""
LOOK_SECONDS = 0.25


class Report(Struct):
    """The counts of a campaign."""

    begun: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    taps: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    """The number of checks of all screens of a match, made after the faults have stopped."""
    lobbies: int = 0
    """The number of checks of tables whose match has not begun."""
    latest: float = 0.0
    """The longest time until all screens agreed with their tables, in seconds."""
    copies: int = 0
    """Surplus messages with hands, beyond one for each person."""
    payloads: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The figures as text, one per line."""
        lines = [
            f"matches begun {self.begun.total()}, ended {self.ended.total()}: {_listed(self.ended)}",
            f"taps {self.taps}, payloads with cards {self.payloads}",
            f"faults {self.faults.total()}: {_listed(self.faults)}",
            f"kills {self.kills.total()}: {_listed(self.kills)}",
            f"looks {self.looks} ({self.lobbies} at lobbies), all screens true after {self.latest:.1f} s at most",
            f"hands that came twice {self.copies}, problems {len(self.problems)}",
        ]
        return "\n".join(lines)


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))


class Campaign:
    """The services, the faults, and the matches, which are played in waves."""

    def __init__(
        self,
        guard: SecrecyGuard,
        faults: RandomFaults,
        killer: Killer,
        redis_url: str,
        chance: Random,
    ) -> None:
        self._guard = guard
        self._faults = faults
        self._killer = killer
        self._redis_url = redis_url
        self._chance = chance
        self.report = Report()

    async def wave(self, matches: Sequence[ChatMatch]) -> None:
        """Play some matches at once, with checks while people sit down, in the middle and at the end."""
        for match in matches:
            await match.begin(self._redis_url)
            self.report.begun[match.game] += 1
        allowed = asyncio.Event()
        playing = [asyncio.create_task(match.play(allowed)) for match in matches]
        everything = asyncio.gather(*playing)
        try:
            for _ in range(LOBBY_LOOKS):
                await self._trouble(allowed, everything, self._chance.uniform(*LOBBY_SECONDS))
                await self._look(matches)
            for match in matches:
                match.may_start()
            await self._trouble(allowed, everything, self._chance.uniform(*PLAY_SECONDS))
            await self._look(matches)
            await self._trouble(allowed, everything, LONGEST_SECONDS)
            await self._look(matches)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        for match in matches:
            self.report.taps += match.taps
            copies = list(match.copies())
            self.report.copies += len(copies)
            for hand_copy in copies:
                ending = "cannot be found by an edit" if hand_copy.fixed else "could be found"
                self.report.problems.append(f"{match}: {hand_copy!r}, which {ending}, came beside the hand")
            self.report.ended[match.game] += match.over
            if not match.over:
                self.report.problems.append(f"{match} does not end\n{match.place.render()}")

    async def _trouble(self, allowed: asyncio.Event, playing: "asyncio.Future[list[None]]", seconds: float) -> None:
        """Let people play during faults, until all matches are over or the time is up."""
        stop = asyncio.Event()
        killing = asyncio.create_task(self._killer.run(stop))
        self._faults.active = True
        allowed.set()
        await asyncio.wait({playing}, timeout=seconds)
        allowed.clear()
        self._faults.active = False
        stop.set()
        await killing
        if playing.done():
            playing.result()  # raises an error if the code of the simulated people has failed

    async def _look(self, matches: Sequence[ChatMatch]) -> None:
        """Wait until all screens agree with their tables, and record the screens that do not."""
        loop = asyncio.get_running_loop()
        began, left = loop.time(), [*matches]
        while left and loop.time() - began < TRUE_SECONDS:
            await asyncio.sleep(LOOK_SECONDS)
            await self._guard.look()
            left = [match for match in left if [*match.untruths(self._guard.tables)]]
        self.report.looks += len(matches)
        self.report.lobbies += sum(not match.begun for match in matches)
        self.report.latest = max(self.report.latest, loop.time() - began)
        for match in left:
            untruths = "; ".join(match.untruths(self._guard.tables))
            self.report.problems.append(f"{match}: {untruths}\n{match.place.render()}")


async def campaign(
    directory: Path,
    *,
    matches: int,
    at_once: int,
    seed: int,
    tell: Callable[[Report], None] = lambda _: None,
) -> Report:
    """Play a number of matches, several at the same time, and report after each wave.

    Each service has its own Redis; all of them log into the folder. The seed decides the faults, though timing varies.
    """
    chance = Random(seed)
    async with AsyncExitStack() as stack:
        telegram = await stack.enter_async_context(Emulator())
        redis = {whose: await _redis(stack, directory / whose) for whose in ("bot", "engine")}
        store = await connect(redis["engine"].url)
        stack.push_async_callback(store.close)
        guard = SecrecyGuard(telegram, store)
        stack.enter_context(telegram.inspected_by(guard.inspect))
        faults = RandomFaults(chance=chance)
        telegram.world.faults = faults
        engine = EngineProcess(
            directory / "engine.log",
            redis["engine"].url,
            ENGINE_STREAMS="0",
            ENGINE_TABLES_PER_MINUTE="0",
            ENGINE_CLIENT_MB="0",
            ENGINE_SEATS_PER_MINUTE="0",
        )
        bot = ServiceProcess(
            "tests.e2e.bot_process",
            directory / "bot.log",
            TELEGRAM_TOKEN=telegram.token,
            TELEGRAM_API_URL=telegram.url,
            ENGINE_URL=engine.url,
            REDIS_URL=redis["bot"].url,
            LOG_FORMAT="json",
        )
        for service in (engine, bot):
            await service.start()
            stack.push_async_callback(service.kill)
        killer = Killer(engine, bot, redis, chance)
        run = Campaign(guard, faults, killer, redis["bot"].url, chance)
        kinds = [(game, alone) for alone in (False, True) for game in GAME_NAMES]
        all_matches = [
            ChatMatch(telegram, game, number, chance, alone=alone)
            for number, (game, alone) in zip(range(matches), cycle(kinds), strict=False)
        ]
        for first in range(0, matches, at_once):
            await run.wave(all_matches[first : first + at_once])
            run.report.faults, run.report.kills, run.report.payloads = faults.counted, killer.counted, guard.compared
            tell(run.report)
        run.report.problems += [str(leak) for leak in guard.leaks]
    return run.report


async def _redis(stack: AsyncExitStack, directory: Path) -> RedisServer:
    """Start a Redis that keeps all confirmed writes, and stop it when the exit stack closes."""
    await asyncio.to_thread(directory.mkdir)
    server = await asyncio.to_thread(RedisServer, directory)
    await asyncio.to_thread(server.start)
    stack.callback(server.kill)
    return server
