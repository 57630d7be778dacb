import time

from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.memory.rooms import new_ref
from tests.telegram.memory.known import ANNA, GROUP, ROOM


async def test_tables_of_a_place_take_letters_in_turn(memory: Memory) -> None:
    await memory.rooms.keep(ROOM)
    assert await memory.rooms.letter(GROUP, None) == "B"
    assert await memory.rooms.letter(GROUP, 7) == "A"
    await memory.rooms.keep(structs.replace(ROOM, over=True))
    assert await memory.rooms.letter(GROUP, None) == "A"


async def test_a_dropped_table_is_gone_from_everywhere(memory: Memory) -> None:
    await memory.rooms.keep(ROOM)
    await memory.seats.keep(ROOM.ref, ANNA, "token")
    await memory.messages.place(ROOM.ref, "lobby", 7)
    await memory.rooms.drop(ROOM)
    assert await memory.rooms.room(ROOM.ref) is None
    assert await memory.rooms.in_chat(GROUP) == await memory.rooms.live() == []
    assert await memory.seats.rooms_of(ANNA) == []
    assert await memory.seats.tokens(ROOM.ref) == {}
    assert await memory.messages.of(ROOM.ref) == {}


async def test_tables_that_nobody_touches_are_found(memory: Memory) -> None:
    await memory.rooms.keep(ROOM)
    assert await memory.rooms.live(idle_since=time.time() - 60) == []
    assert await memory.rooms.live(idle_since=time.time() + 60) == [ROOM.ref]


async def test_how_far_a_table_was_told_is_remembered_and_can_be_reset(memory: Memory) -> None:
    await memory.rooms.tell(ROOM.ref, 17)
    assert await memory.rooms.told(ROOM.ref) == 17
    await memory.rooms.tell(ROOM.ref, None)
    assert await memory.rooms.told(ROOM.ref) is None


def test_references_fit_in_buttons_and_links() -> None:
    assert all(len(new_ref()) == 8 for _ in range(20))
