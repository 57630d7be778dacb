"""The last deliveries of a subscription and its test notice are bounded, and are deleted with the subscription."""

import asyncio

import pytest

from services.engine.store import Store, keys
from services.engine.store.deliveries import KEPT
from tests.engine.store.commits import bring
from tests.engine.store.test_holdings import GROUP, MB, held, open_table
from tests.engine.store.test_notices import FIRST, SECOND, claim, subscribe, subscription

NOTICES = 2048
"""The number of bytes that subscribe.lua counts for a subscription's waiting notices and last deliveries."""


@pytest.fixture(autouse=True)
async def _subscribed(store: Store) -> None:
    await bring(store, "t", 1)
    await subscribe(store, FIRST)


async def names_of_subscriptions(store: Store) -> list[bytes]:
    all_names = [name async for names in store._backend.scan("*", 100) for name in names]
    return [name for name in all_names if b":deliveries:" in name or b":tests:" in name]


async def test_the_last_ten_deliveries_are_kept_newest_first(store: Store) -> None:
    for number in range(KEPT + 3):
        await store.deliveries.note("t", FIRST, b"%d" % number)

    assert await store.deliveries.last("t", FIRST) == [b"%d" % number for number in range(KEPT + 2, 2, -1)]
    assert await store.deliveries.last("t", SECOND) == []


async def test_they_expire_with_the_subscriptions(store: Store) -> None:
    await store.deliveries.note("t", FIRST, b"x")
    assert await store.deliveries.test("t", FIRST, b"test")

    names = keys.of("t")
    left = [
        int(await store._backend.call(("PTTL", name)))
        for name in (names.subscriptions, names.deliveries + FIRST, names.tests + FIRST)
    ]
    assert min(left) > 0
    assert max(left) - min(left) < 5_000


async def test_both_go_with_the_subscription_and_none_is_kept_without_one(store: Store) -> None:
    await store.deliveries.note("t", FIRST, b"x")
    await store.deliveries.test("t", FIRST, b"test")
    assert len(await names_of_subscriptions(store)) == 2

    await store.notices.unsubscribe("t", FIRST)
    await store.deliveries.note("t", FIRST, b"late")

    assert await store.deliveries.test("t", FIRST, b"test") is None
    assert await names_of_subscriptions(store) == []


async def test_one_test_notice_of_a_subscription_waits_at_a_time(store: Store, replica: Store) -> None:
    await subscribe(store, SECOND)
    calls = [store.deliveries.test("t", FIRST, b"test %d" % number) for number in range(5)]
    times = await asyncio.gather(*calls, replica.deliveries.test("t", FIRST, b"test"))
    await store.deliveries.test("t", SECOND, b"another")

    assert len(set(times)) == 1
    first, second = await claim(store)
    assert (first.subscription, first.at, second.subscription) == (FIRST, times[0], SECOND)
    assert await store.deliveries.test("t", FIRST, b"test") == times[0]
    await store.notices.remove(first)
    await asyncio.sleep(0.002)
    later = await store.deliveries.test("t", FIRST, b"test")
    assert later
    assert times[0]
    assert later > times[0]


async def test_another_type_of_value_hinders_neither(store: Store) -> None:
    names = keys.of("t")
    await store._backend.call(("SET", names.deliveries + FIRST, "x"))
    await store._backend.call(("RPUSH", names.tests + FIRST, "x"))

    await store.deliveries.note("t", FIRST, b"x")
    assert await store.deliveries.last("t", FIRST) == [b"x"]
    assert await store.deliveries.test("t", FIRST, b"test")


@pytest.mark.parametrize("redis_url", ["redis"], indirect=True)  # the embedded Redis has no MEMORY USAGE
async def test_the_account_of_the_table_s_client_counts_what_a_subscription_may_come_to(store: Store) -> None:
    store.holdings.most = MB
    await open_table(store, "u")
    await store.notices.subscribe("u", FIRST, subscription(), most=3, most_of_seat=2, opener=GROUP)
    await store.deliveries.test("u", FIRST, b"test" * 10)
    for _ in range(KEPT):
        await store.deliveries.note("u", FIRST, b"x" * 72)

    names = keys.of("u")
    kept = (names.subscriptions, names.deliveries + FIRST, names.tests + FIRST)
    bytes_kept = [int(await store._backend.call(("MEMORY", "USAGE", name))) for name in kept]
    assert await held(store, "u", ".s") >= sum(bytes_kept)
    assert sum(bytes_kept[1:]) < NOTICES - 512
