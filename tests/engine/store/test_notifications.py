import asyncio
from random import Random

from services.engine.store import Snapshot, Store, connect, keys
from tests.engine.store.commits import bring, commit
from tests.redis_server import RedisServer
from tests.waiting import until

AT_ONCE = 0.05
IN_TIME = 30.0


async def version_of(store: Store, table: str) -> int:
    snapshot = (await store.load(table)).snapshot
    return snapshot.version if snapshot else 0


async def channels(store: Store) -> object:
    return await store._backend.call(("PUBSUB", "CHANNELS", "locanda:*changed"))


async def test_a_subscriber_is_woken_by_a_commit(store: Store, replica: Store) -> None:
    async with store.subscribe("t") as changes:
        waiting = asyncio.create_task(changes.wait(IN_TIME))
        await version_of(replica, "t")
        assert not waiting.done()
        await replica.commit(commit("t", 1))
        assert await waiting


async def test_a_notification_brings_the_table_as_it_is_then(store: Store, replica: Store) -> None:
    brought: list[Snapshot] = []

    def take(snapshot: Snapshot) -> bool:
        brought.append(snapshot)
        return snapshot.version == 1

    async with store.subscribe("t", take) as changes:
        await replica.commit(commit("t", 1))
        assert not await changes.wait(AT_ONCE)
        await replica.commit(commit("t", 2))
        assert await changes.wait(IN_TIME)
    assert brought == [Snapshot(1, b"t at 1"), Snapshot(2, b"t at 2")]


async def test_a_notification_of_an_earlier_release_wakes_who_takes_snapshots(store: Store, replica: Store) -> None:
    async with store.subscribe("t", lambda _: True) as changes:
        await replica._backend.call(("PUBLISH", keys.of("t").changed, b""))
        assert await changes.wait(IN_TIME)


async def test_what_is_said_is_heard_by_all_and_wakes_nobody(store: Store, replica: Store) -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    async with store.subscribe("t", lambda _: False, heard.put_nowait) as changes:
        assert await replica.say("t", 0, b"hello", 60_000) == 0
        assert await heard.get() == b"hello"
        assert await store.say("t", 0, b"hello", 60_000) == 0
        assert 0 < await store.say("t", 0, b"again", 60_000) <= 60_000
        assert await store.say("t", 1, b"again", 60_000) == 0
        assert await heard.get() == b"again"
        assert not await changes.wait(AT_ONCE)


async def test_without_a_change_the_wait_ends_in_time(store: Store) -> None:
    async with store.subscribe("t") as changes:
        assert not await changes.wait(AT_ONCE)


async def test_another_tables_commit_wakes_nobody(store: Store) -> None:
    async with store.subscribe("t") as changes:
        await bring(store, "u", 3)
        assert not await changes.wait(AT_ONCE)


async def test_a_clash_wakes_nobody(store: Store) -> None:
    await bring(store, "t", 2)
    async with store.subscribe("t") as changes:
        await store.commit(commit("t", 2))
        assert not await changes.wait(AT_ONCE)


async def test_a_change_between_entering_and_waiting_is_not_missed(store: Store, replica: Store) -> None:
    async with store.subscribe("t") as changes:
        await replica.commit(commit("t", 1))
        assert await changes.wait(IN_TIME)
        assert not await changes.wait(AT_ONCE)


async def test_all_subscribers_of_a_table_are_woken(store: Store) -> None:
    async def wait() -> bool:
        async with store.subscribe("t") as changes:
            ready.release()
            return await changes.wait(IN_TIME)

    ready = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(wait()) for _ in range(50)]
    for _ in waiting:
        await ready.acquire()
    await store.commit(commit("t", 1))
    assert all(await asyncio.gather(*waiting))


async def test_a_subscriber_that_leaves_does_not_end_the_notifications_of_others(store: Store) -> None:
    async with store.subscribe("t") as changes:
        async with store.subscribe("t"):
            pass
        await store.commit(commit("t", 1))
        assert await changes.wait(IN_TIME)


async def test_no_channel_stays_subscribed_when_all_have_left(store: Store) -> None:
    async with store.subscribe("t"), store.subscribe("u"):
        assert len(list(await channels(store))) == 2  # type: ignore[call-overload]

    async def none_left() -> bool:
        return not await channels(store)

    await until(none_left)


async def test_no_change_is_missed_by_subscribers_that_come_and_go(store: Store, replica: Store) -> None:
    """Until the last version, each reader repeats: subscribe, read, wait for a newer version, unsubscribe."""
    last = 60

    async def follow(table: str, random: Random) -> None:
        seen = 0
        while seen < last:
            async with store.subscribe(table) as changes:
                while (version := await version_of(store, table)) <= seen:
                    assert await changes.wait(IN_TIME)
                seen = version
            await asyncio.sleep(random.choice([0, 0, 0.001, 0.003]))

    async def play(table: str, random: Random) -> None:
        for version in range(1, last + 1):
            await replica.commit(commit(table, version))
            await asyncio.sleep(random.choice([0, 0, 0.001, 0.005]))

    tables = ["t", "u", "v"]
    readers = [follow(table, Random(number)) for number in range(4) for table in tables]
    async with asyncio.timeout(30):
        await asyncio.gather(*readers, *(play(table, Random(table)) for table in tables))


async def test_a_change_while_redis_was_away_wakes_the_subscribers(mortal_redis: RedisServer) -> None:
    store = await connect(mortal_redis.url)
    replica = await connect(mortal_redis.url)
    async with store.subscribe("t") as changes:
        await asyncio.to_thread(mortal_redis.restart)
        await replica.commit(commit("t", 1))
        while not await version_of(store, "t"):
            assert await changes.wait(IN_TIME)
        assert await changes.wait(IN_TIME)
        await until(lambda: channels(replica))
        while await changes.wait(AT_ONCE):  # both the change and the new connection may wake the subscriber
            pass
        await replica.commit(commit("t", 2))
        assert await changes.wait(IN_TIME)
    await store.close()
    await replica.close()


async def test_a_subscriber_that_comes_while_redis_is_away_is_woken_once_it_is_back(mortal_redis: RedisServer) -> None:
    store = await connect(mortal_redis.url)
    await asyncio.to_thread(mortal_redis.kill)
    async with asyncio.timeout(IN_TIME), store.subscribe("t") as first, store.subscribe("u") as second:
        await asyncio.to_thread(mortal_redis.start)
        assert await first.wait(IN_TIME)
        assert await second.wait(IN_TIME)
    await store.close()
