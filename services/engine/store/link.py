"""How commands reach Redis: one server, or a cluster of them. All that the store sends passes here."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, ClusterDownError, MovedError, NoScriptError, SlotNotCoveredError, TryAgainError
from redis.exceptions import ConnectionError as LostError

from services.engine.store.errors import REDIS_ERRORS, REPLY_SECONDS, StoreDownError, reason_of
from services.engine.store.multiplexed import Command, Multiplexed, Part, Reply
from services.engine.store.observer import Observer
from services.engine.store.replicated import Replicated, Server
from services.engine.store.scripts import Script

C = TypeVar("C", Redis, RedisCluster)

ELSEWHERE = (MovedError, AskError, TryAgainError, ClusterDownError, SlotNotCoveredError, LostError, TimeoutError)
"""What a node of a cluster says, or leaves unsaid, when another one may serve the slot."""


class Link(ABC):
    """A way to Redis. What it raises is `StoreDownError`."""

    observer = Observer()

    _send: Callable[[Command, str | None], Awaitable[Reply]]
    """Sends a command, with a mark as `call` says; raises what redis-py raises."""

    @abstractmethod
    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions; raises what redis-py raises."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""

    async def call(self, command: Command, mark: str | None = None, script: Script | None = None) -> Reply:
        """Return the reply to a command, asked once more if the connection broke or Redis keeps silent.

        Asking twice is safe: every script knows when it has done this very thing before.
        With a mark, a key of the same slot that is written for this alone: once enough replicas hold all it tells of.
        With a script, which the command runs by its digest: a server that does not know it is told it.
        """
        began = time.perf_counter()
        try:
            try:
                reply = await self._send(command, mark)
            except (LostError, TimeoutError):
                reply = await self._send(command, mark)
        except REDIS_ERRORS as error:
            reason, unknown = reason_of(error), isinstance(error, NoScriptError)
        else:
            self.observer.replied(time.perf_counter() - began)
            return reply
        # Out here, so that the error of Redis is not even the context of what comes next.
        if script and unknown:
            return await self.call(("EVAL", script.source, *command[2:]), mark)
        self.observer.failed()
        raise StoreDownError(reason)

    async def call_all(self, commands: Sequence[Command]) -> list[Reply]:
        """Return the replies to commands that need each other's neither result nor slot."""
        return await asyncio.gather(*(self.call(command) for command in commands))

    def run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Part], mark: str | None = None
    ) -> Awaitable[Reply]:
        """Return what a script returns; all its keys are of one slot. A mark is as for `call`."""
        return self.call(("EVALSHA", script.digest, len(keys), *keys, *arguments), mark, script)

    async def run_all(self, script: Script, calls: Sequence[tuple[str, Sequence[Part]]]) -> list[Reply]:
        """Return what a script returns for each of several keys with their arguments."""
        return await asyncio.gather(*(self.run(script, [key], rest) for key, rest in calls))

    def _to(self, make: Callable[[], AbstractConnection], replicas: int) -> Server:
        """Return the way to a server, the making of whose connections is told."""

        def told() -> AbstractConnection:
            self.observer.connecting()
            return make()

        return Replicated(lambda: Multiplexed(told), replicas) if replicas else Multiplexed(told)


class ServerLink(Link):
    """One server, and a client for subscriptions."""

    def __init__(self, make: Callable[[], AbstractConnection], subscriptions: Redis, replicas: int) -> None:
        self._server = self._to(make, replicas)
        self._subscriptions = subscriptions
        self._send = self._server.send

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions."""
        return self._subscriptions.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()
        await self._subscriptions.aclose()


class EmbeddedLink(Link):
    """A server in this process. It replies on the spot: one who asks on and on would let nobody else run."""

    def __init__(self, client: Redis) -> None:
        self._client = _raw(client)

    async def _send(self, command: Command, mark: str | None) -> Reply:  # noqa: ARG002 - it has no replicas
        await asyncio.sleep(0)
        reply: Reply = await self._client.execute_command(*command)  # type: ignore[no-untyped-call]
        return reply

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions."""
        return self._client.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


class ClusterLink(Link):
    """A cluster: each command goes to the node of its slot; what is published reaches every node.

    Where a node sends the command elsewhere or is gone, redis-py finds out who serves the slot now.
    """

    def __init__(self, cluster: RedisCluster, replicas: int) -> None:
        self._cluster = _raw(cluster)
        self._replicas = replicas
        self._nodes: dict[str, Server] = {}
        self._exploring = asyncio.Lock()

    async def _send(self, command: Command, mark: str | None) -> Reply:
        key = _key(command)
        try:
            return await (await self._node(key)).send(command, mark)
        except ELSEWHERE:
            if not (mark and self._replicas):
                return await self._explore(command)
        await self._explore(("EXISTS", key))
        return await (await self._node(key)).send(command, mark)

    async def _explore(self, command: Command) -> Reply:
        # One at a time: when redis-py loses a node it closes the connections of all others under those who use them.
        async with asyncio.timeout(REPLY_SECONDS), self._exploring:
            reply: Reply = await self._cluster.execute_command(*command)
        return reply

    async def _node(self, key: str) -> Server:
        """Return the primary of a key's slot."""
        # Commands that come while another one still explores the cluster would fail: so each waits for that first.
        await self._cluster.initialize()
        node = self._cluster.get_node_from_key(key)
        if node is None:
            raise SlotNotCoveredError
        if node.name not in self._nodes:
            self._nodes[node.name] = self._to(lambda: _connection(node), self._replicas)
        return self._nodes[node.name]

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions, to any node."""
        await self._cluster.initialize()
        return self._cluster.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(node.close() for node in self._nodes.values()))
        await self._cluster.aclose()


def _raw(client: C) -> C:
    """Return a client that gives replies as they came, like a connection without one does."""
    for command in ("ZSCAN", "SET"):
        client.set_response_callback(command, _as_it_came)
    return client


def _as_it_came(response: Any, **_: object) -> Any:  # noqa: ANN401  (whatever Redis replies)
    return response


def _connection(node: ClusterNode) -> AbstractConnection:
    connection: AbstractConnection = node.connection_class(**node.connection_kwargs)
    return connection


def _key(command: Command) -> str:
    """Return a key of a command, which tells its slot."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])
