from services.telegram.memory.memory import Memory
from tests.telegram.memory.known import ANNA, BRUNO, ROOM


async def test_a_message_is_remembered_only_while_its_table_is_there(memory: Memory) -> None:
    await memory.messages.place(ROOM.ref, "lobby", 7)
    assert await memory.messages.of(ROOM.ref) == {}
    await memory.rooms.keep(ROOM)
    await memory.messages.place(ROOM.ref, "lobby", 8)
    assert await memory.messages.of(ROOM.ref) == {"lobby": 8}


async def test_for_which_turn_a_phone_rang_is_remembered_until_its_owner_leaves(memory: Memory) -> None:
    await memory.messages.ring(ROOM.ref, ANNA, "1.1@7")
    await memory.messages.ring(ROOM.ref, BRUNO, "1.1@8")
    await memory.seats.forget(ROOM.ref, BRUNO)
    assert await memory.messages.rung(ROOM.ref) == {ANNA: "1.1@7"}


async def test_nudges_come_one_at_a_time(memory: Memory) -> None:
    assert await memory.messages.may_nudge(ROOM.ref)
    assert not await memory.messages.may_nudge(ROOM.ref)
