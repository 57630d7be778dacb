"""All repositories in one object, the outbox's store, and the migration of a group to a supergroup."""

from collections.abc import Callable

from msgspec import structs
from redis.asyncio import Redis

from services.telegram.records import Departure, HandSlot, ShownMessage
from services.telegram.repositories.bot_state import AbilityRepository, DeliveryRepository, UpdateRepository
from services.telegram.repositories.changes import Changes
from services.telegram.repositories.chat_tables import (
    ChatTableRepository,
    MessageRepository,
    SeatRepository,
    ShuffleRepository,
    VoteRepository,
)
from services.telegram.repositories.evenings import EveningRepository
from services.telegram.repositories.keys import Subject
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.remembered import RememberedRedis, always
from services.telegram.repositories.seasons import SeasonRepository
from services.telegram.repositories.titles import TitleRepository


class Repositories:
    """The repositories over one Redis client, which must decode its answers to text.

    They remember what they have read, so only one process at a time may use them: `leads` returns whether this one may.
    """

    def __init__(self, redis: Redis, leads: Callable[[], bool] = always) -> None:
        self.changes = Changes()
        self.redis = RememberedRedis(redis, leads, self.changes)
        self.people = PersonRepository(self.redis)
        self.chats = ChatRepository(self.redis)
        self.shuffles = ShuffleRepository(self.redis)
        self.seats = SeatRepository(self.redis, self.shuffles)
        self.chat_tables = ChatTableRepository(self.redis, self.seats)
        self.evenings = EveningRepository(self.redis)
        self.messages = MessageRepository(self.redis, self.chat_tables, self.evenings)
        self.votes = VoteRepository(self.redis)
        self.updates = UpdateRepository(self.redis)
        self.deliveries = DeliveryRepository(self.redis)
        self.abilities = AbilityRepository(self.redis)
        self.leaderboards = LeaderboardRepository(self.redis, self.people, self.chats)
        self.seasons = SeasonRepository(self.redis, self.chats, self.leaderboards)
        self.titles = TitleRepository(self.redis, self.chats)

    async def tables_of(self, subject: Subject) -> list[str]:
        """Return the references of the tables whose messages a change concerns.

        Those of a match that is over stay as they were then, whatever changes of the chat or of a person.
        """
        if subject.kind == "table":
            return [subject.name]
        refs = list[str]()
        if subject.kind == "chat":
            refs = await self.chat_tables.in_chat(int(subject.name))
        elif subject.kind == "person":
            refs = await self.seats.tables_of(int(subject.name))
        return [chat_table.ref for chat_table in await self.chat_tables.load(refs) if not chat_table.over]


# --- what the outbox stores

REMOVED_FROM_GROUP = ("kicked", "not a member", "deactivated", "not found")
"""Parts of Telegram's error descriptions for a group in which the bot is no longer."""
PERSON_GONE = ("blocked", "deactivated")
"""Parts of Telegram's error descriptions for a person who has blocked the bot or deleted their account."""


class OutboxStore:
    """The store of the outbox (`DeliveryStore`)."""

    def __init__(self, repositories: Repositories) -> None:
        self._repositories = repositories
        self.shown = repositories.messages.shown
        self.record = repositories.messages.record
        self.forget = repositories.messages.forget
        self.load = repositories.deliveries.load
        self.write = repositories.deliveries.write
        self.note_newest = repositories.deliveries.note_newest
        self.newest = repositories.deliveries.newest

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of all tables and evenings, each with its chat, those of the table used last at the end.

        Of a group that has fixed an evening, at least one: what is sent after it can be looked for.
        """
        chat_tables, evenings = self._repositories.chat_tables, self._repositories.evenings
        found = [(chat, ShownMessage(await evenings.seen(chat))) for chat in await evenings.chats()]
        for evening in await evenings.known():
            found += [(evening.chat, message) for message in (await self.shown(evening.ref)).values()]
        return found + [
            (slot.user if isinstance(slot, HandSlot) else chat_table.chat, message)
            for chat_table in [await chat_tables.find(ref) for ref in await chat_tables.refs()]
            if chat_table is not None
            for slot, message in (await self.shown(chat_table.ref)).items()
        ]

    async def close_chat(self, chat: int, reason: str) -> None:
        """Store that the bot may not write to a chat; a person who is gone is to leave their tables."""
        if chat < 0:
            if any(text in reason for text in REMOVED_FROM_GROUP):
                await self._repositories.chats.set_presence(chat, present=False)
            return
        await self._repositories.people.update(chat, reachable=False)
        if any(text in reason for text in PERSON_GONE):
            await depart(self._repositories, chat, "left")

    async def move_chat(self, old: int, new: int) -> None:
        """Move everything of a group to the supergroup that it became."""
        await migrate(self._repositories, old, new)


async def depart(repositories: Repositories, user: int, why: Departure, *, chat: int | None = None) -> None:
    """Store that a person who is gone is to leave all their tables, or those of a group that they left."""
    for chat_table in await repositories.chat_tables.of_person(user):
        if chat in {None, chat_table.chat}:
            await repositories.seats.save_departure(chat_table.ref, user, why)


# --- groups that become supergroups


async def migrate(repositories: Repositories, old: int, new: int) -> None:
    """Move everything of a group to the supergroup that it became; the group's old messages cannot be edited there.

    Idempotent: settings and results that the supergroup has got since are kept. The list of the old group's tables is
    deleted last, so that a migration cut short can be resumed from it.
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
    for evening in await repositories.evenings.move(old, new):
        await repositories.messages.forget_ids(evening.ref)
    await repositories.chats.forget(old)
    await repositories.leaderboards.forget(old)
    await repositories.titles.move(old, new)
    await repositories.chat_tables.forget_chat(old)


async def _move_table(repositories: Repositories, ref: str, chat: int) -> None:
    chat_table = await repositories.chat_tables.find(ref)
    if chat_table is not None and chat_table.chat != chat:  # messages sent since an earlier move can be edited
        await repositories.messages.forget_ids(ref)
        await repositories.chat_tables.save(structs.replace(chat_table, chat=chat, thread=None))
