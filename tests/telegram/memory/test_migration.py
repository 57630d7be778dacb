from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.memory.migration import migrate
from tests.telegram.memory.known import ANNA, GROUP, ROOM

SUPERGROUP = -1001500


async def test_a_group_takes_everything_along_when_it_becomes_a_supergroup(memory: Memory) -> None:
    await memory.chats.visit(GROUP, "Amici", "", "it")
    await memory.rooms.keep(structs.replace(ROOM, thread=3))
    await memory.messages.place(ROOM.ref, "table:1.1", 7)
    await memory.messages.place(ROOM.ref, "hand:11", 8)
    await migrate(memory, GROUP, SUPERGROUP)
    assert await memory.chats.whereabouts(GROUP) == SUPERGROUP
    assert (await memory.chats.chat(SUPERGROUP)).title == "Amici"
    assert await memory.rooms.in_chat(SUPERGROUP) == [ROOM.ref]
    assert await memory.rooms.in_chat(GROUP) == []
    room = await memory.rooms.room(ROOM.ref)
    assert room is not None
    assert (room.chat, room.thread) == (SUPERGROUP, None)
    assert await memory.messages.of(ROOM.ref) == {"table:1.1": 0, "hand:11": 8}


async def test_its_leaderboard_goes_along_and_whoever_hides_later_is_taken_off_it(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it")
    await memory.boards.count(ROOM, 1, [ANNA], [ANNA])
    await migrate(memory, GROUP, SUPERGROUP)
    assert [each.wins for each in await memory.boards.standings(SUPERGROUP, "gatto_rosso")] == [1]
    assert await memory.boards.standings(GROUP, "gatto_rosso") == []
    await memory.boards.hide(ANNA)
    assert await memory.boards.standings(SUPERGROUP, "gatto_rosso") == []
