import asyncio
from collections import Counter

import pytest
from msgspec import structs
from redis.crc import key_slot

from services.engine.store import Store, keys
from services.engine.store.store import HOLD, LEASE
from tests.engine.store.commits import bring, commit

NOW = 1_800_000_000_000


async def test_a_table_is_due_when_its_time_has_come(store: Store) -> None:
    await bring(store, "t", 1, wake=NOW)
    assert await store.due(NOW - 1, 64) == []
    assert await store.due(NOW, 64) == ["t"]


async def test_a_due_table_is_claimed_by_one_caller_until_its_lease_ends(store: Store, replica: Store) -> None:
    await bring(store, "t", 1, wake=NOW)
    assert await store.due(NOW, 64) == ["t"]
    assert await replica.due(NOW, 64) == []
    assert await store.due(NOW + LEASE - 1, 64) == []
    assert await replica.due(NOW + LEASE, 64) == ["t"]


async def test_replicas_that_claim_at_once_share_the_due_tables(store: Store, replica: Store) -> None:
    names = [f"table {number}" for number in range(200)]
    for name in names:
        await bring(store, name, 1, wake=NOW)
    claims = await asyncio.gather(*(one.due(NOW, 64) for one in (store, replica) for _ in range(8)))
    claims += [await store.due(NOW, 640)]
    assert Counter(name for claim in claims for name in claim) == Counter(names)


@pytest.mark.parametrize("limit", [1, 5, 16, 50])
async def test_no_more_are_claimed_than_asked_for_and_all_in_the_end(store: Store, limit: int) -> None:
    names = {f"table {number}" for number in range(100)}
    for name in names:
        await bring(store, name, 1, wake=NOW)
    seen: set[str] = set()
    for _ in range(2000):
        claim = await store.due(NOW, limit)
        assert len(claim) <= limit
        seen.update(claim)
        if seen == names:
            return
    raise AssertionError(names - seen)


async def test_each_commit_sets_the_time_anew(store: Store) -> None:
    await bring(store, "t", 1, wake=NOW)
    await store.commit(commit("t", 2, wake=NOW + 10))
    assert await store.due(NOW + 9, 64) == []
    await store.commit(commit("t", 3, wake=NOW + 5))
    assert await store.due(NOW + 5, 64) == ["t"]
    await store.commit(commit("t", 4, wake=NOW + 6))
    assert await store.due(NOW + 6, 64) == ["t"]
    await store.commit(commit("t", 5, wake=None))
    assert await store.due(NOW + 10 * LEASE, 64) == []


async def test_a_commit_that_clashes_moves_no_deadline(store: Store) -> None:
    await bring(store, "t", 2, wake=NOW)
    assert await store.commit(commit("t", 2, wake=NOW + 60_000)) == "clash"
    assert await store.commit(commit("t", 2, wake=None)) == "clash"
    assert await store.due(NOW, 64) == ["t"]


async def test_a_time_that_held_for_an_older_version_is_not_set(store: Store) -> None:
    await bring(store, "t", 2, wake=NOW)
    await store.schedule("t", NOW + 60_000, 1)
    await store.schedule("t", None, 1)
    assert await store.due(NOW, 64) == ["t"]
    await store.schedule("t", NOW + 10, 2)
    assert await store.due(NOW + 10, 64) == ["t"]


async def test_a_time_can_be_set_and_removed(store: Store) -> None:
    await store.schedule("t", NOW)
    assert await store.due(NOW, 64) == ["t"]
    await store.schedule("t", None)
    assert await store.due(NOW + 10 * LEASE, 64) == []


@pytest.mark.slow
async def test_every_scheduled_table_is_found_once(store: Store) -> None:
    names = [f"table {number}" for number in range(3000)]
    await asyncio.gather(*(store.schedule(name, NOW) for name in names))
    assert Counter([name async for name in store.scheduled()]) == Counter(names)


async def test_the_first_heartbeat_returns_no_outage(store: Store) -> None:
    assert await store.record_heartbeat(NOW) == 0


async def test_a_heartbeat_returns_the_time_since_the_last_one_of_any_clock(store: Store, replica: Store) -> None:
    await store.record_heartbeat(NOW)
    assert await replica.record_heartbeat(NOW + 200) == 200
    assert await store.record_heartbeat(NOW + 500) == 300


async def test_a_clock_that_is_behind_returns_no_outage(store: Store, replica: Store) -> None:
    await store.record_heartbeat(NOW)
    assert await replica.record_heartbeat(NOW - 60_000) == 0
    assert await store.record_heartbeat(NOW + 100) == 100


async def test_an_outage_is_returned_to_one_clock(store: Store, replica: Store) -> None:
    await store.record_heartbeat(NOW)
    gaps = await asyncio.gather(*(one.record_heartbeat(NOW + 60_000) for one in (store, replica) for _ in range(5)))
    assert sorted(gaps) == [0] * 9 + [60_000]


async def test_while_a_clock_makes_up_for_an_outage_nothing_is_due_for_the_others(store: Store, replica: Store) -> None:
    await bring(store, "t", 1, wake=NOW)
    await store.record_heartbeat(NOW)
    assert await store.record_heartbeat(NOW + 60_000) == 60_000
    assert await replica.record_heartbeat(NOW + 60_001) == 1
    assert await replica.due(NOW + 60_001, 64) == []
    await store.settle()
    await replica.record_heartbeat(NOW + 60_002)
    assert await replica.due(NOW + 60_002, 64) == ["t"]


async def test_a_clock_that_takes_long_to_make_up_for_an_outage_holds_the_others_while_its_heartbeats_come(
    store: Store, replica: Store
) -> None:
    await store.record_heartbeat(NOW)
    await store.record_heartbeat(now := NOW + 60_000)
    for _ in range(5):
        now += HOLD - 1000
        for step in range(1000, HOLD, 1000):
            await replica.record_heartbeat(now - HOLD + step)
        await store.record_heartbeat(now)
    await bring(store, "t", 1, wake=NOW)
    await replica.record_heartbeat(now)
    assert await replica.due(now, 64) == []


async def test_when_the_clock_that_makes_up_for_an_outage_dies_another_one_gets_it(
    store: Store, replica: Store
) -> None:
    await store.record_heartbeat(NOW)
    assert await store.record_heartbeat(NOW + 60_000) == 60_000
    gaps = [await replica.record_heartbeat(NOW + 60_000 + after) for after in range(0, HOLD + 1000, 1000)]
    assert [gap for gap in gaps if gap > 5000] == [60_000]
    await bring(store, "t", 1, wake=NOW)
    assert await replica.due(NOW + 60_000 + HOLD, 64) == ["t"]


async def test_a_clock_that_was_replaced_does_not_settle_for_the_other(store: Store, replica: Store) -> None:
    await store.record_heartbeat(NOW)
    assert await store.record_heartbeat(NOW + 60_000) == 60_000
    assert await replica.record_heartbeat(NOW + 120_000) == 60_000
    await store.settle()
    await bring(store, "t", 1, wake=NOW)
    await store.record_heartbeat(NOW + 120_001)
    assert await store.due(NOW + 120_001, 64) == []


async def test_a_repeated_heartbeat_whose_reply_was_lost_returns_the_outage_again(store: Store, replica: Store) -> None:
    await store.record_heartbeat(NOW)
    heartbeats = store._heartbeats
    assert await store.record_heartbeat(NOW + 60_000) == 60_000
    store._heartbeats = heartbeats
    assert await replica.record_heartbeat(NOW + 60_100) == 100
    assert await store.record_heartbeat(NOW + 60_200) == 60_000
    assert await store.record_heartbeat(NOW + 60_300) == 100


def test_the_buckets_are_spread_evenly_over_the_slots_of_a_cluster() -> None:
    assert [key_slot(tag.encode()) * len(keys.TAGS) // 16_384 for tag in keys.TAGS] == list(range(16))


def test_tables_are_spread_evenly_over_the_buckets() -> None:
    counts = Counter(keys.tag_of(f"table {number}") for number in range(16_000))
    assert counts.keys() == set(keys.TAGS)
    assert max(counts.values()) < 1200


def test_all_keys_of_a_script_are_in_one_slot() -> None:
    for number in range(100):
        table = f"table {number}"
        slot = key_slot(keys.tag_of(table).encode())
        assert {key_slot(name.encode()) for name in structs.astuple(keys.of(table))} == {slot}
