"""The store on a primary that real sentinels watch over."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.engine.store import Snapshot, Store, StoreDownError, connect
from services.telegram.memory.connect import connect as remember
from services.telegram.memory.people import People
from shared.sentinels import primary
from tests.engine.commits import bring, commit
from tests.redis_server import RedisServer, ask, free_port, program, running_redis, until

SOON = 30.0


@dataclass
class Watch:
    primary: RedisServer
    url: str


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """A primary, its replica, and three sentinels that agree by two."""
    with ExitStack() as stack:
        primary = stack.enter_context(running_redis(_room(tmp_path, "primary"), "--repl-diskless-sync-delay", "0"))
        follow = ("--replicaof", f"127.0.0.1 {primary.port}")
        stack.enter_context(running_redis(_room(tmp_path, "replica"), *follow))
        ports = [free_port() for _ in range(3)]
        for port in ports:
            stack.enter_context(_sentinel(tmp_path / f"{port}.conf", port, primary.port))
        until(lambda: "state=online" in primary.ask("INFO replication"))
        until(lambda: all("num-other-sentinels\r\n$1\r\n2" in _told(port) for port in ports))
        until(lambda: all("num-slaves\r\n$1\r\n1" in _told(port) for port in ports))
        yield Watch(primary, f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in ports)}/inn")


def _room(directory: Path, name: str) -> Path:
    room = directory / name
    room.mkdir()
    return room


@contextmanager
def _sentinel(configuration: Path, port: int, primary: int) -> Iterator[None]:
    configuration.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {configuration.parent}\nsentinel monitor inn 127.0.0.1 {primary} 2\n"
        "sentinel down-after-milliseconds inn 1000\nsentinel failover-timeout inn 5000\n"
    )
    with subprocess.Popen([program(), str(configuration), "--sentinel"], stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _told(port: int) -> str:
    try:
        return ask(port, "SENTINEL MASTER inn")
    except OSError:
        return ""


@pytest.fixture
async def store(watch: Watch) -> AsyncIterator[Store]:
    store = await connect(watch.url)
    yield store
    await store.close()


async def test_tables_and_chats_outlive_their_primary(watch: Watch, store: Store) -> None:
    careful = await connect(watch.url, replicas=1)
    redis = remember(watch.url)
    people = People(redis)
    await people.meet(1, "Anna", "it")
    await bring(careful, "t", 2)
    async with store.changes("t") as changes:
        await asyncio.to_thread(watch.primary.kill)
        with pytest.raises(StoreDownError):
            await store.commit(commit("t", 3))
        async with asyncio.timeout(SOON):
            await _committed(store)
        assert await changes.wait(5)
    assert (await store.load("t")).snapshot == Snapshot(3, b"t at 3")
    anna = await people.person(1)
    assert anna
    assert anna.name == "Anna"
    await redis.aclose()
    await careful.close()


async def test_however_many_ask_for_the_primary_at_once_no_sentinel_is_forgotten(watch: Watch) -> None:
    gone = await asyncio.to_thread(free_port)
    asked = primary(watch.url.replace("//", f"//127.0.0.1:{gone},"), {"retry": Retry(NoBackoff(), 0)})
    named = set(asked.sentinels.sentinels)

    found = await asyncio.gather(*(asked.sentinels.discover_master("inn") for _ in range(5)))

    assert found == [("127.0.0.1", watch.primary.port)] * 5
    assert set(asked.sentinels.sentinels) == named
    await asked.aclose()


async def _committed(store: Store) -> None:
    while True:
        try:
            assert await store.commit(commit("t", 3)) == "committed"
        except StoreDownError:
            await asyncio.sleep(0.2)
        else:
            return
