"""A group becomes a supergroup: it gets another id, and everything of it moves there."""

from msgspec import structs

from services.telegram.memory.memory import Memory


async def migrate(memory: Memory, old: int, new: int) -> None:
    """Move everything of a group to the supergroup that it became; its old messages are dead."""
    await memory.chats.note_move(old, new)
    await memory.chats.copy(old, new)
    await memory.boards.copy(old, new)
    for ref in await memory.rooms.in_chat(old):
        await _rehouse(memory, ref, new)
    await memory.chats.forget(old)
    await memory.boards.forget(old)
    await memory.rooms.forget_chat(old)


async def _rehouse(memory: Memory, ref: str, chat: int) -> None:
    room = await memory.rooms.room(ref)
    if room is not None:
        await memory.rooms.keep(structs.replace(room, chat=chat, thread=None))
        await memory.messages.bury(ref)
