"""All repositories in one object."""

from collections.abc import Callable

from redis.asyncio import Redis

from services.telegram.evenings.repository import EveningRepository
from services.telegram.repositories.bot_state import AbilityRepository, DeliveryRepository, UpdateRepository
from services.telegram.repositories.changes import Changes
from services.telegram.repositories.chat_tables import (
    ChatTableRepository,
    MessageRepository,
    SeatRepository,
    ShuffleRepository,
    VoteRepository,
)
from services.telegram.repositories.decisions import DecisionRepository
from services.telegram.repositories.keys import Subject
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.remembered import RememberedRedis, always
from services.telegram.repositories.titles import TitleRepository
from services.telegram.seasons.repository import SeasonRepository


class Repositories:
    """All repositories on one Redis client, which must decode answers to text.

    They cache values, so only one process at a time may use them. `leads` returns whether this process may.
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
        self.decisions = DecisionRepository(self.redis, self.chats)
        self.titles = TitleRepository(self.redis, self.chats)

    async def tables_of(self, subject: Subject) -> list[str]:
        """Return the references of the tables whose messages may change with a subject."""
        if subject.kind == "table":
            return [subject.name]
        refs = list[str]()
        if subject.kind == "chat":
            refs = await self.chat_tables.in_chat(int(subject.name))
        elif subject.kind == "person":
            refs = await self.seats.tables_of(int(subject.name))
        return [chat_table.ref for chat_table in await self.chat_tables.load(refs) if not chat_table.over]
