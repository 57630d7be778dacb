"""Replicas of the engine on one Redis, each behind a wire that can be cut, to be killed and started again."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp

from shared.tasks import end
from tests.e2e.fire.asking import Answer, Write, look, send
from tests.e2e.processes import Engine
from tests.engine.lossy_proxy import LossyProxy, lossy_proxy
from tests.redis_server import RedisServer

REPLICAS = 3
STUBBORN = 60.0
"""Seconds after which one who asks again and again gives up: far more than any fault lasts."""
PAUSE = 0.05
COMMIT = b":log"
"""What of all scripts only the one that commits a step names."""


class Replica:
    """An engine, and its wire to Redis."""

    def __init__(self, log: Path, wire: LossyProxy) -> None:
        self.wire = wire
        self.engine = Engine(log, wire.url, ENGINE_TABLES_PER_MINUTE="0", ENGINE_THINK_MS="0")
        self._starting: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return self.engine.url

    async def start(self) -> None:
        await self.engine.start()

    async def die(self) -> None:
        """Kill -9; it starts again by itself, while the house goes on."""
        await self.kill()
        self._starting = asyncio.create_task(self.engine.start(), name="replica")

    async def kill(self) -> None:
        if self._starting:
            await end(self._starting)
        await self.engine.kill()


class Inn:
    """Everything that serves, and one client's connections to it."""

    def __init__(self, redis: RedisServer, replicas: Sequence[Replica], session: aiohttp.ClientSession) -> None:
        self.redis = redis
        self.replicas = replicas
        self.session = session

    async def definitely(self, write: Write, first: int = 0) -> Answer:
        """Send a write to one replica after another until the answer is definite."""
        async with asyncio.timeout(STUBBORN):
            number = first
            while True:
                answer = await send(self.session, self.replicas[number % REPLICAS].url, write)
                if answer and answer.definite:
                    return answer
                number += 1
                await asyncio.sleep(PAUSE)

    async def see(self, path: str, token: str | None = None) -> Answer:
        """Read from any replica that serves."""
        async with asyncio.timeout(STUBBORN):
            while True:
                answer = await look(self.session, random.choice(self.replicas).url + path, token)
                if answer and answer.definite:
                    return answer
                await asyncio.sleep(PAUSE)

    async def restart_redis(self) -> None:
        """Kill -9, and start again with what the append-only file holds."""
        await asyncio.to_thread(self.redis.restart)

    async def configure_redis(self, setting: str) -> None:
        """CONFIG SET."""
        assert (await asyncio.to_thread(self.redis.ask, f"CONFIG SET {setting}")).startswith("+OK")

    async def logs(self) -> str:
        """What all replicas have written."""
        return "".join([await replica.engine.log() for replica in self.replicas])


@asynccontextmanager
async def opened(redis: RedisServer, directory: Path) -> AsyncIterator[Inn]:
    """Run the replicas."""
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(lossy_proxy(redis.port, COMMIT)) for _ in range(REPLICAS)]
        replicas = [Replica(directory / f"engine{number}.log", wire) for number, wire in enumerate(wires)]
        for replica in replicas:
            stack.push_async_callback(replica.kill)
        await asyncio.gather(*(replica.start() for replica in replicas))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Inn(redis, replicas, session)
