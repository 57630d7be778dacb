"""Connections to Redis in each setup: a single server, a cluster, or a server inside this process; opened by URL.

Each command of the store goes through `Backend.call`, which retries once after a lost connection and translates errors.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AskError, ClusterDownError, MovedError, NoScriptError, SlotNotCoveredError, TryAgainError
from redis.exceptions import ConnectionError as LostError

from services.common.redis_connection import Command, MultiplexedConnection, Part, RedisReply
from services.common.redis_urls import REDIS_ERRORS, ClusterClient, embedded_client, open_client
from services.engine.store.connection import ReplicatedConnection, ServerConnection
from services.engine.store.errors import REPLY_SECONDS, DamagedError, StoreDownError, is_wrong_type, reason_of
from services.engine.store.scripts import Script

C = TypeVar("C", Redis, ClusterClient)

TRY_AGAIN_ERRORS = (MovedError, AskError, TryAgainError, ClusterDownError, SlotNotCoveredError, LostError, TimeoutError)
"""Errors of a cluster node after which a retry may succeed, since another node may serve the slot."""


class StoreObserver(Protocol):
    """Observes the store's calls to Redis, for metrics."""

    @property
    def replied(self) -> Callable[[float], None]:
        """The function to call with the duration of each reply in seconds."""

    def failed(self) -> None:
        """Count a command that failed even after its retry."""

    def connecting(self) -> None:
        """Count an attempt to connect or reconnect."""


class _NoObserver:
    def replied(self, seconds: float) -> None:
        pass

    def failed(self) -> None:
        pass

    def connecting(self) -> None:
        pass


class Backend(ABC):
    """A Redis server or cluster. Methods raise `StoreDownError`, and `DamagedError` for a value of a wrong type."""

    observer: StoreObserver = _NoObserver()
    connections = 0
    """Number of connections made so far. Each new connection may lead to a different server, or to older data."""

    _send: Callable[[Command, str | None], Awaitable[RedisReply]]
    """Sends a command; the second argument is `mark`, as in `call`. Raises errors of redis-py."""

    @abstractmethod
    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions. Raises errors of redis-py."""

    @abstractmethod
    def _senders(self) -> Awaitable[list[Callable[[Command], Awaitable[RedisReply]]]]:
        """Return a function for each primary, which sends a command to that primary. Raises errors of redis-py."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""

    async def scan(self, pattern: str, count: int) -> AsyncIterator[list[bytes]]:
        """Yield the keys that match a pattern, in pages of about `count` scanned keys. A key may occur twice."""
        try:
            for send in await self._senders():
                cursor = b"0"
                while True:
                    cursor, page = await send(("SCAN", cursor, "MATCH", pattern, "COUNT", count))
                    yield page
                    if cursor == b"0":
                        break
        except REDIS_ERRORS as error:
            reason = reason_of(error)
        else:
            return
        raise StoreDownError(reason)

    async def scan_step(
        self, pattern: str, position: tuple[int, int], count: int
    ) -> tuple[list[bytes], tuple[int, int] | None]:
        """Return some keys that match a pattern, and the next position: the index of a server, and its cursor.

        The first position is (0, 0). The next position is None after the last keys.
        """
        server, cursor = position
        try:
            senders = await self._senders()
            if server >= len(senders):
                return [], None
            following, page = await senders[server](("SCAN", cursor, "MATCH", pattern, "COUNT", count))
        except REDIS_ERRORS as error:
            reason = reason_of(error)
        else:
            if following != b"0":
                return page, (server, int(following))
            return page, (server + 1, 0) if server + 1 < len(senders) else None
        raise StoreDownError(reason)

    async def call(self, command: Command, mark: str | None = None, script: Script | None = None) -> RedisReply:
        """Return the reply to a command. The command is sent again if the connection breaks or no reply comes.

        Retries are safe, since every script recognizes a call that was already executed. `mark` is a key in the same
        slot, which is written so that the reply waits until enough replicas have confirmed (`connection.py`). `script`
        is the script that the command calls by digest; its source is sent if the server does not know it.
        """
        began = time.perf_counter()
        try:
            try:
                reply = await self._send(command, mark)
            except (LostError, TimeoutError):
                reply = await self._send(command, mark)
        except REDIS_ERRORS as error:
            reason, unknown, damaged = reason_of(error), isinstance(error, NoScriptError), is_wrong_type(error)
        else:
            self.observer.replied(time.perf_counter() - began)
            return reply
        # Raised outside the `except` block, so that Redis' error is not the context of this error.
        if script and unknown:
            return await self.call(("EVAL", script.source, *command[2:]), mark)
        if damaged:
            raise DamagedError
        self.observer.failed()
        raise StoreDownError(reason)

    async def call_all(self, commands: Sequence[Command]) -> list[RedisReply]:
        """Return the replies to independent commands, whose slots may differ."""
        return await asyncio.gather(*(self.call(command) for command in commands))

    def run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Part], mark: str | None = None
    ) -> Awaitable[RedisReply]:
        """Return a script's result. All its keys must be in one slot. `mark` is as in `call`."""
        return self.call(("EVALSHA", script.digest, len(keys), *keys, *arguments), mark, script)

    async def run_all(self, script: Script, calls: Sequence[tuple[str, Sequence[Part]]]) -> list[RedisReply]:
        """Return a script's results for several keys, each with its arguments."""
        return await asyncio.gather(*(self.run(script, [key], rest) for key, rest in calls))

    def _connect(self, make: Callable[[], AbstractConnection], replicas: int) -> ServerConnection:
        """Return a connection to a server. `make` opens each TCP connection; the observer counts them."""

        def observed() -> AbstractConnection:
            self.observer.connecting()
            self.connections += 1
            return make()

        def connection() -> MultiplexedConnection:
            return MultiplexedConnection(observed, REPLY_SECONDS)

        return ReplicatedConnection(connection, replicas) if replicas else connection()


class ServerBackend(Backend):
    """A single server, with a separate client for subscriptions."""

    def __init__(self, make: Callable[[], AbstractConnection], subscriptions: Redis, replicas: int) -> None:
        self._server = self._connect(make, replicas)
        self._subscriptions = subscriptions
        self._send = self._server.send

    async def _senders(self) -> list[Callable[[Command], Awaitable[RedisReply]]]:
        return [self._server.send]

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions."""
        return self._subscriptions.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()
        await self._subscriptions.aclose()


class EmbeddedBackend(Backend):
    """A server inside this process. It replies synchronously, so other tasks run before each command."""

    def __init__(self, client: Redis) -> None:
        self._client = _with_raw_replies(client)

    async def _senders(self) -> list[Callable[[Command], Awaitable[RedisReply]]]:
        return [self._send]

    async def _send(self, command: Command, mark: str | None = None) -> RedisReply:  # noqa: ARG002 - there are no replicas
        await asyncio.sleep(0)
        reply: RedisReply = await self._client.execute_command(*command)  # type: ignore[no-untyped-call]
        return reply

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions."""
        return self._client.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


class ClusterBackend(Backend):
    """A cluster. Each command goes to the node of its slot; published messages reach all nodes.

    If a node redirects or is gone, redis-py finds the node that now serves the slot.
    """

    def __init__(self, cluster: ClusterClient, replicas: int) -> None:
        self._cluster = _with_raw_replies(cluster)
        self._replicas = replicas
        self._nodes: dict[str, ServerConnection] = {}
        self._discovering = asyncio.Lock()

    async def _send(self, command: Command, mark: str | None) -> RedisReply:
        key = _key(command)
        try:
            return await (await self._node(key)).send(command, mark)
        except TRY_AGAIN_ERRORS:
            if not (mark and self._replicas):
                return await self._discover(command)
        await self._discover(("EXISTS", key))
        return await (await self._node(key)).send(command, mark)

    async def _discover(self, command: Command) -> RedisReply:
        # Send one command at a time: when redis-py loses a node, it closes all other connections, even those in use.
        async with asyncio.timeout(REPLY_SECONDS), self._discovering:
            reply: RedisReply = await self._cluster.execute_command(*command)
        return reply

    async def _node(self, key: str) -> ServerConnection:
        """Return the connection to the primary of a key's slot."""
        # Commands fail while redis-py discovers the cluster's nodes, so wait until it has.
        await self._cluster.initialize()
        node = self._cluster.get_node_from_key(key)
        if node is None:
            raise SlotNotCoveredError
        return self._connected_to(node)

    async def _senders(self) -> list[Callable[[Command], Awaitable[RedisReply]]]:
        await self._cluster.initialize()
        return [self._connected_to(node).send for node in self._cluster.get_primaries()]

    def _connected_to(self, node: ClusterNode) -> ServerConnection:
        if node.name not in self._nodes:
            self._nodes[node.name] = self._connect(lambda: _connection(node), self._replicas)
        return self._nodes[node.name]

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions, to any node."""
        await self._cluster.initialize()
        return self._cluster.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(node.close() for node in self._nodes.values()))
        await self._cluster.aclose()


def _with_raw_replies(client: C) -> C:
    """Return the client, configured to return replies as Redis sent them."""
    for command in ("SCAN", "ZSCAN", "SET", "HGETALL"):
        client.set_response_callback(command, _unchanged)
    return client


def _unchanged(response: Any, **_: object) -> Any:  # noqa: ANN401  (whatever Redis replies)
    return response


def _connection(node: ClusterNode) -> AbstractConnection:
    connection: AbstractConnection = node.connection_class(**node.connection_kwargs)
    return connection


def _key(command: Command) -> str:
    """Return the first key of a command, which determines its slot."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])


CONNECT_SECONDS = 1.0
MANY_CONNECTIONS = 10_000
"""Maximum number of connections to a cluster node, and to the embedded server. It is never reached."""

_OPTIONS: Mapping[str, Any] = {
    "protocol": 2,
    "socket_connect_timeout": CONNECT_SECONDS,
    "socket_timeout": None,
    # The code that uses a connection replaces it when it is lost: `MultiplexedConnection` for commands, and
    # `Notifications` for subscriptions, which must notice the loss to wake its subscribers.
    "retry": Retry(NoBackoff(), 0),
    # Without this option, each new connection looks up the library's version in the file system.
    "driver_info": None,
}
_CLUSTER_OPTIONS: Mapping[str, Any] = {"max_connections": MANY_CONNECTIONS, "retry": Retry(NoBackoff(), 2)}


async def open_backend(url: str | None, replicas: int) -> Backend:
    """Return the backend for a URL, without waiting for Redis. An empty URL means a server inside this process.

    Raises `RedisUrlError` for an invalid URL, and `NoEmbeddedRedisError` if the embedded server is not installed.
    """
    if not url:
        # This runs in a thread, because the first server and the first connection of a process read files.
        return await asyncio.to_thread(_embedded)
    client = open_client(url, cluster=_CLUSTER_OPTIONS, **_OPTIONS)
    if isinstance(client, ClusterClient):
        return ClusterBackend(client, replicas)
    return ServerBackend(client.connection_pool.make_connection, client, replicas)


def _embedded() -> Backend:
    client = embedded_client(max_connections=MANY_CONNECTIONS, **_OPTIONS)
    client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return EmbeddedBackend(client)
