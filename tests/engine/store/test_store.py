import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.store import (
    Commit,
    EncodedLogEntry,
    IdempotencyRecord,
    LoadedTable,
    Snapshot,
    Store,
    StoredAnswer,
    keys,
    scripts,
)
from services.engine.store.records import NONCE, apply_deltas, delta
from services.engine.store.store import _commit_call
from tests.engine.store.commits import bring, commit
from tests.waiting import until

EVENTS_KEPT = 32
KEY = IdempotencyRecord(b"key", b"fingerprint", b"note")
ANSWER = StoredAnswer(b"fingerprint", b"note", Snapshot(1, b"t at 1"))
OTHER = IdempotencyRecord(b"key", b"another request")


def snapshots(table: str, *versions: int) -> list[Snapshot]:
    return [Snapshot(version, f"{table} at {version}".encode()) for version in versions]


async def version_of(store: Store, table: str) -> int:
    snapshot = (await store.load(table)).snapshot
    return snapshot.version if snapshot else 0


async def test_an_unknown_table_is_nothing(store: Store) -> None:
    assert await store.load("nowhere", b"key") == LoadedTable(None, None)
    assert await store.events("nowhere", None) == (None, [])
    assert await store.log("nowhere", 1, 1) == []


async def test_what_was_committed_is_read_back(store: Store) -> None:
    data = bytes(range(256))
    assert await store.commit(commit("t", 1, data=data)) == "committed"
    assert await store.load("t") == LoadedTable(Snapshot(1, data), None)


async def test_a_table_can_reach_a_very_high_version(store: Store) -> None:
    high = 2**40
    await store.commit(commit("t", high, expected=0))
    assert await store.commit(commit("t", high + 1)) == "committed"
    assert await version_of(store, "t") == high + 1
    assert await store.events("t", high) == (*snapshots("t", high + 1), snapshots("t", high + 1))


@pytest.mark.parametrize("version", [1, 2, 4])
async def test_a_commit_on_another_version_than_the_one_there_changes_nothing(store: Store, version: int) -> None:
    await bring(store, "t", 2, wake=500, listing="open")
    late = commit("t", version, expected=version - 1, wake=9, log=[EncodedLogEntry(1, 1, b"x")], idempotency=KEY)
    assert await store.commit(late) == "clash"
    assert await store.load("t", b"key") == LoadedTable(Snapshot(2, b"t at 2"), None)
    assert await store.events("t", None) == (Snapshot(2, b"t at 2"), snapshots("t", 1, 2))
    assert await store.log("t", 1, 1) == []
    assert await store.listings["open"].page(None, 10) == (["t"], None)
    assert await store.due(499, 64) == []


async def test_of_many_commits_at_once_on_two_replicas_each_version_is_taken_by_one(
    store: Store, replica: Store
) -> None:
    for version in range(1, 6):
        racing = [
            (store, replica)[number % 2].commit(commit("t", version, log=[EncodedLogEntry(1, 1, b"%d" % number)]))
            for number in range(20)
        ]
        outcomes = await asyncio.gather(*racing)
        assert sorted(map(str, outcomes)) == ["clash"] * 19 + ["committed"]
        won = b"%d" % outcomes.index("committed")
        assert (await store.log("t", 1, 1))[version - 1 :] == [won]


async def test_of_two_equal_commits_one_counts(store: Store, replica: Store) -> None:
    outcomes = await asyncio.gather(store.commit(commit("t", 1)), replica.commit(commit("t", 1)))
    assert sorted(map(str, outcomes)) == ["clash", "committed"]


@pytest.mark.parametrize("since", [0, 1, EVENTS_KEPT - 1])
async def test_a_repeated_commit_is_recognized_though_others_came_after_it(store: Store, since: int) -> None:
    call = commit("t", 1, log=[EncodedLogEntry(1, 1, b"x")], idempotency=KEY)
    names, arguments = _commit_call(call, keys.of("t"), bytes(NONCE), 0, store.holdings)
    assert await store._backend.run(scripts.WEIGHED_COMMIT, names, arguments) == 1
    for version in range(2, 2 + since):
        await store.commit(commit("t", version))
    assert await store._backend.run(scripts.WEIGHED_COMMIT, names, arguments) == 1
    assert await version_of(store, "t") == 1 + since
    assert await store.log("t", 1, 1) == [b"x"]


async def test_a_commit_that_forgets_leaves_nothing_of_the_snapshots_before_it(store: Store) -> None:
    await bring(store, "t", 5)
    repeated = _commit_call(commit("t", 6), keys.of("t"), bytes(NONCE), 0, store.holdings)
    assert await store._backend.run(scripts.WEIGHED_COMMIT, *repeated) == 1
    assert await store.commit(commit("t", 7, forget=True)) == "committed"
    assert await store.commit(commit("t", 8)) == "committed"
    assert (await store.events("t", None))[1] == snapshots("t", 7, 8)
    past = await store._backend.call(("LRANGE", keys.of("t").events, 0, -1))
    assert [len(event) for event in past[1:]] == [8 + NONCE] * 7
    assert await store._backend.run(scripts.WEIGHED_COMMIT, *repeated) == 1
    assert await version_of(store, "t") == 8


async def test_an_answered_key_gets_the_first_answer_and_changes_nothing(store: Store, replica: Store) -> None:
    await store.commit(commit("t", 1, idempotency=KEY))
    for version in (1, 2, 3):
        assert await replica.commit(commit("t", version, idempotency=OTHER)) == ANSWER
    assert await store.load("t", b"key") == LoadedTable(Snapshot(1, b"t at 1"), ANSWER)


async def test_of_each_caller_the_last_answers_are_kept(store: Store) -> None:
    """A caller that sends many writes with new keys cannot fill the memory, nor displace other callers' replies."""

    def written(version: int, key: str, caller: bytes) -> Commit:
        return commit("t", version, idempotency=IdempotencyRecord(key.encode(), b"request", caller=caller))

    await store.commit(written(1, "another's", b"another"))
    for version in range(2, 42):
        await store.commit(written(version, f"key {version}", b"seat"))
    kept = [version for version in range(2, 42) if (await store.load("t", b"key %d" % version)).answer]
    assert kept == [*range(26, 42)]
    assert (await store.load("t", b"another's")).answer


async def test_a_key_counts_for_its_table_alone(store: Store) -> None:
    await store.commit(commit("t", 1, idempotency=KEY))
    assert await store.commit(commit("u", 1, idempotency=OTHER)) == "committed"
    assert (await store.load("t", b"key")).answer == ANSWER
    assert (await store.load("u", b"key")).answer == StoredAnswer(b"another request", b"", Snapshot(1, b"u at 1"))
    assert (await store.load("u", b"other key")).answer is None


async def test_events_come_after_a_version_and_in_order(store: Store) -> None:
    await bring(store, "t", 5)
    now = Snapshot(5, b"t at 5")
    assert await store.events("t", 2) == (now, snapshots("t", 3, 4, 5))
    assert await store.events("t", 4) == (now, [now])
    assert await store.events("t", 5) == (now, [])
    assert await store.events("t", 6) == (now, [])


async def test_only_the_last_events_are_kept_without_a_gap(store: Store) -> None:
    await bring(store, "t", EVENTS_KEPT + 5)
    last = snapshots("t", *range(5, EVENTS_KEPT + 6))
    assert await store.events("t", None) == (last[-1], last)
    assert await store.events("t", 2) == (last[-1], last)
    assert await store.events("t", 6) == (last[-1], last[2:])


@given(st.lists(st.binary(min_size=1, max_size=4000), min_size=2, max_size=5))
def test_every_snapshot_is_restored_from_the_one_after_it_and_its_delta(data: list[bytes]) -> None:
    ways = [delta(later, earlier) for earlier, later in itertools.pairwise(data)]
    events = [version.to_bytes(8, "big") + bytes(NONCE) + way for version, way in enumerate(ways, 2)]
    snapshots = [Snapshot(version, content) for version, content in enumerate(data, 1)]
    for after in range(len(data) + 1):
        assert apply_deltas(snapshots[-1], events[::-1], after) == snapshots[after:]


async def test_each_deal_has_its_own_log(store: Store) -> None:
    await store.commit(
        commit("t", 1, log=[EncodedLogEntry(1, 1, b"a"), EncodedLogEntry(1, 1, b"b"), EncodedLogEntry(1, 2, b"c")])
    )
    await store.commit(commit("t", 2, log=[EncodedLogEntry(1, 2, b"d"), EncodedLogEntry(2, 1, b"e")]))
    assert await store.log("t", 1, 1) == [b"a", b"b"]
    assert await store.log("t", 1, 2) == [b"c", b"d"]
    assert await store.log("t", 2, 1) == [b"e"]
    assert await store.log("t", 2, 2) == []


async def test_every_commit_renews_the_expiry_of_all_keys_of_its_table(store: Store) -> None:
    await store.commit(commit("t", 1, ttl=50, log=[EncodedLogEntry(1, 1, b"x")]))
    await store.commit(commit("t", 2, ttl=9000))
    names = keys.of("t")
    for name in (names.state, names.events, names.log):
        assert 8990 <= int(str(await store._backend.call(("TTL", name)))) <= 9000


async def test_all_keys_of_a_table_expire_together(store: Store) -> None:
    await store.commit(commit("t", 1, log=[EncodedLogEntry(1, 1, b"x")], ttl=100))
    await store.commit(commit("t", 2, ttl=1))

    async def expired() -> bool:
        return await store.load("t") == LoadedTable(None, None)

    await until(expired)
    assert await store.events("t", None) == (None, [])
    assert await store.log("t", 1, 1) == []


@pytest.mark.parametrize(("seconds", "ttl", "kept"), [(600, 9000, 600), (9000, 600, 600)])
async def test_an_answer_is_stored_for_its_own_time_and_no_longer_than_its_table(
    store: Store, seconds: int, ttl: int, kept: int
) -> None:
    key = IdempotencyRecord(b"key", b"fingerprint", seconds=seconds)
    await store.commit(commit("t", 1, ttl=ttl, idempotency=key))
    for name in (keys.of("t").answers + b"key".hex(), keys.of("t").answered):
        assert kept - 10 <= int(str(await store._backend.call(("TTL", name)))) <= kept


@pytest.mark.slow
async def test_a_cancelled_call_is_cancelled_wherever_it_was(store: Store) -> None:
    async def commit_for_ever() -> None:
        for version in itertools.count(1):
            await store.commit(commit(name, version))

    for steps in range(60):
        name = f"table {steps}"
        task = asyncio.create_task(commit_for_ever())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=30)
        assert task.cancelled()
        reached = await version_of(store, name)
        _, remembered = await store.events(name, None)
        assert [snapshot.version for snapshot in remembered[-1:]] == ([reached] if reached else [])


async def test_a_table_is_remembered_until_another_process_writes_it(store: Store, replica: Store) -> None:
    await store.verify()
    assert store.remembered("t") is None
    await bring(store, "t", 2)
    known = store.remembered("t")
    assert known is not None
    assert known == (await store.load("t")).snapshot
    assert await replica.commit(commit("t", 3)) == "committed"
    assert store.remembered("t") == known
    assert await store.commit(commit("t", 3)) == "clash"
    assert store.remembered("t") is None
    await store.load("t")
    assert store.remembered("t") is None
