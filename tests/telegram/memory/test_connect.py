import asyncio

from services.telegram.memory.memory import Memory


async def test_many_are_remembered_at_once_as_soon_as_the_bot_starts(memory: Memory) -> None:
    people = await asyncio.gather(*(memory.people.meet(user, "Anna", "it") for user in range(50)))
    assert [person.user for person in people] == list(range(50))
