"""All repositories in one object, and the migration of a group to a supergroup."""

from collections.abc import Callable
from typing import cast

from msgspec import structs
from redis.asyncio import Redis

from services.telegram.repositories.bot_state import AbilityRepository, DeliveryRepository, UpdateRepository
from services.telegram.repositories.chat_tables import (
    ChatTableRepository,
    MessageRepository,
    SeatRepository,
    ShuffleRepository,
    VoteRepository,
)
from services.telegram.repositories.connection import RememberedRedis, always
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.personal_data import PersonalData


class Repositories:
    """The repositories over one Redis client, which must decode its answers to text.

    They remember what they have read, so only one process at a time may use them: `leads` returns whether this one may.
    """

    def __init__(self, redis: Redis, leads: Callable[[], bool] = always) -> None:
        redis = cast("Redis", RememberedRedis(redis, leads))
        self.people = PersonRepository(redis)
        self.chats = ChatRepository(redis)
        self.shuffles = ShuffleRepository(redis)
        self.seats = SeatRepository(redis, self.shuffles)
        self.chat_tables = ChatTableRepository(redis, self.seats)
        self.messages = MessageRepository(redis, self.chat_tables)
        self.votes = VoteRepository(redis)
        self.updates = UpdateRepository(redis)
        self.deliveries = DeliveryRepository(redis, self.chat_tables, self.messages)
        self.abilities = AbilityRepository(redis)
        self.leaderboards = LeaderboardRepository(redis, self.people, self.chats)
        self.personal_data = PersonalData(
            redis, self.people, self.chats, self.chat_tables, self.shuffles, self.leaderboards
        )


async def has_moved(repositories: Repositories, old: int, new: int) -> bool:
    """Return whether a group was migrated with all its tables: if the bot was killed during it, some are left."""
    return await repositories.chats.current_id(old) == new and not await repositories.chat_tables.in_chat(old)


async def migrate(repositories: Repositories, old: int, new: int) -> None:
    """Move everything of a group to the supergroup that it became; the group's old messages cannot be edited there.

    Idempotent: settings and results that the supergroup has got since are kept. The list of the old group's tables is
    deleted last, so that a migration cut short can be resumed from it.
    """
    if await repositories.chats.current_id(old) != new:
        await repositories.chats.copy(old, new)
        await repositories.leaderboards.copy(old, new)
        await repositories.chats.note_move(old, new)
    for ref in await repositories.chat_tables.in_chat(old):
        await _move_table(repositories, ref, new)
    await repositories.chats.forget(old)
    await repositories.leaderboards.forget(old)
    await repositories.chat_tables.forget_chat(old)


async def _move_table(repositories: Repositories, ref: str, chat: int) -> None:
    chat_table = await repositories.chat_tables.find(ref)
    if chat_table is not None and chat_table.chat != chat:  # messages sent since an earlier move can be edited
        await repositories.messages.forget_ids(ref)
        await repositories.chat_tables.save(structs.replace(chat_table, chat=chat, thread=None))
