import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from msgspec import structs
from redis.asyncio import Redis

from services.telegram.chats import Chats, new_ref
from services.telegram.memory import connect
from services.telegram.records import Choice, Room
from tests.redis_cluster import PRIMARIES, Cluster, running_cluster
from tests.redis_server import RedisServer

GROUP, SUPERGROUP, ANNA, BRUNO = -500, -1001500, 11, 12
ROOM = Room("Ab3-Ef_8", GROUP, None, "A", "gatto_rosso", ANNA)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(params=["in the process", "on a server", "on a cluster"])
async def chats(request: pytest.FixtureRequest, redis_server: RedisServer) -> AsyncIterator[Chats]:
    if request.param == "in the process":
        redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    elif request.param == "on a server":
        redis = connect(redis_server.url)
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        redis = connect(cluster.url)
        for primary in cluster.nodes[:PRIMARIES]:
            await asyncio.to_thread(primary.flush)
    yield Chats(redis)
    await redis.aclose()


async def test_a_person_is_known_by_what_telegram_tells(chats: Chats) -> None:
    assert await chats.person(ANNA) is None
    await chats.meet(ANNA, "Anna", "it-IT", reachable=True)
    anna = await chats.person(ANNA)
    assert anna is not None
    assert (anna.name, anna.language, anna.reachable) == ("Anna", "it", True)


async def test_a_chosen_language_outlasts_the_telephones(chats: Chats) -> None:
    await chats.meet(ANNA, "Anna", "it")
    await chats.speak(ANNA, "en")
    assert (await chats.meet(ANNA, "Anna", "it")).language == "en"


async def test_a_tap_in_a_group_does_not_change_who_can_be_written_to(chats: Chats) -> None:
    await chats.meet(ANNA, "Anna", "it", reachable=True)
    assert (await chats.meet(ANNA, "Anna", "it")).reachable
    await chats.reach(ANNA, reachable=False)
    assert not (await chats.meet(ANNA, "Anna", "it")).reachable


async def test_a_new_group_speaks_as_whoever_called_first_until_told_otherwise(chats: Chats) -> None:
    assert (await chats.visit(GROUP, "Amici", "", "it")).language == "it"
    assert (await chats.visit(GROUP, "Amici", "", "en")).language == "it"
    await chats.settle(GROUP, language="en", seconds=60, hosts="admins", nudges=False)
    chat = await chats.chat(GROUP)
    assert (chat.title, chat.language, chat.seconds, chat.hosts, chat.nudges) == ("Amici", "en", 60, "admins", False)


async def test_the_last_choice_of_a_game_is_remembered(chats: Chats) -> None:
    choice = Choice({"cats": True}, 60)
    await chats.choose(GROUP, "gatto_rosso", choice)
    assert await chats.choice(GROUP, "gatto_rosso") == choice
    assert await chats.choice(GROUP, "ramino") is None


async def test_tables_of_a_place_take_letters_in_turn(chats: Chats) -> None:
    await chats.keep(ROOM)
    assert await chats.letter(GROUP, None) == "B"
    assert await chats.letter(GROUP, 7) == "A"
    await chats.keep(structs.replace(ROOM, over=True))
    assert await chats.letter(GROUP, None) == "A"


async def test_cards_taken_up_are_kept_for_one_version_of_the_table_and_its_holder_alone(chats: Chats) -> None:
    await chats.pick(ROOM.ref, ANNA, 17, frozenset({2, 5}))
    assert await chats.picked(ROOM.ref, ANNA, 17) == {2, 5}
    assert await chats.picked(ROOM.ref, ANNA, 18) == frozenset()
    assert await chats.picked(ROOM.ref, BRUNO, 17) == frozenset()
    await chats.unseat(ROOM.ref, ANNA)
    assert await chats.picked(ROOM.ref, ANNA, 17) == frozenset()


async def test_a_dropped_table_is_gone_from_everywhere(chats: Chats) -> None:
    await chats.keep(ROOM)
    await chats.seat(ROOM.ref, ANNA, "token")
    await chats.place(ROOM.ref, "lobby", 7)
    await chats.drop(ROOM)
    assert await chats.room(ROOM.ref) is None
    assert await chats.rooms_of(ANNA) == await chats.rooms_in(GROUP) == await chats.live() == []
    assert await chats.tokens(ROOM.ref) == {}
    await chats.place(ROOM.ref, "lobby", 8)
    assert await chats.messages(ROOM.ref) == {}


async def test_a_seat_is_a_persons_and_a_tables(chats: Chats) -> None:
    await chats.keep(ROOM)
    await chats.seat(ROOM.ref, ANNA, "token")
    assert await chats.token(ROOM.ref, ANNA) == "token"
    assert await chats.token(ROOM.ref, BRUNO) is None
    assert await chats.rooms_of(ANNA) == [ROOM.ref]
    await chats.unseat(ROOM.ref, ANNA)
    assert await chats.tokens(ROOM.ref) == {}
    assert await chats.rooms_of(ANNA) == []


async def test_a_group_takes_everything_along_when_it_becomes_a_supergroup(chats: Chats) -> None:
    await chats.visit(GROUP, "Amici", "", "it")
    await chats.keep(structs.replace(ROOM, thread=3))
    await chats.meet(ANNA, "Anna", "it")
    await chats.place(ROOM.ref, "table:1.1", 7)
    await chats.place(ROOM.ref, "hand:11", 8)
    await chats.count(ROOM, 1, [ANNA], [ANNA])
    await chats.migrate(GROUP, SUPERGROUP)
    assert (await chats.chat(SUPERGROUP)).title == "Amici"
    assert await chats.rooms_in(SUPERGROUP) == [ROOM.ref]
    assert await chats.rooms_in(GROUP) == []
    room = await chats.room(ROOM.ref)
    assert room is not None
    assert (room.chat, room.thread) == (SUPERGROUP, None)
    assert await chats.messages(ROOM.ref) == {"table:1.1": 0, "hand:11": 8}
    assert [each.wins for each in await chats.standings(SUPERGROUP, "gatto_rosso")] == [1]
    assert await chats.whereabouts(GROUP) == SUPERGROUP
    await chats.hide(ANNA)
    assert await chats.standings(SUPERGROUP, "gatto_rosso") == []


async def test_a_match_counts_once(chats: Chats) -> None:
    await chats.meet(ANNA, "Anna", "it")
    await chats.meet(BRUNO, "Bruno", "it")
    for match in (1, 1, 2):
        await chats.count(ROOM, match, [ANNA], [ANNA, BRUNO])
    standings = {each.name: (each.wins, each.matches) for each in await chats.standings(GROUP, "gatto_rosso")}
    assert standings == {"Anna": (2, 2), "Bruno": (0, 2)}


async def test_whoever_is_hidden_is_on_no_leaderboard_and_never_comes_back(chats: Chats) -> None:
    await chats.meet(ANNA, "Anna", "it")
    await chats.count(ROOM, 1, [ANNA], [ANNA])
    await chats.hide(ANNA)
    await chats.count(ROOM, 2, [ANNA], [ANNA])
    assert await chats.standings(GROUP, "gatto_rosso") == []
    assert await chats.person(ANNA) is not None


async def test_a_forgotten_person_leaves_no_trace(chats: Chats) -> None:
    await chats.meet(ANNA, "Anna", "it")
    await chats.count(ROOM, 1, [ANNA], [ANNA])
    await chats.forget_person(ANNA)
    assert await chats.person(ANNA) is None
    assert await chats.standings(GROUP, "gatto_rosso") == []


async def test_tables_that_nobody_touches_are_found(chats: Chats) -> None:
    await chats.keep(ROOM)
    assert await chats.live(idle_since=time.time() - 60) == []
    assert await chats.live(idle_since=time.time() + 60) == [ROOM.ref]


async def test_nudges_come_one_at_a_time(chats: Chats) -> None:
    assert await chats.may_nudge(ROOM.ref)
    assert not await chats.may_nudge(ROOM.ref)


async def test_how_far_a_table_was_told_is_remembered_and_can_be_reset(chats: Chats) -> None:
    await chats.tell(ROOM.ref, 17)
    assert await chats.told(ROOM.ref) == 17
    await chats.tell(ROOM.ref, None)
    assert await chats.told(ROOM.ref) is None


def test_references_fit_in_buttons_and_links() -> None:
    assert all(len(new_ref()) == 8 for _ in range(20))


async def test_many_are_remembered_at_once_as_soon_as_the_bot_starts(chats: Chats) -> None:
    people = await asyncio.gather(*(chats.meet(user, "Anna", "it") for user in range(50)))
    assert [person.user for person in people] == list(range(50))
