"""A client's data in Redis is counted at each change. Above a limit, the client can begin nothing new."""

from typing import Any

import pytest

from services.engine.store import EncodedLogEntry, IdempotencyRecord, Store, keys
from services.engine.store.holdings import PLAYED, NoRoomError
from tests.engine.store.commits import bring, commit

GROUP, OTHER = b"gg", b"oo"
MB = 1 << 20


@pytest.fixture(autouse=True)
def _counted(store: Store) -> None:
    store.holdings.most = MB


def line(match: int, deal: int, content: bytes = b"x" * 50) -> EncodedLogEntry:
    return EncodedLogEntry(match, deal, content)


async def open_table(store: Store, table: str, **options: Any) -> None:
    await bring(store, table, 1, **({"opener": GROUP, "weighed": True} | options))


async def held(store: Store, table: str, part: str = "") -> int:
    account, field = store.holdings.place(table, GROUP, part)
    stored = await store._backend.call(("HGET", account, field))
    return int(stored.split()[0]) if stored else 0


async def test_a_client_who_holds_as_much_as_they_may_opens_nothing_more_until_something_expires(
    store: Store, replica: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    replica.holdings.most = MB
    for number in range(31):
        await open_table(store, f"t{number}", weighed=True, least_bytes=PLAYED, ttl=100 if number else 30)
    await replica.holdings.admit(GROUP, 0)
    await replica.holdings.admit(OTHER, PLAYED)
    with pytest.raises(NoRoomError) as refused:
        await replica.holdings.admit(GROUP, PLAYED)
    assert 1 <= (refused.value.retry_after or 0) <= 31
    monkeypatch.setattr("services.engine.store.holdings.KEPT_SECONDS", -1.0)
    account, field = store.holdings.place("t0", GROUP, "")
    await store._backend.call(("HSET", account, field, f"{PLAYED} 1"))
    await store.holdings.admit(GROUP, PLAYED // 2)
    assert await held(store, "t0") == 0


async def test_what_is_admitted_counts_before_it_is_there(store: Store) -> None:
    for _ in range(MB // PLAYED):
        await store.holdings.admit(GROUP, PLAYED)
    with pytest.raises(NoRoomError):
        await store.holdings.admit(GROUP, 1)


async def test_without_a_limit_nothing_is_counted(store: Store) -> None:
    store.holdings.most = 0
    await open_table(store, "t")
    await store.holdings.admit(GROUP, 10 * MB)
    assert not [name async for names in store._backend.scan("*:held:*", 100) for name in names]


async def test_a_table_that_is_played_counts_as_what_it_may_come_to(store: Store) -> None:
    await open_table(store, "t")
    assert 0 < await held(store, "t") < 2000
    await store.commit(commit("t", 2, opener=GROUP, weighed=True, least_bytes=PLAYED))
    assert PLAYED <= await held(store, "t") < PLAYED + 1000
    await store.commit(commit("t", 3, opener=GROUP))
    assert await held(store, "t") < 3000


async def test_a_long_log_keeps_the_last_deals_whole(store: Store) -> None:
    await open_table(store, "t")
    version = 1
    for match in range(1, 100):
        version += 1
        lines = [line(match, deal) for deal in (1, 2) for _ in range(40)]
        await store.commit(commit("t", version, opener=GROUP, log=lines))
    assert await store.log("t", 1, 1) == []
    assert len(await store.log("t", 99, 1)) == len(await store.log("t", 99, 2)) == 40
    lengths = {len(await store.log("t", match, deal)) for match in range(1, 100) for deal in (1, 2)}
    assert lengths == {0, 40}


async def test_whose_client_holds_much_keeps_the_last_deal_and_few_answers(store: Store) -> None:
    store.holdings.most = 64 * 1024
    await open_table(store, "t")
    for version in range(2, 12):
        key = IdempotencyRecord(b"key %d" % version, b"f" * 32, caller=b"seat")
        lines = [line(1, version) for _ in range(60)]
        await store.commit(commit("t", version, opener=GROUP, log=lines, idempotency=key))
    assert [len(await store.log("t", 1, deal)) for deal in (2, 11)] == [0, 60]
    answered = [version for version in range(2, 12) if (await store.load("t", b"key %d" % version)).answer]
    assert answered == [10, 11]
    assert await held(store, "t") < 16_000


async def test_a_table_keeps_the_answers_of_so_many_seats_and_of_all_who_have_none(store: Store) -> None:
    waiting = IdempotencyRecord(b"waiting", b"f" * 32, caller=b"gg", seated=False)
    await open_table(store, "t", idempotency=waiting)
    for version in range(2, 40):
        key = IdempotencyRecord(b"key %d" % version, b"f" * 32, caller=b"seat %d" % version)
        await store.commit(commit("t", version, opener=GROUP, idempotency=key))
    answered = [version for version in range(2, 40) if (await store.load("t", b"key %d" % version)).answer]
    assert answered == [*range(28, 40)]
    assert (await store.load("t", b"waiting")).answer


async def test_a_transition_that_keeps_the_time_to_live_makes_it_no_shorter(store: Store) -> None:
    await open_table(store, "t", ttl=9000)
    await store.commit(commit("t", 2, ttl=50, least=True))
    assert await store._backend.call(("TTL", keys.of("t").state)) > 8000
    await store.commit(commit("t", 3, ttl=9500, least=True))
    assert await store._backend.call(("TTL", keys.of("t").state)) > 9000


async def test_the_log_of_a_deal_is_read_from_a_line_on(store: Store) -> None:
    lines = [line(1, deal, b"%d %d" % (deal, number)) for deal in (1, 2, 3) for number in range(deal)]
    await bring(store, "t", 1, log=lines)
    assert await store.log("t", 1, 3, 1) == [b"3 1", b"3 2"]
    assert await store.log("t", 1, 3, 3) == []
    assert await store.log("t", 1, 2) == [b"2 0", b"2 1"]


@pytest.mark.parametrize("name", ["log", "callers", "account", "evening"])
async def test_a_value_of_another_type_in_the_place_of_what_is_counted_stops_no_commit(store: Store, name: str) -> None:
    await open_table(store, "t")
    key = store.holdings.place("t", GROUP, "")[0] if name == "account" else getattr(keys.of("t"), name)
    await store._backend.call(("DEL", key))
    await store._backend.call(("SET", key, "x"))
    answered = IdempotencyRecord(b"key", b"f" * 32, caller=b"seat")
    changes = {"opener": GROUP, "weighed": True, "deserted": True, "idempotency": answered}
    assert await store.commit(commit("t", 2, **changes)) == "committed"
    await store.holdings.admit(GROUP, 1)
