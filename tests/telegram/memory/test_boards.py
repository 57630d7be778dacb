from services.telegram.memory.memory import Memory
from tests.telegram.memory.known import ANNA, BRUNO, GROUP, ROOM


async def test_a_match_counts_once(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it")
    await memory.people.meet(BRUNO, "Bruno", "it")
    for match in (1, 1, 2):
        await memory.boards.count(ROOM, match, [ANNA], [ANNA, BRUNO])
    standings = {each.name: (each.wins, each.matches) for each in await memory.boards.standings(GROUP, "gatto_rosso")}
    assert standings == {"Anna": (2, 2), "Bruno": (0, 2)}


async def test_whoever_is_hidden_is_on_no_leaderboard_and_never_comes_back(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it")
    await memory.boards.count(ROOM, 1, [ANNA], [ANNA])
    await memory.boards.hide(ANNA)
    await memory.boards.count(ROOM, 2, [ANNA], [ANNA])
    assert await memory.boards.standings(GROUP, "gatto_rosso") == []
    assert await memory.people.person(ANNA) is not None
