"""A group becomes a supergroup: it gets another id, and everything of it moves there."""

from msgspec import structs

from services.telegram.memory.memory import Memory


async def has_moved(memory: Memory, old: int, new: int) -> bool:
    """Tell whether a group has moved with all its tables: a bot that was killed in the middle has left some behind."""
    return await memory.chats.whereabouts(old) == new and not await memory.rooms.in_chat(old)


async def migrate(memory: Memory, old: int, new: int) -> None:
    """Move everything of a group to the supergroup that it became; its old messages are dead. Again is as good as once.

    What is set or counted there once the move is noted stays. The list of the old group's tables goes last: what it
    still names has perhaps not been moved.
    """
    if await memory.chats.whereabouts(old) != new:
        await memory.chats.copy(old, new)
        await memory.boards.copy(old, new)
        await memory.chats.note_move(old, new)
    for ref in await memory.rooms.in_chat(old):
        await _rehouse(memory, ref, new)
    await memory.chats.forget(old)
    await memory.boards.forget(old)
    await memory.rooms.forget_chat(old)


async def _rehouse(memory: Memory, ref: str, chat: int) -> None:
    room = await memory.rooms.room(ref)
    if room is not None and room.chat != chat:  # what has been sent since it came is alive
        await memory.messages.bury(ref)
        await memory.rooms.keep(structs.replace(room, chat=chat, thread=None))
