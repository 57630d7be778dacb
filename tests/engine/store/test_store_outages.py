"""Outages and lost replies between a store and a real Redis."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from services.engine.store import (
    EncodedLogEntry,
    IdempotencyRecord,
    Snapshot,
    Store,
    StoredAnswer,
    connect,
)
from services.engine.store.errors import StoreDownError
from tests.engine.store.commits import bring, commit
from tests.engine.store.lossy_proxy import Loss, LossyProxy, lossy_proxy
from tests.redis_server import RedisServer
from tests.waiting import until

NOW = 1_800_000_000_000
SECRET = "sesamo-apriti"


@pytest.fixture
async def store(mortal_redis: RedisServer) -> AsyncIterator[Store]:
    store = await connect(mortal_redis.url)
    yield store
    await store.close()


@pytest.fixture
async def proxy(redis_server: RedisServer) -> AsyncIterator[LossyProxy]:
    async with lossy_proxy(redis_server.port) as proxy:
        yield proxy


CALLS: list[Callable[[Store], Awaitable[object]]] = [
    lambda store: store.load("t"),
    lambda store: store.commit(commit("t", 1)),
    lambda store: store.events("t", None),
    lambda store: store.log("t", 1, 1),
    lambda store: store.listings["open"].page(None, 10),
    lambda store: store.unlist("t", "open"),
    lambda store: store.due(NOW, 64),
    lambda store: store.schedule("t", NOW),
    lambda store: anext(store.scheduled()),
    lambda store: store.record_heartbeat(NOW),
    lambda store: store.settle(),
    lambda store: store.ping(),
]


@pytest.mark.parametrize("call", CALLS)
async def test_every_call_raises_when_redis_is_away(call: Callable[[Store], Awaitable[object]]) -> None:
    store = await connect(f"redis://:{SECRET}@127.0.0.1:1/0")
    with pytest.raises(StoreDownError) as caught:
        await call(store)
    assert SECRET not in repr(caught.value)
    assert caught.value.__context__ is None
    await store.close()


async def test_a_subscriber_does_not_notice_that_redis_is_away() -> None:
    store = await connect("redis://127.0.0.1:1/0")
    async with store.subscribe("t") as changes:
        assert not await changes.wait(0.01)
    await store.close()


async def test_nothing_committed_is_missing_after_kill_9(mortal_redis: RedisServer, store: Store) -> None:
    key = IdempotencyRecord(b"key", b"fingerprint")
    last = commit("t", 3, log=[EncodedLogEntry(1, 1, b"x")], idempotency=key, wake=NOW, listing="open")
    await bring(store, "t", 2)
    await store.commit(last)
    await asyncio.to_thread(mortal_redis.kill)
    with pytest.raises(StoreDownError):
        await store.commit(commit("t", 4))
    await asyncio.to_thread(mortal_redis.start)
    loaded = await store.load("t", b"key")
    assert loaded.snapshot == Snapshot(3, b"t at 3")
    assert loaded.answer == StoredAnswer(b"fingerprint", b"", loaded.snapshot)
    _, remembered = await store.events("t", None)
    assert [snapshot.version for snapshot in remembered] == [1, 2, 3]
    assert await store.log("t", 1, 1) == [b"x"]
    assert await store.listings["open"].page(None, 10) == (["t"], None)
    assert await store.due(NOW, 64) == ["t"]
    assert await store.commit(commit("t", 4)) == "committed"


async def test_a_store_with_many_open_connections_survives_a_restart(mortal_redis: RedisServer, store: Store) -> None:
    await asyncio.gather(*(store.load("t") for _ in range(200)))
    await asyncio.to_thread(mortal_redis.restart)
    outcomes = await asyncio.gather(*(store.commit(commit(f"table {number}", 1)) for number in range(200)))
    assert set(outcomes) == {"committed"}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("REPLICAOF 127.0.0.1 1", "ReadOnlyError"),
        ("CONFIG SET maxmemory 1", "OutOfMemoryError"),
        ("CONFIG SET min-replicas-to-write 1", "ResponseError NOREPLICAS"),
    ],
)
async def test_redis_that_takes_no_writes_is_down_and_keeps_the_table_as_it_was(
    mortal_redis: RedisServer, store: Store, command: str, code: str
) -> None:
    await bring(store, "t", 1, wake=NOW, listing="open")
    assert (await asyncio.to_thread(mortal_redis.ask, command)).startswith("+OK")
    replica = await connect(mortal_redis.url)
    for call in (replica.ping(), replica.commit(commit("t", 2, log=[EncodedLogEntry(1, 1, SECRET.encode())]))):
        with pytest.raises(StoreDownError) as caught:
            await call
        assert SECRET not in str(caught.value)
        assert str(caught.value) == code
    await replica.close()
    assert (await store.load("t")).snapshot == Snapshot(1, b"t at 1")
    assert await store.log("t", 1, 1) == []


async def test_redis_without_the_replicas_that_must_hold_what_is_confirmed_is_down(redis_server: RedisServer) -> None:
    store = await connect(redis_server.url, replicas=1)
    for call in (store.ping(), store.commit(commit("t", 1))):
        with pytest.raises(StoreDownError, match="NotReplicatedError"):
            await call
    await store.close()


async def test_a_wrong_password_is_not_in_the_error(mortal_redis: RedisServer) -> None:
    store = await connect(mortal_redis.url.replace("//", f"//:{SECRET}@"))
    with pytest.raises(StoreDownError) as caught:
        await store.ping()
    assert str(caught.value) == "AuthenticationError"
    await store.close()


async def test_a_snapshot_that_cannot_be_saved_makes_redis_down(mortal_redis: RedisServer, store: Store) -> None:
    await store.commit(commit("t", 1))
    await asyncio.to_thread(mortal_redis.ask, 'CONFIG SET save "3600 1"')
    await asyncio.to_thread((mortal_redis.directory / "dump.rdb").mkdir)
    await asyncio.to_thread(mortal_redis.ask, "BGSAVE")

    async def failed() -> bool:
        return "rdb_last_bgsave_status:err" in await asyncio.to_thread(mortal_redis.ask, "INFO persistence")

    await until(failed)
    with pytest.raises(StoreDownError, match="MISCONF"):
        await store.commit(commit("t", 2))
    assert (await store.load("t")).snapshot == Snapshot(1, b"t at 1")


async def test_redis_that_does_not_answer_is_down_within_seconds(mortal_redis: RedisServer, store: Store) -> None:
    await bring(store, "t", 1)
    mortal_redis.freeze()
    started = time.monotonic()
    with pytest.raises(StoreDownError):
        await store.load("t")
    assert time.monotonic() - started < 10
    mortal_redis.thaw()
    assert (await store.load("t")).snapshot == Snapshot(1, b"t at 1")


async def test_a_server_that_lost_the_scripts_gets_them_again(mortal_redis: RedisServer, store: Store) -> None:
    await bring(store, "t", 1, wake=NOW)
    await asyncio.to_thread(mortal_redis.ask, "SCRIPT FLUSH")
    assert await store.commit(commit("t", 2, wake=NOW)) == "committed"
    await asyncio.to_thread(mortal_redis.ask, "SCRIPT FLUSH")
    assert await store.due(NOW, 64) == ["t"]


@pytest.mark.parametrize("loss", ["closed", "silent"])
async def test_a_commit_whose_reply_is_lost_takes_effect_once_and_is_confirmed(proxy: LossyProxy, loss: Loss) -> None:
    store = await connect(proxy.url)
    await bring(store, "t", 1)
    proxy.lose(loss)
    assert await store.commit(commit("t", 2, log=[EncodedLogEntry(1, 1, b"x")])) == "committed"
    assert proxy.lost == 1
    assert (await store.load("t")).snapshot == Snapshot(2, b"t at 2")
    assert await store.log("t", 1, 1) == [b"x"]
    await store.close()


async def test_a_commit_whose_replies_are_all_lost_takes_effect_once(proxy: LossyProxy) -> None:
    store = await connect(proxy.url)
    await bring(store, "t", 1)
    proxy.lose("closed", "closed")
    unsure = commit(
        "t", 2, log=[EncodedLogEntry(1, 1, b"x")], idempotency=IdempotencyRecord(b"key", b"fingerprint", b"note")
    )
    with pytest.raises(StoreDownError):
        await store.commit(unsure)
    assert await store.log("t", 1, 1) == [b"x"]
    answer = StoredAnswer(b"fingerprint", b"note", Snapshot(2, b"t at 2"))
    assert (await store.load("t", b"key")).answer == answer
    assert await store.commit(commit("t", 3, idempotency=IdempotencyRecord(b"key", b"fingerprint"))) == answer
    await store.close()


async def test_an_outage_is_returned_though_the_reply_was_lost(proxy: LossyProxy) -> None:
    store = await connect(proxy.url)
    await store.record_heartbeat(NOW)
    proxy.lose("closed", "closed")
    with pytest.raises(StoreDownError):
        await store.record_heartbeat(NOW + 60_000)
    assert proxy.lost == 2
    assert await store.record_heartbeat(NOW + 60_200) == 60_000
    await store.close()
