"""Deletion of groups that the bot has left, and of people who have not been seen for long."""

import asyncio
import re
import time

import pytest
from redis.asyncio import Redis

from services.telegram.evenings.evening import EveningPlan, announced
from services.telegram.play.dates import WeeklyTime, zones
from services.telegram.records import ChatTable, GroupTitle
from services.telegram.repositories.departed import WEEK, YEAR, forget_departed
from services.telegram.repositories.departures import migrate
from services.telegram.repositories.repositories import Repositories

GROUP, SUPERGROUP, ANNA, BRUNO = -500, -1_001_500, 11, 12
HOUR = 3600.0


async def of_group(repositories: Repositories, redis: Redis, *ids: int) -> list[str]:
    """Return all keys, fields and members that contain one of these ids."""
    traces = []
    async for key in repositories.redis.names("*"):
        kind = await redis.type(key)
        names = await redis.hkeys(key) if kind == "hash" else await redis.smembers(key) if kind == "set" else ()
        traces += [text for text in map(str, (key, *names)) if any(re.search(rf"{id_}\b", text) for id_ in ids)]
    return traces


async def live(repositories: Repositories, chat: int) -> None:
    """Store evenings, a season, a title and results of a group."""
    for user, name in ((ANNA, "Anna"), (BRUNO, "Bruno")):
        await repositories.people.remember(user, name, "it", reachable=True)
    await repositories.chats.remember(chat, "Amici", "", "it")
    plan = EveningPlan("plan12", None, "presidente", WeeklyTime(3, 1260), "Europe/Rome", weekly=True, since=0.0, seen=5)
    await repositories.evenings.save_plan(chat, plan)
    await asyncio.to_thread(zones)
    day, starts = plan.next(time.time()) or (None, 0.0)
    assert day is not None
    await repositories.evenings.announce(announced(chat, plan, day, starts, time.time()))
    await repositories.seasons.current(chat, time.time())
    await repositories.titles.save(chat, "presidente", GroupTitle(name="Presidente"))
    table = ChatTable("Ab3-Ef_8", chat, None, "A", "presidente", ANNA)
    await repositories.leaderboards.count(table, 1, {ANNA: 0, BRUNO: 1}, [], 0.0)


async def test_a_group_that_was_left_a_year_ago_is_forgotten_and_so_are_its_people(
    repositories: Repositories, redis: Redis
) -> None:
    await live(repositories, GROUP)
    await migrate(repositories, GROUP, SUPERGROUP)
    await repositories.deliveries.note_newest({SUPERGROUP: 78})
    await repositories.chats.set_presence(SUPERGROUP, present=False)
    left = time.time()
    await forget_departed(repositories, left + YEAR - HOUR)
    assert await repositories.evenings.plan(SUPERGROUP) is not None
    assert await repositories.leaderboards.standings(SUPERGROUP, "presidente")
    await forget_departed(repositories, left + YEAR + HOUR)
    assert await of_group(repositories, redis, GROUP, SUPERGROUP) == []
    await forget_departed(repositories, left + YEAR + HOUR)
    assert await of_group(repositories, redis, ANNA, BRUNO) == []


async def test_a_group_that_has_come_back_is_not_forgotten(repositories: Repositories) -> None:
    await live(repositories, GROUP)
    await repositories.chats.set_presence(GROUP, present=False)
    await repositories.chats.set_presence(GROUP, present=True)
    await forget_departed(repositories, time.time() + 2 * YEAR)
    assert await repositories.evenings.plan(GROUP) is not None
    assert (await repositories.people.person(ANNA)) is not None


async def test_a_group_in_which_nothing_was_played_is_forgotten_after_a_week(
    repositories: Repositories, redis: Redis
) -> None:
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    await repositories.chats.set_presence(GROUP, present=False)
    await forget_departed(repositories, time.time() + WEEK - HOUR)
    assert await of_group(repositories, redis, GROUP)
    await forget_departed(repositories, time.time() + WEEK + HOUR)
    assert await of_group(repositories, redis, GROUP) == []


async def test_what_an_earlier_release_has_stored_is_forgotten_a_year_after_it_was_found(
    repositories: Repositories, redis: Redis
) -> None:
    await redis.hset("bot:chat:-500", mapping={"title": "Amici", "present": "false"})
    await redis.hset("bot:person:11", mapping={"name": "Anna"})
    now = time.time()
    await forget_departed(repositories, now)
    await forget_departed(repositories, now + WEEK - HOUR)
    assert len(await of_group(repositories, redis, GROUP, ANNA)) == 2
    await forget_departed(repositories, now + YEAR + HOUR)
    assert await of_group(repositories, redis, GROUP, ANNA) == []


@pytest.mark.parametrize("hidden", [False, True])
async def test_somebody_who_has_left_all_leaderboards_stays_hidden(repositories: Repositories, hidden: bool) -> None:
    await repositories.people.remember(ANNA, "Anna", "it", reachable=True)
    await repositories.people.update(ANNA, hidden=hidden)
    await forget_departed(repositories, time.time() + YEAR + HOUR)
    assert (await repositories.people.person(ANNA) is not None) is hidden
