"""The store on a Redis Cluster of six real nodes, with all nodes and after a primary has died."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.engine.store import IdempotencyRecord, Snapshot, Store, connect, keys
from services.engine.store.errors import StoreDownError
from tests.engine.store.commits import bring, commit
from tests.redis_cluster import Cluster
from tests.redis_server import RedisServer
from tests.waiting import once_served

pytestmark = pytest.mark.costly

NOW = 1_800_000_000_000
TABLES = [f"table {number}" for number in range(24)]
KEY = IdempotencyRecord(b"key", b"fingerprint")
SOON = 60.0


@pytest.fixture
async def store(mortal_cluster: Cluster) -> AsyncIterator[Store]:
    store = await connect(mortal_cluster.url)
    yield store
    await store.close()


def primary_of(cluster: Cluster, table: str) -> RedisServer:
    return cluster.primary_of(keys.of(table).state.replace(" ", "_"))


async def committed(store: Store, table: str, version: int) -> None:
    """Commit as soon as a node serves the table. If a commit gets no reply, its retry is recognized by the key."""
    key = IdempotencyRecord(f"{version}".encode(), b"fingerprint")
    outcome = await once_served(lambda: store.commit(commit(table, version, idempotency=key)), SOON)
    assert outcome != "clash", (await store.load(table)).snapshot


async def test_tables_on_all_nodes_are_stored_listed_woken_and_notified(store: Store, mortal_cluster: Cluster) -> None:
    await asyncio.gather(*(bring(store, table, 2, wake=NOW, listing="open") for table in TABLES))
    assert [(await store.load(table)).snapshot for table in TABLES] == [
        Snapshot(2, f"{table} at 2".encode()) for table in TABLES
    ]
    first, cursor = await store.listings["open"].page(None, 20)
    rest, end = await store.listings["open"].page(cursor, 20)
    assert (sorted(first + rest), end) == (sorted(TABLES), None)
    assert sorted(await store.due(NOW, 100)) == sorted(TABLES)
    assert {table async for table in store.scheduled()} == set(TABLES)
    assert await store.record_heartbeat(NOW) == 0

    other = await connect(mortal_cluster.url)
    for table in TABLES:
        async with store.subscribe(table) as changes:
            assert await other.commit(commit(table, 3)) == "committed"
            assert await changes.wait(5)
    await other.close()


async def test_a_killed_primary_loses_nothing_and_its_tables_go_on(store: Store, mortal_cluster: Cluster) -> None:
    for table in TABLES:
        await bring(store, table, 2, idempotency=KEY, wake=NOW)
    victim = await asyncio.to_thread(primary_of, mortal_cluster, TABLES[0])
    async with store.subscribe(TABLES[0]) as changes:
        await asyncio.to_thread(victim.kill)
        await asyncio.gather(*(committed(store, table, 3) for table in TABLES))
        assert await changes.wait(5)
    for table in TABLES:
        loaded = await store.load(table, b"key")
        assert loaded.snapshot == Snapshot(3, f"{table} at 3".encode())
        assert loaded.answer
        assert loaded.answer.snapshot.version == 2
        _, remembered = await store.events(table, None)
        assert [step.version for step in remembered] == [1, 2, 3]
    await asyncio.to_thread(victim.start)
    await asyncio.to_thread(mortal_cluster.settled)
    await asyncio.gather(*(committed(store, table, 4) for table in TABLES))


async def test_a_replica_that_was_away_may_undo_what_was_confirmed_unless_it_is_waited_for(
    store: Store, mortal_cluster: Cluster
) -> None:
    """This is the limit of asynchronous replication that docs/faults.md describes."""
    await bring(store, "t", 1)
    victim = await asyncio.to_thread(primary_of, mortal_cluster, "t")
    replica = await asyncio.to_thread(mortal_cluster.replica_of, victim)
    await asyncio.to_thread(replica.kill)
    assert await store.commit(commit("t", 2)) == "committed"
    await asyncio.to_thread(victim.kill)
    await asyncio.to_thread(replica.start)
    assert (await once_served(lambda: store.load("t"), SOON)).snapshot != Snapshot(2, b"t at 2")


async def test_what_a_replica_must_hold_is_confirmed_once_it_does_and_not_before(mortal_cluster: Cluster) -> None:
    store = await connect(mortal_cluster.url, replicas=1)
    await bring(store, "t", 1)
    victim = await asyncio.to_thread(primary_of, mortal_cluster, "t")
    replica = await asyncio.to_thread(mortal_cluster.replica_of, victim)
    await asyncio.to_thread(replica.kill)
    with pytest.raises(StoreDownError, match="NotReplicatedError"):
        await store.commit(commit("t", 2, idempotency=KEY))
    with pytest.raises(StoreDownError, match="NotReplicatedError"):  # a repeated request does not confirm it either
        await store.load("t", b"key")
    await asyncio.to_thread(replica.start)
    await asyncio.to_thread(mortal_cluster.settled)
    assert (await once_served(lambda: store.load("t"), SOON)).snapshot == Snapshot(2, b"t at 2")
    assert (await store.load("t", b"key")).answer
    assert await store.commit(commit("t", 3)) == "committed"
    await store.close()
