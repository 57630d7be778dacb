"""How commands reach Redis: one server, or a cluster of them. All that the store sends passes here."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub
from redis.exceptions import NoScriptError

from services.engine.store.errors import REDIS_ERRORS, StoreDownError, guarded, reason_of
from services.engine.store.scripts import Script

Part = str | bytes | int
Command = Sequence[Part]


class Link(ABC):
    """A way to Redis. What it raises is `StoreDownError`."""

    @abstractmethod
    async def _send(self, command: Command) -> object:
        """Send a command; raises what redis-py raises."""

    @abstractmethod
    async def _send_all(self, commands: Sequence[Command]) -> Sequence[object]:
        """Send commands of different slots; a reply may be an error."""

    @abstractmethod
    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions; raises what redis-py raises."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""

    async def call(self, *command: Part) -> object:
        """Return the reply to a command."""
        return await guarded(lambda: self._send(command))

    async def call_all(self, commands: Sequence[Command]) -> list[object]:
        """Return the replies to commands that need each other's neither result nor slot."""
        return [_good(reply) for reply in await guarded(lambda: self._send_all(commands))]

    async def run(self, script: Script, keys: Sequence[str], arguments: Sequence[Part]) -> object:
        """Return what a script returns; all its keys are of one slot."""
        return await guarded(lambda: self._run(script, len(keys), (*keys, *arguments)))

    async def run_all(self, script: Script, calls: Sequence[tuple[str, Sequence[Part]]]) -> list[object]:
        """Return what a script returns for each of several keys with their arguments."""
        commands = [("EVALSHA", script.digest, 1, key, *rest) for key, rest in calls]
        replies = await guarded(lambda: self._send_all(commands))
        return [
            await self.run(script, [key], rest) if isinstance(reply, NoScriptError) else _good(reply)
            for reply, (key, rest) in zip(replies, calls, strict=True)
        ]

    async def _run(self, script: Script, keys: int, rest: Sequence[Part]) -> object:
        try:
            return await self._send(("EVALSHA", script.digest, keys, *rest))
        except NoScriptError:
            return await self._send(("EVAL", script.source, keys, *rest))


class ServerLink(Link):
    """One server, with a pool of connections for commands and another client for subscriptions."""

    def __init__(self, commands: Redis, subscriptions: Redis) -> None:
        self._commands = commands
        self._subscriptions = subscriptions

    async def _send(self, command: Command) -> object:
        reply: object = await self._commands.execute_command(*command)  # type: ignore[no-untyped-call]
        return reply

    async def _send_all(self, commands: Sequence[Command]) -> Sequence[object]:
        pipeline = self._commands.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        return await pipeline.execute(raise_on_error=False)

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions."""
        return self._subscriptions.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._commands.aclose()
        await self._subscriptions.aclose()


class EmbeddedLink(ServerLink):
    """A server in this process. It replies on the spot: one who asks on and on would let nobody else run."""

    async def _send(self, command: Command) -> object:
        await asyncio.sleep(0)
        return await super()._send(command)

    async def _send_all(self, commands: Sequence[Command]) -> Sequence[object]:
        await asyncio.sleep(0)
        return await super()._send_all(commands)


class ClusterLink(Link):
    """A cluster: each command goes to the node of its slot; what is published reaches every node."""

    def __init__(self, cluster: RedisCluster) -> None:
        self._cluster = cluster

    async def _send(self, command: Command) -> object:
        # Commands that come while another one still explores the cluster would fail: so each waits for that first.
        await self._cluster.initialize()
        reply: object = await self._cluster.execute_command(*command)
        return reply

    async def _send_all(self, commands: Sequence[Command]) -> Sequence[object]:
        return await asyncio.gather(*map(self._send, commands), return_exceptions=True)

    async def subscriber(self) -> PubSub:
        """Return a new connection for subscriptions, to any node."""
        await self._cluster.initialize()
        return self._cluster.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        await self._cluster.aclose()


def _good(reply: object) -> object:
    if isinstance(reply, REDIS_ERRORS):
        raise StoreDownError(reason_of(reply))
    if isinstance(reply, BaseException):
        raise reply
    return reply
