"""Redis: whether it keeps what it has confirmed, has room, and has the right time."""

import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from redis.exceptions import ResponseError

from services.common.redis_urls import REDIS_ERRORS, ClusterClient, RedisUrlError, open_client
from services.doctor.findings import Finding, judged

OLDEST = (6, 2)
"""The oldest release of Redis that the scripts of the store were tried with."""
MOST_SKEW = 2.0
"""Seconds by which the clock of Redis may differ from this machine's."""
MOST_FULL = 0.8
UNWRITTEN = "Look at its log and at the room on its disk; nothing can be played until it writes again."
SECONDS = 5.0

Info = Mapping[str, Any]


async def redis_findings(url: str, replicas: int) -> AsyncIterator[Finding]:
    """Look at the Redis of a URL. `replicas` is how many replicas must hold a move."""
    if not url:
        todo = "Set REDIS_URL; make run and docker compose bring a Redis of their own."
        yield Finding("note", "REDIS_URL is empty: a service on its own keeps its games in memory.", todo)
        return
    try:
        client = open_client(url, decode_responses=True, socket_connect_timeout=SECONDS, socket_timeout=SECONDS)
    except RedisUrlError as error:
        yield Finding("wrong", f"REDIS_URL is {error}.", "Write it as .env.example shows.")
        return
    try:
        if isinstance(client, ClusterClient):
            await client.ping()
            yield Finding("ok", "The Redis Cluster answers; of its nodes' settings nothing is checked here.")
            return
        async for finding in _server_findings(client, replicas):
            yield finding
    except REDIS_ERRORS as error:
        todo = "Is it running, is its address right, and its password? Nothing can be played without it."
        yield Finding("wrong", f"Redis does not answer ({type(error).__name__}).", todo)
    finally:
        await client.aclose()


async def _server_findings(client: Any, replicas: int) -> AsyncIterator[Finding]:  # noqa: ANN401 - redis-py's client
    info: Info = await client.info()
    version = str(info["redis_version"])
    numbers = tuple(int(part) for part in version.split(".")[:2])
    yield judged(
        numbers >= OLDEST,
        f"Redis {version} answers.",
        f"Redis {version} is older than what Locanda was tried with.",
        "Take Redis 7 or newer.",
    )
    yield _is_primary(info)
    seconds, micros = await client.time()
    skew = abs(seconds + micros / 1e6 - time.time())
    yield judged(
        skew < MOST_SKEW,
        "The clocks of Redis and of this machine agree.",
        f"The clocks of Redis and of this machine differ by {skew:.0f} seconds.",
        "Let NTP set both: people see the wrong time left for their turns.",
        level="note",
    )
    for finding in (*_durability(info), _replication(info, replicas)):
        yield finding
    async for finding in _settings(client, info):
        yield finding


def _is_primary(info: Info) -> Finding:
    return judged(
        info.get("role") == "master",
        "It takes writes.",
        "It is a replica, which takes no writes.",
        "Let REDIS_URL name the primary, or sentinels (redis+sentinel://).",
    )


def _durability(info: Info) -> list[Finding]:
    written = info.get("aof_last_write_status") == "ok" and info.get("aof_last_bgrewrite_status") == "ok"
    return [
        judged(
            info.get("aof_enabled") == 1,
            "It writes an append-only file.",
            "It writes no append-only file: what was played since the last snapshot is lost when it ends.",
            "redis-cli CONFIG SET appendonly yes, and appendonly yes in redis.conf.",
        ),
        judged(written, "Its last writes have succeeded.", "Its last write to the append-only file failed.", UNWRITTEN),
    ]


def _replication(info: Info, replicas: int) -> Finding:
    connected = int(info.get("connected_slaves", 0))
    return judged(
        connected >= replicas,
        f"It has {connected} replicas, and ENGINE_REPLICAS is {replicas}.",
        f"It has {connected} replicas, but ENGINE_REPLICAS is {replicas}: no move is confirmed.",
        "Start the replicas, or lower ENGINE_REPLICAS.",
    )


async def _settings(client: Any, info: Info) -> AsyncIterator[Finding]:  # noqa: ANN401 - redis-py's client
    try:
        settings = await client.config_get("appendfsync", "maxmemory-policy", "maxmemory")
    except ResponseError:
        todo = "Make sure that its memory policy is noeviction."
        yield Finding("note", "Its settings cannot be read (CONFIG is not allowed).", todo)
        return
    policy = settings["maxmemory-policy"]
    yield judged(
        policy == "noeviction",
        "It forgets nothing when its memory is full.",
        f"When its memory is full it forgets tables (maxmemory-policy {policy}).",
        "redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.",
    )
    yield judged(
        settings["appendfsync"] == "always",
        "It confirms what is on the disk.",
        f"It may lose the last second when its machine fails (appendfsync {settings['appendfsync']}).",
        "redis-cli CONFIG SET appendfsync always, unless that second does not matter to you.",
        level="note",
    )
    most, used = int(settings["maxmemory"]), int(info["used_memory"])
    yield judged(
        most > 0 and used < MOST_FULL * most,
        f"It uses {used >> 20} of {most >> 20} MB.",
        f"It uses {used >> 20} of {most >> 20} MB." if most else "Its memory has no limit (maxmemory 0).",
        "Give it more memory: docs/scaling.md says what a table takes."
        if most
        else "Set maxmemory below what the machine has: else the system ends Redis in the place of one refused table.",
        level="wrong" if most else "note",
    )
