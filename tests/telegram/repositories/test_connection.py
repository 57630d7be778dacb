"""The leader's cache of its Redis: never older than its own writes, and empty once it no longer leads."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.repositories import keys
from services.telegram.repositories.connection import connect
from services.telegram.repositories.remembered import NotLeadingError, RememberedRedis
from tests.redis_server import RedisServer

KEY, OTHERS, SET = keys.tokens("Ab3-Ef_8"), keys.DELIVERIES, keys.tables_of(11)


class Counting:
    """A Redis that counts commands, and fails the commands that a test names."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.asked: list[str] = []
        self.failing = ""
        self.loading = asyncio.Event()
        self.loading.set()

    def __getattr__(self, name: str) -> Any:
        command = getattr(self._redis, name)

        async def counted(*arguments: Any, **options: Any) -> Any:
            self.asked.append(name)
            result = await command(*arguments, **options)
            if name == self.failing:
                raise RedisConnectionError("the answer was lost")
            if name == "hgetall":
                await self.loading.wait()
            return result

        return counted


@pytest.fixture
async def counting() -> AsyncIterator[Counting]:
    redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    yield Counting(redis)
    await redis.aclose()


def remembered(counting: Counting) -> RememberedRedis:
    return RememberedRedis(cast("Redis", counting))


async def test_a_hash_is_read_once_and_shows_what_was_written(counting: Counting) -> None:
    redis = remembered(counting)
    await redis.hset(KEY, {"11": "one", "12": "two"})
    assert await redis.hgetall(KEY) == {"11": "one", "12": "two"}
    await redis.hset(KEY, {"11": "three"})
    await redis.hdel(KEY, "12")
    await redis.hsetnx(KEY, "13", "four")
    await redis.hsetnx(KEY, "13", "five")
    assert await redis.hgetall(KEY) == {"11": "three", "13": "four"} == await counting.hgetall(KEY)
    assert await redis.hget(KEY, "14") is None
    assert counting.asked.count("hgetall") == 2  # the second call is this test's own
    await redis.delete(KEY)
    assert await redis.hgetall(KEY) == {} == await counting.hgetall(KEY)


async def test_a_set_is_read_once_and_shows_what_was_written(counting: Counting) -> None:
    redis = remembered(counting)
    await redis.sadd(SET, "A")
    assert await redis.smembers(SET) == {"A"}
    await redis.sadd(SET, "B")
    await redis.srem(SET, "A")
    assert await redis.smembers(SET) == {"B"} == await counting.smembers(SET)
    assert counting.asked.count("smembers") == 2


async def test_what_is_written_during_a_reading_is_in_what_is_remembered(counting: Counting) -> None:
    redis = remembered(counting)
    counting.loading.clear()
    reading = asyncio.create_task(redis.hgetall(KEY))
    await asyncio.sleep(0)
    writing = asyncio.create_task(redis.hset(KEY, {"11": "one"}))
    await asyncio.sleep(0)
    counting.loading.set()
    await asyncio.gather(reading, writing)
    assert await redis.hgetall(KEY) == {"11": "one"}


async def test_after_a_write_whose_answer_was_lost_the_key_is_read_again(counting: Counting) -> None:
    redis = remembered(counting)
    assert await redis.hgetall(KEY) == {}
    counting.failing = "hset"
    with pytest.raises(RedisConnectionError):
        await redis.hset(KEY, {"11": "one"})
    assert await redis.hgetall(KEY) == {"11": "one"}


async def test_a_write_that_changes_nothing_is_spared(counting: Counting) -> None:
    redis = remembered(counting)
    await redis.hset(KEY, {"11": "one"})
    await redis.hgetall(KEY)
    await redis.hset(KEY, {"11": "one"})
    await redis.hdel(KEY, "12")
    assert counting.asked == ["hset", "hgetall"]


async def test_what_is_not_the_leaders_alone_is_read_each_time(counting: Counting) -> None:
    redis = remembered(counting)
    assert await redis.hgetall(OTHERS) == {}
    await counting.hset(OTHERS, mapping={"a": "b"})
    assert await redis.hgetall(OTHERS) == {"a": "b"}
    assert await redis.hget(OTHERS, "a") == "b"


async def test_nothing_is_read_or_written_once_the_process_may_not_lead_any_more(counting: Counting) -> None:
    leads = True
    redis = RememberedRedis(cast("Redis", counting), lambda: leads)
    assert await redis.hgetall(KEY) == {}
    leads = False
    commands_before = len(counting.asked)
    for command in (redis.hgetall(KEY), redis.hset(KEY, {"1": "a"}), redis.delete(KEY), redis.zadd("bot:live", {})):
        with pytest.raises(NotLeadingError):
            await command
    assert len(counting.asked) == commands_before


def test_every_key_of_a_table_but_one_that_expires_is_remembered() -> None:
    of_a_table = {key("Ab3-Ef_8") for key in keys.OF_A_TABLE}
    assert {key for key in of_a_table if not keys.is_remembered(key)} == {keys.nudged("Ab3-Ef_8")}
    assert not keys.is_remembered(keys.leaderboard(-500))  # a script writes this key
    assert keys.is_remembered(keys.chat(-500))


async def test_a_command_that_waits_holds_up_no_other_and_a_lost_connection_is_made_again(
    redis_server: RedisServer,
) -> None:
    client = connect(redis_server.url)
    redis = RememberedRedis(client)
    waiting = asyncio.ensure_future(redis.blpop([keys.ARRIVALS], timeout=2))
    await asyncio.gather(*(redis.hset(KEY, {str(number): "one"}) for number in range(5)))
    assert not waiting.done()
    await redis.rpush(keys.ARRIVALS, "5")
    assert await waiting == (keys.ARRIVALS, "5")
    await asyncio.to_thread(redis_server.restart)
    await redis.hset(KEY, {"5": "two"})
    assert await redis.hget(KEY, "5") == "two"
    await client.aclose()
