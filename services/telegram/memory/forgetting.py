"""A person asks to be forgotten."""

from services.telegram.memory.memory import Memory


async def forget_person(memory: Memory, user: int) -> None:
    """Delete all that is known of a person, results included."""
    await memory.boards.hide(user)
    await memory.people.forget(user)
    await memory.seats.forget_rooms_of(user)
