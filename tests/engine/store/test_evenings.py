"""How long an evening, its subscriptions and its notices are kept."""

from typing import Any

import pytest

from services.engine.store import Store, keys
from services.engine.store.evenings import EveningOwner
from services.engine.store.notices import NoticeSubscription, news
from tests.engine.store.commits import bring, commit

DAY, HOUR = 86_400, 3600
OWNER = EveningOwner(b"o" * 32, b"gg")
SUBSCRIBED = NoticeSubscription(b"a" * 32, False, "ie", b"somewhere")
FIRST = "1" * 22


async def subscribe(store: Store, number: str = FIRST, **options: Any) -> None:
    await store.notices.subscribe("t", number, SUBSCRIBED, most=40, most_of_seat=40)
    await store.evenings.subscribe("t", number, SUBSCRIBED, **options)


async def set_evening(store: Store, days: float) -> None:
    at = store.now() + round(days * DAY * 1000)
    notices = [("i", at - DAY * 1000, b"invitation %d" % at), ("e", at - 1_800_000, b"near %d" % at)]
    await store.evenings.set("t", OWNER, b"%d ramino" % at, notices)  # type: ignore[arg-type]


async def call_off(store: Store) -> None:
    await store.evenings.set("t", OWNER, b"", [])


async def kept_seconds(store: Store) -> float:
    left: int = await store._backend.call(("PTTL", keys.of("t").evening))
    return left / 1000


async def waiting(store: Store) -> list[bytes]:
    members: list[bytes] = await store._backend.call(("ZRANGE", keys.of("t").notices, 0, -1))
    return [member for member in members if member != b"t"]


@pytest.fixture(autouse=True)
async def _table(store: Store) -> None:
    await store.verify()
    await bring(store, "t", 1, ttl=6 * HOUR)


async def test_who_has_subscribed_before_a_match_is_kept_as_long_as_the_table(store: Store) -> None:
    await subscribe(store)
    assert await kept_seconds(store) == pytest.approx(6 * HOUR, abs=60)
    await store.commit(commit("t", 2, ttl=14 * DAY))
    assert await kept_seconds(store) == pytest.approx(14 * DAY, abs=60)


async def test_after_a_match_they_are_kept_for_35_days_and_subscribing_again_makes_it_no_longer(store: Store) -> None:
    await subscribe(store)
    await store.commit(commit("t", 2, ttl=3 * DAY, news=news("o", b"", b"over")))
    assert await kept_seconds(store) == pytest.approx(35 * DAY, abs=60)
    over = store.now() - 20 * DAY * 1000
    await store._backend.call(("HSET", keys.of("t").evening, "over", over))
    await subscribe(store, played=True)
    assert await kept_seconds(store) == pytest.approx(15 * DAY, abs=60)


async def test_an_evening_is_kept_for_a_day_after_it_and_once_called_off_no_longer_than_the_table(store: Store) -> None:
    await subscribe(store)
    await set_evening(store, 7)
    assert await kept_seconds(store) == pytest.approx(8 * DAY, abs=60)
    await call_off(store)
    assert await kept_seconds(store) == pytest.approx(6 * HOUR, abs=60)


async def test_setting_an_evening_removes_the_notices_of_the_one_before(store: Store) -> None:
    for number in range(40):
        await subscribe(store, f"{number:022}")
    for days in range(3, 13):
        await set_evening(store, days)
    assert len(await waiting(store)) == 80
    await call_off(store)
    assert await waiting(store) == []


async def test_who_ends_a_subscription_takes_its_notices_along(store: Store) -> None:
    for number in range(2):
        await subscribe(store, f"{number:022}")
    await set_evening(store, 5)
    await store.evenings.unsubscribe("t", f"{0:022}")
    assert {member[:22] for member in await waiting(store)} == {b"%022d" % 1}


async def test_everything_of_an_evening_is_gone_when_everybody_has_left(store: Store) -> None:
    store.holdings.most = 1 << 24
    await subscribe(store, opener=b"gg")
    await set_evening(store, 5)
    await store.commit(commit("t", 2, opener=b"gg", deserted=True))
    assert await waiting(store) == []
    assert await store.evenings.owner("t") is None
    account, field = store.holdings.place("t", b"gg", ".e")
    assert await store._backend.call(("HEXISTS", account, field)) == 0


async def test_an_evening_counts_for_the_client_who_opened_the_table_though_that_is_gone(store: Store) -> None:
    store.holdings.most = 1 << 24
    await subscribe(store, opener=b"gg")
    await store._backend.call(("DEL", keys.of("t").state))
    await set_evening(store, 5)
    owner = await store.evenings.owner("t")
    assert owner == OWNER
    account, field = store.holdings.place("t", b"gg", ".e")
    held, till = (await store._backend.call(("HGET", account, field))).split()
    assert int(held) > 500
    assert int(till) == pytest.approx(store.now() / 1000 + 6 * DAY, abs=60)
