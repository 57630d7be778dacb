"""Everything that the bot stores about one person, to export or delete it."""

from datetime import UTC, datetime
from typing import Any

from msgspec import structs, to_builtins

from locanda.messages import JsonObject
from services.telegram.records import ChatTable, HandSlot, slot_to_field
from services.telegram.repositories import keys
from services.telegram.repositories.chat_tables import ChatTableRepository, ShuffleRepository
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.repositories.seasons import SeasonRepository

BY_PERSON = {
    "selected_cards": keys.selected,
    "vote_to_close": keys.votes,
    "left_match": keys.left,
    "to_leave": keys.departures,
}
"""Hashes of a table with a field for each person, by what the field is called in the person's file."""
MESSAGES = (keys.messages, keys.messages_of_0_1)
"""Hashes of a table with a field for each person's hand."""
SECRETS = (keys.tokens, keys.seat_requests)
"""Hashes of a table with a field for each person that is good for their seat: the file says only that there is one."""
NOBODY = 0
"""The opener of a table whose opener has had themselves forgotten."""


class PersonalData:
    """What is stored on people, over all keys."""

    def __init__(
        self,
        redis: RememberedRedis,
        people: PersonRepository,
        chats: ChatRepository,
        chat_tables: ChatTableRepository,
        shuffles: ShuffleRepository,
        leaderboards: LeaderboardRepository,
        seasons: SeasonRepository,
    ) -> None:
        self._redis = redis
        self._people = people
        self._chats = chats
        self._chat_tables = chat_tables
        self._shuffles = shuffles
        self._leaderboards = leaderboards
        self._seasons = seasons

    async def of(self, user: int) -> JsonObject:
        """Return all that is stored on a person, with the names of their chats."""
        person = await self._people.person(user)
        tables = [await self._at_table(table, user) for table in await self._tables()]
        return {
            "person": None if person is None else to_builtins(person),
            "tables": [table for table in tables if table],
            "results": [
                {"chat": (await self._chats.chat(chat)).title, **results}
                for chat, results in await self._leaderboards.results_of(user)
            ],
            "evenings": [
                {"begins": datetime.fromtimestamp(evening.starts, UTC).isoformat(), "comes": comes}
                for evening, comes in await self._seasons.evenings_of(user)
            ],
            "choices_in_private": await self._redis.hgetall(keys.choices(user)),
        }

    async def _tables(self) -> list[ChatTable]:
        return await self._chat_tables.load(await self._chat_tables.refs())

    async def _at_table(self, table: ChatTable, user: int) -> JsonObject:
        """Return what a table's keys hold on a person; empty if nothing."""
        ref, found = table.ref, dict[str, Any]()
        for name, key in BY_PERSON.items():
            found[name] = await self._redis.hget(key(ref), str(user))
        hand = slot_to_field(HandSlot(ref, user))
        shown = [await self._redis.hget(key(ref), hand) for key in MESSAGES]
        seated = [await self._redis.hget(key(ref), str(user)) for key in SECRETS]
        found |= {
            "seat": "yes" if any(seated) else None,
            "opened_it": "yes" if table.opener == user else None,
            "message": next((each for each in shown if each is not None), None),
            "client_seeds": await self._shuffles.seeds_of(ref, user) or None,
        }
        found = {name: value for name, value in found.items() if value is not None}
        chat = await self._chats.chat(table.chat)
        return {"chat": chat.title or "private", "game": table.game, **found} if found else {}

    async def forget(self, user: int) -> None:
        """Delete everything. The caller has let the person leave, and deleted the tables of their private chat."""
        await self._seasons.hide(user)
        for table in await self._tables():
            if table.chat == user:
                await self._chat_tables.delete(table)
            else:
                await self._forget_at(table, user)
        await self._people.forget(user)
        await self._chats.forget(user)
        await self._chat_tables.forget_chat(user)
        await self._redis.delete(keys.tables_of(user))

    async def _forget_at(self, table: ChatTable, user: int) -> None:
        ref = table.ref
        for key in (*BY_PERSON.values(), *SECRETS):
            await self._redis.hdel(key(ref), str(user))
        for key in MESSAGES:
            await self._redis.hdel(key(ref), slot_to_field(HandSlot(ref, user)))
        await self._shuffles.forget_person(ref, user)
        if table.opener == user:
            await self._chat_tables.save(structs.replace(table, opener=NOBODY))
