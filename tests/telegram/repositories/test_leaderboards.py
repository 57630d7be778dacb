"""Repository of leaderboards: matches are counted once each, with wins and ratings."""

import asyncio
import re
from random import Random

import pytest
from msgspec import structs
from redis.asyncio import Redis

from services.telegram.play.history import Meeting, history
from services.telegram.play.ratings import Rating, RatingChange, rated
from services.telegram.repositories import keys, leaderboards, match_records
from services.telegram.repositories.match_records import MatchRecord, newest, records_in
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons.season import table
from tests.seasons import SCENARIOS, season
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP

DORA = 14


async def test_a_match_counts_once(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    for match in (1, 1, 2):
        await repositories.leaderboards.count(CHAT_TABLE, match, {ANNA: 0, BRUNO: 1})
    standings = {
        standing.name: (standing.wins, standing.matches)
        for standing in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    assert standings == {"Anna": (2, 2), "Bruno": (0, 2)}


async def test_the_first_of_the_people_wins_on_the_leaderboard_as_in_the_season(repositories: Repositories) -> None:
    for user, name in ((ANNA, "Anna"), (BRUNO, "Bruno")):
        await repositories.people.remember(user, name, "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 1, BRUNO: 2})
    wins = {
        standing.user: standing.wins for standing in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    season = table(await repositories.seasons.current(GROUP, 0.0), await repositories.seasons.record(GROUP))
    assert wins == {score.person: score.wins for score in season} == {ANNA: 1, BRUNO: 0}


async def test_a_hidden_person_is_on_no_leaderboard_and_is_never_counted_again(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0})
    await repositories.leaderboards.hide(ANNA)
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0})
    assert await repositories.leaderboards.standings(GROUP, "gatto_rosso") == []
    assert await repositories.people.person(ANNA) is not None


async def test_a_match_counted_twice_changes_no_rating_twice(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0, BRUNO: 1})
    once = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0, BRUNO: 1})
    anna, bruno = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert [anna, bruno] == once
    assert anna.rating.points > 1000 > bruno.rating.points
    changes = await repositories.leaderboards.changes(CHAT_TABLE, 1)
    assert changes[ANNA] == RatingChange(anna.rating, anna.rating.points - 1000)
    assert changes[BRUNO] == RatingChange(bruno.rating, bruno.rating.points - 1000)
    assert await repositories.leaderboards.changes(CHAT_TABLE, 2) == {}
    assert anna.rating.matches == bruno.rating.matches == 1


async def test_matches_of_several_tables_that_end_at_once_are_all_rated(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    tables = [structs.replace(CHAT_TABLE, ref=f"table--{number}") for number in range(8)]
    await asyncio.gather(*(repositories.leaderboards.count(table, 1, {ANNA: 0, BRUNO: 1}) for table in tables))
    anna, bruno = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert (anna.matches, anna.wins, anna.rating.matches) == (8, 8, 8)
    assert (bruno.matches, bruno.wins, bruno.rating.matches) == (8, 0, 8)


async def test_alone_among_computers_or_hidden_people_one_is_counted_and_not_rated(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    await repositories.leaderboards.hide(BRUNO)
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0})
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, BRUNO: 1})
    (anna,) = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert (anna.wins, anna.matches, anna.rating) == (2, 2, Rating())


async def test_ratings_are_those_of_the_record_of_matches(repositories: Repositories, redis: Redis) -> None:
    scenario = SCENARIOS["unequal friends, two to six at a table"]
    for user in range(6):
        await repositories.people.remember(user, f"Person {user}", "it")
    for match, ranking in enumerate(season(scenario, Random(3))[:12]):
        places = {user: place for place, ((user,),) in enumerate(ranking)}
        await repositories.leaderboards.count(CHAT_TABLE, match, places)
    fields = await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP))
    again = rated([record.ranking for record in records_in(fields).values()])
    for standing in await repositories.leaderboards.standings(GROUP, "gatto_rosso"):
        rating = again[standing.user]
        assert (standing.rating.points, standing.rating.provisional) == (rating.points, rating.provisional)
        assert abs(standing.rating.margin - rating.margin) <= 1


async def test_whoever_leaves_the_leaderboards_is_in_no_record_and_the_others_stay_compared(
    repositories: Repositories, redis: Redis
) -> None:
    for user in (ANNA, BRUNO, 13):
        await repositories.people.remember(user, f"Person {user}", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 1, BRUNO: 0, 13: 2})
    await repositories.leaderboards.hide(BRUNO)
    fields = await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP))
    assert not [field for field in fields.items() if re.search(rf"\b{BRUNO}\b", " ".join(field))]
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, 13: 1})
    anna, carla = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert (anna.rating.matches, carla.rating.matches) == (2, 2)
    assert anna.rating.points > carla.rating.points


async def test_who_was_removed_by_an_earlier_release_is_not_rated_again(
    repositories: Repositories, redis: Redis
) -> None:
    for user in (ANNA, BRUNO):
        await repositories.people.remember(user, f"Person {user}", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 1, BRUNO: 0})
    fields = await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP))
    await RememberedRedis(redis).hdel(keys.leaderboard(GROUP), *[name for name in fields if f":{BRUNO}:" in name])
    await repositories.people.update(BRUNO, hidden=True)
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, BRUNO: 1})
    fields = await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP))
    assert not [name for name in fields if f":{BRUNO}:" in name]


async def test_a_record_that_makes_no_ratings_any_more_is_deleted_after_a_month(
    repositories: Repositories, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_records, "MATCHES", 3)
    for user in (ANNA, BRUNO):
        await repositories.people.remember(user, f"Person {user}", "it")
    for match, day in enumerate([1, 2, 3, 4, 31, 32]):
        monkeypatch.setattr(leaderboards, "time", lambda day=day: day * 86400)
        await repositories.leaderboards.count(CHAT_TABLE, match, {ANNA: 0, BRUNO: 1})
    marks = records_in(await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP)))
    assert [record.ended // 86400 for record in marks.values()] == [32, 31, 4, 3, 2]
    (anna, _) = await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    assert (anna.matches, anna.rating.matches) == (6, 3)
    _, recorded, most, earlier = await repositories.leaderboards.matches_of(ANNA)
    own = history(recorded, ANNA, most, earlier)
    assert (len(recorded), own.longest, own.met) == (5, 6, (Meeting(BRUNO, 6, 6, 0),))
    await repositories.leaderboards.hide(BRUNO)
    fields = await RememberedRedis(redis).hgetall(keys.leaderboard(GROUP))
    assert not [field for field in fields.items() if re.search(rf"\b{BRUNO}\b", " ".join(field))]


async def test_who_is_in_none_of_the_newest_matches_keeps_their_last_rating(
    repositories: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_records, "MATCHES", 2)
    for user in (ANNA, BRUNO, DORA):
        await repositories.people.remember(user, f"Person {user}", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0, DORA: 1})
    await repositories.leaderboards.count(CHAT_TABLE, 2, {ANNA: 0, BRUNO: 1})
    last = {
        standing.user: standing.rating for standing in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    for match in (3, 4):
        await repositories.leaderboards.count(CHAT_TABLE, match, {ANNA: 0, BRUNO: 1})
    kept = {
        standing.user: standing.rating for standing in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    assert kept[DORA].points == last[DORA].points < 1000


def test_ratings_are_made_of_the_newest_matches_of_so_many_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_records, "PEOPLE", 4)
    records = [MatchRecord(9 - number, "ramino", (((number,),), ((number + 1,),))) for number in range(6)]
    assert newest(records) == records[:3]
