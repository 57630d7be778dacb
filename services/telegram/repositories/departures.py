"""Departures of people from tables, and migration of groups to supergroups."""

from msgspec import structs

from services.telegram.records import Departure
from services.telegram.repositories.repositories import Repositories


async def depart(repositories: Repositories, user: int, why: Departure, *, chat: int | None = None) -> None:
    """Record that a person must leave all their tables, or only the tables of `chat`."""
    for chat_table in await repositories.chat_tables.of_person(user):
        if chat in {None, chat_table.chat}:
            await repositories.seats.save_departure(chat_table.ref, user, why)


async def migrate(repositories: Repositories, old: int, new: int) -> None:
    """Move all data of a group to the supergroup that it became. The group's old messages can no longer be edited.

    Idempotent: settings and results stored for the supergroup since the migration are kept. The list of the old group's
    tables is deleted last, so that an interrupted migration can be resumed.
    """
    if old == new or (
        await repositories.chats.current_id(old) == new and not await repositories.chat_tables.in_chat(old)
    ):
        return
    if await repositories.chats.current_id(old) != new:
        await repositories.chats.copy(old, new)
        await repositories.leaderboards.copy(old, new)
        await repositories.chats.note_move(old, new)
    for ref in await repositories.chat_tables.in_chat(old):
        await _move_table(repositories, ref, new)
    await repositories.seasons.move(old, new)
    for evening in await repositories.evenings.move(old, new):
        await repositories.messages.forget_ids(evening.ref)
    await repositories.chats.forget(old)
    await repositories.leaderboards.forget(old)
    await repositories.titles.move(old, new)
    await repositories.chat_tables.forget_chat(old)


async def _move_table(repositories: Repositories, ref: str, chat: int) -> None:
    chat_table = await repositories.chat_tables.find(ref)
    if chat_table is not None and chat_table.chat != chat:  # only once: messages sent after it can be edited
        await repositories.messages.forget_ids(ref)
        await repositories.chat_tables.save(structs.replace(chat_table, chat=chat, thread=None))
