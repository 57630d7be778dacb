"""Snapshots of Telegram's emulator and of the Redis data of bot and engine, from which runs begin."""

import copy
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from redis.asyncio import Redis

from services.engine.store import keys
from tests.emulator import Emulator
from tests.emulator.clock import ChangeSignal
from tests.emulator.journal import Journal
from tests.emulator.world import World


class Snapshot(NamedTuple):
    """The state of Telegram and of both Redis databases while nothing is under way."""

    world: World
    bot: dict[bytes, tuple[int, bytes]]
    """Time to live in milliseconds, and dumped value, by key."""
    engine: dict[bytes, tuple[int, bytes]]


async def taken(world: World, bot: str, engine: str) -> Snapshot:
    """Return a snapshot; `bot` and `engine` are the URLs of their Redis."""
    return Snapshot(copy_of(world), await _dumped(bot), await _dumped(engine))


def copy_of(world: World) -> World:
    """Return a copy of the emulator's state, without the tasks that wait for its changes."""
    replaced: dict[int, object] = {
        id(world.changes): ChangeSignal(),
        id(world.queries): {},
        id(world.inspectors): [],
        id(world.watchers): [],
        id(world.journal): Journal(),
    }
    if world.poll is not None:
        replaced[id(world.poll)] = None
    return copy.deepcopy(world, replaced)


def emulator_of(world: World) -> Emulator:
    """Return an emulator with this state."""
    emulator = Emulator(token=world.token)
    emulator.world = world
    return emulator


async def _dumped(url: str) -> dict[bytes, tuple[int, bytes]]:
    async with _client(url) as redis:
        names = [key async for key in redis.scan_iter(count=1000)]
        return {key: (max(0, await redis.pttl(key)), await redis.dump(key) or b"") for key in names}


async def restore(url: str, stored: dict[bytes, tuple[int, bytes]]) -> None:
    """Replace the data of a Redis by stored data."""
    async with _client(url) as redis:
        pipeline = redis.pipeline(transaction=False)
        pipeline.flushdb()
        for key, (milliseconds, value) in stored.items():
            pipeline.restore(key, milliseconds, value)
        if keys.HEARTBEAT.encode() in stored:  # a fresh heartbeat: otherwise deadlines are postponed
            pipeline.hset(keys.HEARTBEAT, "at", round(time.time() * 1000))
        await pipeline.execute()


@asynccontextmanager
async def _client(url: str) -> AsyncIterator[Redis]:
    client = Redis.from_url(url)
    try:
        yield client
    finally:
        await client.aclose()
