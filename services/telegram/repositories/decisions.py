"""Repository of groups' decisions about their evenings and seasons."""

from msgspec import structs

from services.telegram.play.decisions import GroupDecision
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis

DECISION = "decision:"
"""Prefix of the fields with people's proposals; the person's id follows."""


class DecisionRepository:
    """The last proposal of each person in each group."""

    def __init__(self, redis: RememberedRedis, chats: ChatRepository) -> None:
        self._redis = redis
        self._chats = chats
        self._records = Records(redis)

    async def find(self, chat: int, by: int) -> GroupDecision | None:
        """Return a person's last proposal in a group, or None."""
        return await self._records.find(keys.evenings_of(chat), f"{DECISION}{by}", GroupDecision)

    async def save(self, chat: int, decision: GroupDecision) -> None:
        """Store a proposal, replacing the person's last one in the group."""
        await self._records.save(keys.evenings_of(chat), f"{DECISION}{decision.by}", decision)

    async def of_person(self, user: int) -> list[tuple[int, GroupDecision]]:
        """Return the proposals that a person has made or voted on, with their chats."""
        known = await self._redis.smembers(keys.PLANNED) | await self._redis.smembers(keys.SEASONS)
        return [
            (chat, decision)
            for chat in sorted({await self._chats.current_id(int(chat_name)) for chat_name in known})
            for decision in (await self._records.all(keys.evenings_of(chat), GroupDecision, DECISION)).values()
            if user == decision.by or user in decision.votes
        ]

    async def forget_person(self, user: int) -> None:
        """Delete a person's proposals and votes."""
        for chat, decision in await self.of_person(user):
            if decision.by == user:
                await self._redis.hdel(keys.evenings_of(chat), f"{DECISION}{user}")
            else:
                votes = {voter: agrees for voter, agrees in decision.votes.items() if voter != user}
                await self.save(chat, structs.replace(decision, votes=votes))
