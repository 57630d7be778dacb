"""Replicas of the engine on one Redis: each can be killed, and its connections to Redis go through a lossy proxy."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp

from services.common.processes import end
from tests.e2e.fault_campaign.requests import ReceivedResponse, WriteRequest, get, send
from tests.e2e.processes import ForkedEngine
from tests.engine.store.lossy_proxy import LossyProxy, lossy_proxy
from tests.redis_server import RedisServer

REPLICAS = 3
RETRY_SECONDS = 60.0
"""Seconds until a client that retries gives up: far more than any fault lasts."""
PAUSE = 0.05
COMMIT = b":log"
"""Bytes that only the script that commits a transition contains."""


class Replica:
    """An engine process and the proxy between it and Redis."""

    def __init__(self, log: Path, proxy: LossyProxy) -> None:
        self.proxy = proxy
        self.engine = ForkedEngine(
            log, proxy.url, ENGINE_TABLES_PER_MINUTE="0", ENGINE_CLIENT_MB="0", ENGINE_THINK_MS="0"
        )
        self._starting: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return self.engine.url

    async def start(self) -> None:
        await self.engine.start()

    async def crash(self) -> None:
        """Kill the engine with kill -9, and start it again in the background."""
        await self.kill()
        self._starting = asyncio.create_task(self.engine.start(), name="replica")

    async def kill(self) -> None:
        if self._starting:
            await end(self._starting)
        await self.engine.kill()


class Replicas:
    """The replicas, their Redis, and one client session for all of them."""

    def __init__(self, redis: RedisServer, replicas: Sequence[Replica], session: aiohttp.ClientSession) -> None:
        self.redis = redis
        self.each = replicas
        self.session = session

    async def send(self, write: WriteRequest, first: int = 0) -> ReceivedResponse:
        """Send a write to one replica after another until a response is definite."""
        async with asyncio.timeout(RETRY_SECONDS):
            number = first
            while True:
                answer = await send(self.session, self.each[number % REPLICAS].url, write)
                if answer and answer.definite:
                    return answer
                number += 1
                await asyncio.sleep(PAUSE)

    async def get(self, path: str, token: str | None = None) -> ReceivedResponse:
        """Send a GET to any replica that serves."""
        async with asyncio.timeout(RETRY_SECONDS):
            while True:
                answer = await get(self.session, random.choice(self.each).url + path, token)
                if answer and answer.definite:
                    return answer
                await asyncio.sleep(PAUSE)

    async def restart_redis(self) -> None:
        """Kill Redis with kill -9, and start it again from the append-only file."""
        await asyncio.to_thread(self.redis.restart)

    async def configure_redis(self, setting: str) -> None:
        """Send CONFIG SET to Redis."""
        assert (await asyncio.to_thread(self.redis.ask, f"CONFIG SET {setting}")).startswith("+OK")

    async def logs(self) -> str:
        """Return the logs of all replicas."""
        return "".join([await replica.engine.log() for replica in self.each])


@asynccontextmanager
async def running_replicas(redis: RedisServer, directory: Path) -> AsyncIterator[Replicas]:
    """Run the replicas."""
    async with AsyncExitStack() as stack:
        proxies = [await stack.enter_async_context(lossy_proxy(redis.port, COMMIT)) for _ in range(REPLICAS)]
        replicas = [Replica(directory / f"engine{number}.log", proxy) for number, proxy in enumerate(proxies)]
        for replica in replicas:
            stack.push_async_callback(replica.kill)
        await asyncio.gather(*(replica.start() for replica in replicas))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Replicas(redis, replicas, session)
