"""Random faults: failed calls of the Bot API, killed processes, and Redis away."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TypeAlias

from tests.e2e.processes import ServiceProcess
from tests.emulator.refusals import NOT_MODIFIED, Fault, Faults, RefusedError, bad_request, too_many_requests
from tests.redis_server import RedisServer

SHARE = 0.05
"""The share of calls that fail."""
EDITS = frozenset({"editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"})
SLOW_SECONDS = (0.5, 12.0)
"""Delays of a slow answer; the bot gives up after ten seconds."""
KILL_SECONDS = (1.0, 8.0)
"""Seconds between two kills or outages."""
OUTAGE_SECONDS = (0.0, 5.0)
"""The length of a Redis outage, in seconds."""


@dataclass
class RandomFaults(Faults):
    """While `active`, one call in twenty fails in a random way."""

    chance: Random = field(default_factory=Random)
    active: bool = False
    counted: Counter[str] = field(default_factory=Counter)

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """Return the fault for a call, or None if the call is to succeed."""
        if not self.active or self.chance.random() >= SHARE:
            return super().take(method, chat_id)
        faults = self._faults(method)
        name = self.chance.choice(sorted(faults))
        self.counted[name] += 1
        return faults[name]

    def _faults(self, method: str) -> dict[str, Fault]:
        """Return a fault of each kind that is possible for a call."""
        seconds = self.chance.randint(1, 5)
        faults_by_name = {
            "cut before it took effect": Fault(method, 1, cut="before"),
            "cut after it took effect": Fault(method, 1, cut="after"),
            "429": Fault(method, 1, refusal=too_many_requests(seconds)),
            "500": Fault(method, 1, refusal=RefusedError(500, "Internal Server Error")),
            "502, though it took effect": Fault(method, 1, refusal=RefusedError(502, "Bad Gateway"), afterwards=True),
            "slow": Fault(method, 1, delay=self.chance.uniform(*SLOW_SECONDS)),
        }
        if method in EDITS:
            faults_by_name["message is not modified"] = Fault(
                method, 1, refusal=bad_request(NOT_MODIFIED), afterwards=True
            )
            faults_by_name["message can't be edited any more"] = Fault(method, 1, spoils="fixed")
            faults_by_name["message deleted by somebody"] = Fault(method, 1, spoils="deleted")
        return faults_by_name


Strike: TypeAlias = tuple[str, Callable[[], Awaitable[None]]]
"""A fault: its name, and its function."""


class Killer:
    """Kills services, and freezes or kills their Redis, at random moments. Each of them is restored soon after."""

    def __init__(
        self, engine: ServiceProcess, bot: ServiceProcess, redis: Mapping[str, RedisServer], chance: Random
    ) -> None:
        """`redis` holds the Redis server of each service."""
        kills: list[Strike] = [
            ("the bot killed", partial(_killed, bot)),
            ("the engine killed", partial(_killed, engine)),
            ("both killed", partial(_killed, bot, engine)),
        ]
        outages: list[Strike] = []
        for whose, server in redis.items():
            outages += [
                (f"the {whose}'s Redis killed", partial(self._outage, server.kill, server.start)),
                (f"the {whose}'s Redis frozen", partial(self._outage, server.freeze, server.thaw)),
            ]
        self._strikes = (kills, outages)
        self._chance = chance
        self.counted: Counter[str] = Counter()

    async def run(self, stop: asyncio.Event) -> None:
        """Cause faults until the event is set. At the end, everything serves again."""
        while True:
            try:
                async with asyncio.timeout(self._chance.uniform(*KILL_SECONDS)):
                    await stop.wait()
            except TimeoutError:
                pass
            else:
                return
            name, strike = self._chance.choice(self._chance.choice(self._strikes))
            self.counted[name] += 1
            await strike()

    async def _outage(self, end: Callable[[], None], begin: Callable[[], None]) -> None:
        """Make a Redis unavailable for a while."""
        await asyncio.to_thread(end)
        await asyncio.sleep(self._chance.uniform(*OUTAGE_SECONDS))
        await asyncio.to_thread(begin)


async def _killed(*services: ServiceProcess) -> None:
    await asyncio.gather(*(service.kill() for service in services))
    await asyncio.gather(*(service.start() for service in services))
