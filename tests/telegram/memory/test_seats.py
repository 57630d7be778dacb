from services.telegram.memory.memory import Memory
from tests.telegram.memory.known import ANNA, BRUNO, ROOM


async def test_a_seat_is_a_persons_and_a_tables(memory: Memory) -> None:
    await memory.rooms.keep(ROOM)
    await memory.seats.keep(ROOM.ref, ANNA, "token")
    assert await memory.seats.token(ROOM.ref, ANNA) == "token"
    assert await memory.seats.token(ROOM.ref, BRUNO) is None
    assert await memory.seats.rooms_of(ANNA) == [ROOM.ref]
    await memory.seats.forget(ROOM.ref, ANNA)
    assert await memory.seats.tokens(ROOM.ref) == {}
    assert await memory.seats.rooms_of(ANNA) == []


async def test_cards_taken_up_are_kept_for_one_version_of_the_table_and_its_holder_alone(memory: Memory) -> None:
    await memory.seats.pick(ROOM.ref, ANNA, 17, frozenset({2, 5}))
    assert await memory.seats.picked(ROOM.ref, ANNA, 17) == {2, 5}
    assert await memory.seats.picked(ROOM.ref, ANNA, 18) == frozenset()
    assert await memory.seats.picked(ROOM.ref, BRUNO, 17) == frozenset()
    await memory.seats.forget(ROOM.ref, ANNA)
    assert await memory.seats.picked(ROOM.ref, ANNA, 17) == frozenset()
