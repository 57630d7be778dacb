"""Repository of leaderboards: matches are counted once each, with wins and ratings."""

import asyncio

from msgspec import structs

from services.telegram.ratings import Rating, RatingChange
from services.telegram.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP


async def test_a_match_counts_once(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    for match in (1, 1, 2):
        await repositories.leaderboards.count(CHAT_TABLE, match, {ANNA: 0, BRUNO: 1})
    standings = {
        each.name: (each.wins, each.matches) for each in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    assert standings == {"Anna": (2, 2), "Bruno": (0, 2)}


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
    await asyncio.gather(*(repositories.leaderboards.count(each, 1, {ANNA: 0, BRUNO: 1}) for each in tables))
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
