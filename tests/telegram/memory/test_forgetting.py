from services.telegram.memory.forgetting import forget_person
from services.telegram.memory.memory import Memory
from tests.telegram.memory.known import ANNA, GROUP, ROOM


async def test_a_forgotten_person_leaves_no_trace(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it")
    await memory.seats.keep(ROOM.ref, ANNA, "token")
    await memory.boards.count(ROOM, 1, [ANNA], [ANNA])
    await forget_person(memory, ANNA)
    assert await memory.people.person(ANNA) is None
    assert await memory.seats.rooms_of(ANNA) == []
    assert await memory.boards.standings(GROUP, "gatto_rosso") == []
