"""The commit that causes a notice writes it for the recipients concerned. Only one process at a time can claim it."""

import asyncio
from typing import Any

import pytest

from services.engine.store import Store, keys
from services.engine.store.due import PAGE
from services.engine.store.notices import LEASE, LONGER, TURN, DueNotice, NoticeSubscription, news
from tests.engine.store.commits import bring, commit

ANNA, BRUNO = b"a" * 32, b"b" * 32
FIRST, SECOND = "1" * 22, "2" * 22


def subscription(seat: bytes = ANNA, kinds: str = "toc", *, whole: bool = False) -> NoticeSubscription:
    return NoticeSubscription(seat, whole, kinds, b"somewhere")


async def subscribe(store: Store, number: str, **options: Any) -> str:
    return await store.notices.subscribe("t", number, subscription(**options), most=3, most_of_seat=2)


def turn_of(seat: bytes, version: int) -> bytes:
    return news("t", seat, f"turn {version}".encode())


async def claimed(store: Store, ahead: int = 0) -> list[tuple[str, bytes]]:
    """Claim the notices that are due within some milliseconds. Return their recipients and contents."""
    return [(notice.subscription, notice.content) for notice in await claim(store, ahead)]


async def claim(store: Store, ahead: int = 0) -> list[DueNotice]:
    await store.verify()
    store.notices.look_again()
    due, _ = await store.notices.due(store.now() + 1000 + ahead)
    return sorted(await store.notices.claim(due, store.now() + 1000 + ahead), key=lambda notice: notice.member)


async def test_a_turn_is_a_notice_for_its_seat_and_for_who_asked_for_all_turns(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await subscribe(store, SECOND, seat=BRUNO, whole=True)

    await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2)))
    await store.commit(commit("t", 3, news=turn_of(BRUNO, 3)))

    notices = await claimed(store)
    assert notices == [(FIRST, b"turn 2"), (SECOND, b"turn 2"), (SECOND, b"turn 3")]
    assert await store.notices.subscription("t", FIRST) == (subscription(), 3)


async def test_the_end_of_a_match_is_a_notice_for_all_who_want_it(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await subscribe(store, SECOND, seat=BRUNO, kinds="tc")

    await store.commit(commit("t", 2, news=news("o", b"", b"over")))

    assert await claimed(store) == [(FIRST, b"over")]


async def test_a_commit_that_clashes_or_is_no_news_writes_no_notice(store: Store) -> None:
    await bring(store, "t", 2)
    await subscribe(store, FIRST)

    assert await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2))) == "clash"
    assert await store.commit(commit("t", 3)) == "committed"
    assert await store.commit(commit("t", 4, news=news("n", b"", b""))) == "committed"

    assert await claimed(store) == []
    assert await store.notices.subscription("t", FIRST) == (subscription(), 4)


async def test_a_table_without_subscriptions_has_no_keys_for_notices(store: Store) -> None:
    await bring(store, "t", 1, news=turn_of(ANNA, 1))
    await subscribe(store, FIRST)
    assert await store.notices.unsubscribe("t", FIRST)
    assert not await store.notices.unsubscribe("t", FIRST)
    await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2)))

    all_names = [name async for names in store._backend.scan("*", 100) for name in names]
    assert not [name for name in all_names if b"subscriptions" in name or b"notices" in name]


async def test_a_notice_is_claimed_by_one_process_until_its_lease_ends(store: Store, replica: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2)))

    claims = await asyncio.gather(*(claimed(one) for one in (store, replica) for _ in range(8)))
    assert sorted(claims, key=len)[:15] == [[]] * 15
    assert sorted(claims, key=len)[15] == [(FIRST, b"turn 2")]
    assert await claimed(replica, LEASE - 2000) == []
    (again,) = await claim(replica, LEASE + 1000)
    await replica.notices.postpone(again, store.now() + 60_000)
    assert await claimed(store, 58_000) == []
    assert await claimed(store, 61_000) == [(FIRST, b"turn 2")]
    await store.notices.remove(again)
    assert await claimed(store, 10 * LEASE) == []


async def test_a_postponed_notice_that_somebody_has_sent_does_not_come_back(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2)))
    (notice,) = await claim(store)

    await store.notices.remove(notice)
    await store.notices.postpone(notice, store.now())

    assert await claimed(store, 10 * LEASE) == []


async def test_a_table_and_a_seat_have_so_many_subscriptions_and_the_same_one_once(store: Store) -> None:
    assert await subscribe(store, FIRST) == "no_table"
    await bring(store, "t", 1, ttl=10_000)

    assert await subscribe(store, FIRST) == "stored"
    assert await subscribe(store, SECOND) == "stored"
    assert await subscribe(store, SECOND, kinds="o") == "stored"
    assert await subscribe(store, "3" * 22) == "seat_full"
    assert await subscribe(store, "3" * 22, seat=BRUNO) == "stored"
    assert await subscribe(store, "4" * 22, seat=BRUNO) == "table_full"
    assert (await store.notices.subscriptions("t"))[SECOND] == subscription(kinds="o")
    assert TURN not in await store.notices.subscriptions("t")


async def test_a_table_that_has_expired_is_closed_to_all_who_want_to_know_once(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await subscribe(store, SECOND, kinds="to")
    await store.commit(commit("t", 2, ttl=10))
    assert await claim(store) == []

    (notice,) = await claim(store, 10_000)
    await store.notices.look_at(notice.table, b"closed")
    assert await claim(store) == []  # the notice is kept, and is due again when the claim expires
    await store._backend.call(("DEL", _state("t")))
    await store.notices.look_at("t", b"closed")
    await store.notices.look_at("t", b"closed")

    assert await claimed(store) == [(FIRST, b"closed")]


async def test_a_table_that_is_closed_is_not_closed_again_when_it_expires(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    await store.commit(commit("t", 2, ttl=1, news=news("c", b"", b"closed")))
    (notice,) = await claim(store)
    await store.notices.remove(notice)

    assert await claim(store, 100_000) == []


async def test_a_table_that_an_operator_removes_is_closed_to_who_has_subscribed(store: Store) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)

    await store.remove("t")
    (notice,) = await claim(store)
    await store.notices.look_at(notice.table, b"closed")

    assert await claimed(store) == [(FIRST, b"closed")]
    left = await store._backend.call(("TTL", _state("t").replace(":table", ":subscriptions")))
    assert LONGER < left <= LONGER + 10_000


@pytest.mark.parametrize("name", ["subscriptions", "notices"])
async def test_a_value_of_another_type_in_the_place_of_notices_stops_no_commit(store: Store, name: str) -> None:
    await bring(store, "t", 1, ttl=10_000)
    await subscribe(store, FIRST)
    key = _state("t").replace(":t:table", ":t:subscriptions" if name == "subscriptions" else ":notices")
    await store._backend.call(("DEL", key))
    await store._backend.call(("RPUSH", key, "x"))

    assert await store.commit(commit("t", 2, ttl=10_000, news=turn_of(ANNA, 2))) == "committed"
    assert await subscribe(store, SECOND) == "stored"


def _state(table: str) -> str:
    return keys.of(table).state


async def test_what_is_due_is_seen_however_much_of_one_moment_waits_before_it(store: Store) -> None:
    key = keys.of("t").notices
    at_once = [f"{number:022}" for number in range(3 * PAGE)]
    for name in at_once:
        await store._backend.call(("ZADD", key, 1, name))
    await store._backend.call(("ZADD", key, 2, SECOND))
    await store.verify()
    seen: list[str] = []
    more = True
    while more:
        due, more = await store.notices.due(store.now())
        seen += [notice.table for notice in due]
    assert set(seen) == {*at_once, SECOND}
    assert await store.notices.due(store.now()) == ([], False)
    store.notices.look_again()
    assert (await store.notices.due(store.now()))[0]


async def test_a_value_of_another_type_in_the_place_of_notices_stops_no_look(store: Store) -> None:
    key = keys.of("t").notices
    await store._backend.call(("RPUSH", key, "x"))
    await store.verify()
    assert await store.notices.due(store.now()) == ([], False)
    await store._backend.call(("ZADD", key, 1, SECOND))
    store.notices.look_again()
    due, _ = await store.notices.due(store.now())
    assert [notice.table for notice in due] == [SECOND]


async def test_only_what_nobody_has_claimed_is_dropped(store: Store, replica: Store) -> None:
    key = keys.of("t").notices
    for name in (FIRST, SECOND):
        await store._backend.call(("ZADD", key, 1, name))
    await store.verify()
    due, _ = await store.notices.due(store.now())
    first = [notice for notice in due if notice.table == FIRST]
    assert await replica.notices.claim(first, store.now()) == first
    assert [notice.table for notice in await store.notices.drop(due, store.now())] == [SECOND]
    assert await store.notices.claim(due, store.now() + 2 * LEASE) == first
