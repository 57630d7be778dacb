"""Repository of leaderboards."""

from services.telegram.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP


async def test_a_match_counts_once(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.remember(BRUNO, "Bruno", "it")
    for match in (1, 1, 2):
        await repositories.leaderboards.count(CHAT_TABLE, match, [ANNA], [ANNA, BRUNO])
    standings = {
        each.name: (each.wins, each.matches) for each in await repositories.leaderboards.standings(GROUP, "gatto_rosso")
    }
    assert standings == {"Anna": (2, 2), "Bruno": (0, 2)}


async def test_a_hidden_person_is_on_no_leaderboard_and_is_never_counted_again(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, [ANNA], [ANNA])
    await repositories.leaderboards.hide(ANNA)
    await repositories.leaderboards.count(CHAT_TABLE, 2, [ANNA], [ANNA])
    assert await repositories.leaderboards.standings(GROUP, "gatto_rosso") == []
    assert await repositories.people.person(ANNA) is not None
