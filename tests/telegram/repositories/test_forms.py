"""Records of later releases are not changed and logged once; unknown fields are kept."""

import json
from collections.abc import AsyncIterator
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from msgspec import structs
from redis.asyncio import Redis
from structlog.testing import capture_logs

from services.telegram.records import ChatRecord, LastChoice, StoredDeletion
from services.telegram.repositories import keys
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, CHAT_TABLE, GROUP, HAND_SLOT

ROOM = {"ref": CHAT_TABLE.ref, "chat": GROUP, "thread": None, "letter": "A", "game": "gatto_rosso", "opener": ANNA}
LATER = json.dumps(ROOM | {"form": 2, "seats": "in another way"})
TABLE_KEY = f"bot:table:{CHAT_TABLE.ref}"


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    yield redis
    await redis.aclose()


@pytest.fixture
def repositories(redis: Redis) -> Repositories:
    return Repositories(redis)


async def set_field(redis: Redis, key: str, field: str, value: str) -> None:
    await redis.hset(key, field, value)


async def get_field(redis: Redis, key: str, field: str) -> str:
    return cast("str", await redis.hget(key, field))


@pytest.mark.parametrize(
    ("stored", "reason"), [(LATER, "LaterFormError"), ('{"ref":', "DecodeError"), ("[]", "ValidationError")]
)
async def test_a_table_that_cannot_be_read_is_left_alone_and_logged_once(
    repositories: Repositories, redis: Redis, stored: str, reason: str
) -> None:
    other = structs.replace(CHAT_TABLE, ref="12345678", letter="B")
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.chat_tables.save(other)
    await set_field(redis, TABLE_KEY, "room", stored)
    repositories = Repositories(redis)
    with capture_logs() as lines:
        assert await repositories.chat_tables.find(CHAT_TABLE.ref) is None
        assert await repositories.chat_tables.siblings(GROUP, None) == [other]
        await repositories.chat_tables.save(CHAT_TABLE)
    assert await get_field(redis, TABLE_KEY, "room") == stored
    assert [(line["event"], line["kind"], line["reason"]) for line in lines] == [("record_left_alone", "table", reason)]


async def test_the_form_that_this_release_writes_may_be_marked_too(repositories: Repositories, redis: Redis) -> None:
    await set_field(redis, TABLE_KEY, "room", json.dumps(ROOM | {"form": 1}))
    assert await repositories.chat_tables.find(CHAT_TABLE.ref) == CHAT_TABLE


async def test_a_table_keeps_the_fields_that_this_release_does_not_know(
    repositories: Repositories, redis: Redis
) -> None:
    await set_field(redis, TABLE_KEY, "room", json.dumps(ROOM | {"league": {"name": "Amici"}}))
    chat_table = await repositories.chat_tables.find(CHAT_TABLE.ref)
    assert chat_table is not None
    await repositories.chat_tables.save(structs.replace(chat_table, over=True))
    stored = json.loads(await get_field(redis, TABLE_KEY, "room"))
    assert stored["league"] == {"name": "Amici"}
    assert stored["over"] is True


async def test_a_choice_of_a_later_form_is_left_alone_and_one_with_more_fields_keeps_them(
    repositories: Repositories, redis: Redis
) -> None:
    key = f"bot:chat:{GROUP}:choices"
    later = '{"form":3,"options":[]}'
    await set_field(redis, key, "ramino", later)
    await set_field(redis, key, "diavoletto", '{"options":{},"seconds":60,"seats":4}')
    for game in ("ramino", "diavoletto"):
        await repositories.chats.remember_choice(GROUP, game, LastChoice({}, 90))
    assert await repositories.chats.last_choice(GROUP, "ramino") is None
    assert await get_field(redis, key, "ramino") == later
    assert json.loads(await get_field(redis, key, "diavoletto")) == {"options": {}, "seconds": 90, "seats": 4}


async def test_a_person_of_a_later_form_is_left_alone(repositories: Repositories, redis: Redis) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    key = f"bot:person:{ANNA}"
    await redis.hset(key, mapping={"form": "2", "language": "eo"})
    before = await redis.hgetall(key)
    repositories = Repositories(redis)
    with capture_logs() as lines:
        assert await repositories.people.person(ANNA) is None
        assert (await repositories.people.remember(ANNA, "Annina", "it")).name == "Annina"
        await repositories.people.update(ANNA, language="en", chosen=True)
        await repositories.people.update(ANNA, reachable=True)
    assert await redis.hgetall(key) == before
    assert [line["kind"] for line in lines] == ["person"]


async def test_a_chat_of_a_later_form_is_left_alone(repositories: Repositories, redis: Redis) -> None:
    key = f"bot:chat:{GROUP}"
    await redis.hset(key, mapping={"form": "2", "title": "Amici", "seconds": "never"})
    before = await redis.hgetall(key)
    assert await repositories.chats.chat(GROUP) == ChatRecord(GROUP)
    await repositories.chats.remember(GROUP, "Altri", "", "it")
    await repositories.chats.update_settings(GROUP, seconds=60)
    assert await redis.hgetall(key) == before


async def test_people_and_chats_keep_the_fields_that_this_release_does_not_know(
    repositories: Repositories, redis: Redis
) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    for key in (f"bot:person:{ANNA}", f"bot:chat:{GROUP}"):
        await set_field(redis, key, "colour", "red")
    repositories = Repositories(redis)
    await repositories.people.remember(ANNA, "Annina", "it")
    await repositories.chats.update_settings(GROUP, seconds=60)
    for key in (f"bot:person:{ANNA}", f"bot:chat:{GROUP}"):
        assert await get_field(redis, key, "colour") == "red"


async def test_a_delivery_of_a_later_form_is_neither_done_nor_written_over(
    repositories: Repositories, redis: Redis
) -> None:
    later = '{"kind":"deletion","chat":-500,"message":7,"form":2}'
    await set_field(redis, "bot:deliveries", "delete -500 7", later)
    await repositories.deliveries.write({"delete -500 8": StoredDeletion(GROUP, 8)}, [])
    with capture_logs() as lines:
        for _ in range(2):
            assert await repositories.deliveries.load() == {"delete -500 8": StoredDeletion(GROUP, 8)}
    await repositories.deliveries.write({"delete -500 7": StoredDeletion(GROUP, 7)}, ["delete -500 7"])
    assert await get_field(redis, "bot:deliveries", "delete -500 7") == later
    assert [line["kind"] for line in lines] == ["deliveries"]


async def test_a_message_of_a_table_whose_record_cannot_be_read_counts_as_not_sent(
    repositories: Repositories, redis: Redis
) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    fields = {"lobby": '{"form":2}', "table:1.1": "7", "over:1": '{"id":', f"hand:{ANNA}": '{"id":8}'}
    for field, stored in fields.items():
        await set_field(redis, keys.messages(CHAT_TABLE.ref), field, stored)
    with capture_logs() as lines:
        for _ in range(2):
            assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {HAND_SLOT: 8}
    assert [line["event"] for line in lines] == ["record_left_alone"] * 3
