import pytest
from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.memory.migration import has_moved, migrate
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


@pytest.mark.parametrize("part", ["messages.bury", "rooms.keep", "chats.forget", "boards.forget", "rooms.forget_chat"])
async def test_a_move_cut_short_is_taken_up_again(memory: Memory, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    await memory.chats.visit(GROUP, "Amici", "", "it")
    await memory.rooms.keep(ROOM)
    await memory.messages.place(ROOM.ref, "table:1.1", 7)
    subject, act = part.split(".")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(memory, subject), act, _killed)
        with pytest.raises(RuntimeError):
            await migrate(memory, GROUP, SUPERGROUP)
    assert not await has_moved(memory, GROUP, SUPERGROUP)

    await migrate(memory, GROUP, SUPERGROUP)

    assert await has_moved(memory, GROUP, SUPERGROUP)
    assert (await memory.chats.chat(SUPERGROUP)).title == "Amici"
    assert await memory.rooms.in_chat(SUPERGROUP) == [ROOM.ref]
    assert await memory.messages.of(ROOM.ref) == {"table:1.1": 0}


async def test_a_move_done_twice_leaves_what_was_sent_in_between(memory: Memory) -> None:
    await memory.rooms.keep(structs.replace(ROOM, chat=SUPERGROUP))
    await memory.messages.place(ROOM.ref, "table:1.1", 9)
    await memory.rooms.keep(ROOM)
    await memory.rooms.keep(structs.replace(ROOM, chat=SUPERGROUP))

    await migrate(memory, GROUP, SUPERGROUP)

    assert await memory.messages.of(ROOM.ref) == {"table:1.1": 9}
    assert await has_moved(memory, GROUP, SUPERGROUP)


async def test_a_move_taken_up_again_leaves_what_was_set_in_between(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.chats.visit(GROUP, "Amici", "", "it")
    await memory.rooms.keep(ROOM)
    with monkeypatch.context() as patch:
        patch.setattr(memory.messages, "bury", _killed)
        with pytest.raises(RuntimeError):
            await migrate(memory, GROUP, SUPERGROUP)
    await memory.chats.settle(SUPERGROUP, language="en")

    await migrate(memory, GROUP, SUPERGROUP)

    assert (await memory.chats.chat(SUPERGROUP)).language == "en"


async def _killed(*_: object) -> None:
    raise RuntimeError("killed")
