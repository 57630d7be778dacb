"""Clients of Redis to compare: our own client, and maintained libraries."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis

from services.common.redis_connection import Command, MultiplexedConnection
from services.engine.store.errors import REPLY_SECONDS

CONNECTIONS = 64


Way: TypeAlias = Callable[[Command], Awaitable[object]]
"""A function that sends a command and waits for its reply."""


async def multiplexed(url: str) -> Way:
    """Return our client: a single redis-py connection that carries all callers' commands at the same time."""
    return MultiplexedConnection(ConnectionPool.from_url(url, **_plain()).make_connection, REPLY_SECONDS).send


async def pool(url: str) -> Way:
    """Return redis-py in its usual form: a connection for each command in progress."""
    client = Redis.from_pool(BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, **_plain()))

    async def send(command: Command) -> object:
        reply: object = await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return reply

    return send


async def pipeline(url: str) -> Way:
    """Return redis-py with one pipeline for all commands of an iteration of the event loop."""
    return _Pipelined(Redis.from_url(url, **_plain()))


class _Pipelined:
    def __init__(self, client: Redis) -> None:
        self._client = client
        self._waiting: list[tuple[Command, asyncio.Future[object]]] = []
        self._sending: set[asyncio.Task[None]] = set()

    async def __call__(self, command: Command) -> object:
        reply: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            task = asyncio.create_task(self._send())
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        self._waiting.append((command, reply))
        return await reply

    async def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        pipeline = self._client.pipeline(transaction=False)
        for command, _ in waiting:
            pipeline.execute_command(*command)
        for (_, reply), result in zip(waiting, await pipeline.execute(raise_on_error=False), strict=True):
            reply.set_result(result)


async def valkey_glide(url: str) -> Way:
    """Return valkey-glide. Its core is written in Rust, and also multiplexes commands on one connection."""
    glide = import_module("glide")
    host, _, port = url.removeprefix("redis://").partition("/")[0].partition(":")
    settings = glide.GlideClientConfiguration(
        [glide.NodeAddress(host, int(port))], request_timeout=5000, inflight_requests_limit=10_000
    )
    client = await glide.GlideClient.create(settings)

    async def send(command: Command) -> object:
        return await client.custom_command([part if isinstance(part, bytes | str) else str(part) for part in command])

    return send


def _plain() -> dict[str, Any]:
    return {"protocol": 2, "socket_timeout": None, "driver_info": None}


WAYS: dict[str, Callable[[str], Any]] = {
    "multiplexed": multiplexed,
    "pool": pool,
    "pipeline": pipeline,
    **({"valkey-glide": valkey_glide} if find_spec("glide") else {}),
}
"""The clients by name. valkey-glide is included if it is installed (`make peers`)."""
