"""Repositories of tables: tables by chat, seats, votes, shuffles, messages."""

import time
from collections.abc import Iterable
from secrets import token_urlsafe
from typing import cast

import msgspec
from msgspec import structs

from locanda.shuffle_check import KeptShuffle
from services.telegram.evenings.repository import EveningRepository
from services.telegram.records import (
    NO_ID,
    ChatTable,
    Departure,
    EveningSlot,
    HandSlot,
    SeatRequest,
    SelectedCards,
    ShownMessage,
    ShuffleOutcome,
    SummarySlot,
    TableSlot,
    slot_from_field,
    slot_to_field,
)
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.remembered import RememberedRedis

COMMITMENT, OUTCOME, GIVEN = "commitment", "outcome", "given"
"""Parts of field names (`keys.shuffles`)."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUDGE_SECONDS = 60
MOST_NUDGES, NUDGES_COUNT_SECONDS = 3, 86_400
TOUCH_SECONDS = 60.0
"""Minimum seconds between two records of a table's use: idle times are measured in hours."""


class ShuffleRepository:
    """Data to check shuffles, by match: the commitment, people's client seeds, and the outcome of the check."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis

    async def keep_commitment(self, ref: str, engine: str, match: int, commitment: str) -> None:
        """Store a match's commitment before the match. A stored commitment is never replaced."""
        await self._redis.hsetnx(keys.shuffles(ref), f"{engine}:{match}:{COMMITMENT}", commitment)

    async def keep_seed(self, ref: str, engine: str, match: int, user: int, seed: str) -> str:
        """Store a person's client seed for a match, unless one is stored already; return the stored seed to send."""
        await self._redis.hsetnx(keys.shuffles(ref), f"{engine}:{match}:{user}", seed)
        return await self._redis.hget(keys.shuffles(ref), f"{engine}:{match}:{user}") or seed

    async def confirm_seed(self, ref: str, engine: str, match: int, user: int) -> None:
        """Record that the engine has accepted a person's client seed."""
        await self._redis.hset(keys.shuffles(ref), {f"{engine}:{match}:{user}:{GIVEN}": "1"})

    async def kept(self, ref: str, engine: str, match: int) -> tuple[str | None, dict[int, KeptShuffle]]:
        """Return a match's commitment, and the client seed of each person that its proofs must contain."""
        start = f"{engine}:{match}:"
        fields = await self._redis.hgetall(keys.shuffles(ref))
        kept_fields = {name.removeprefix(start): value for name, value in fields.items() if name.startswith(start)}
        commitment = kept_fields.get(COMMITMENT)
        return commitment, {
            int(name): KeptShuffle(commitment or "", (seed,), confirmed=f"{name}:{GIVEN}" in kept_fields)
            for name, seed in kept_fields.items()
            if name.isdecimal()
        }

    async def seeds_of(self, ref: str, user: int) -> list[str]:
        """Return all client seeds of a person at a table."""
        fields = await self._redis.hgetall(keys.shuffles(ref))
        return [value for name, value in fields.items() if name.split(":")[2:] == [str(user)]]

    async def forget_person(self, ref: str, user: int) -> None:
        """Delete the client seeds of a person who has left the table."""
        for name in await self._redis.hgetall(keys.shuffles(ref)):
            if name.split(":")[2] == str(user):
                await self._redis.hdel(keys.shuffles(ref), name)

    async def outcome(self, ref: str, engine: str, match: int) -> ShuffleOutcome | None:
        """Return the outcome of a match's shuffle check; None until it is done."""
        outcome = await self._redis.hget(keys.shuffles(ref), f"{engine}:{match}:{OUTCOME}")
        return cast("ShuffleOutcome | None", outcome)

    async def record_outcome(self, ref: str, engine: str, match: int, outcome: ShuffleOutcome) -> None:
        """Store the outcome of a match's shuffle check."""
        await self._redis.hset(keys.shuffles(ref), {f"{engine}:{match}:{OUTCOME}": outcome})


class SeatRepository:
    """People's seats: tokens, pending requests, departures, selected cards."""

    def __init__(self, redis: RememberedRedis, shuffles: ShuffleRepository) -> None:
        self._redis = redis
        self._records = Records(redis)
        self._shuffles = shuffles

    async def save(self, ref: str, user: int, token: str) -> None:
        """Store the token of a person's seat, and delete an earlier departure."""
        await self.forget_departure(ref, user)
        await self._redis.hset(keys.tokens(ref), {str(user): token})
        await self._redis.sadd(keys.tables_of(user), ref)

    async def forget(self, ref: str, user: int) -> None:
        """Delete a person's seat, with their selected cards, vote and client seeds."""
        for key in (keys.tokens, keys.selected, keys.votes):
            await self._redis.hdel(key(ref), str(user))
        await self._shuffles.forget_person(ref, user)
        await self._redis.srem(keys.tables_of(user), ref)

    async def lose(self, ref: str, user: int) -> None:
        """Delete a seat that the person has lost. Unless another reason is stored, their hand will say "removed"."""
        await self._redis.hsetnx(keys.departures(ref), str(user), "removed")
        await self.forget(ref, user)

    async def ban(self, ref: str, user: int) -> None:
        """Bar a person from taking a seat at a table again."""
        await self._redis.hset(keys.banned(ref), {str(user): "1"})

    async def is_banned(self, ref: str, user: int) -> bool:
        """Return whether a person is barred from taking a seat at a table."""
        return await self._redis.hget(keys.banned(ref), str(user)) is not None

    async def record(self, ref: str, user: int, match: int, seat: int) -> None:
        """Record a person's seat in a match, so that the match counts for them even if they leave."""
        await self._redis.hset(keys.left(ref), {str(user): f"{match}:{seat}"})

    async def recorded(self, ref: str, match: int) -> dict[int, int | None]:
        """Return the recorded people of a match with their seats; the seat is None in records of earlier releases."""
        left = await self._redis.hgetall(keys.left(ref))
        parts = {int(user): value.partition(":") for user, value in left.items()}
        return {
            user: int(seat) if seat else None
            for user, (number, _, seat) in sorted(parts.items())
            if number == str(match)
        }

    async def has_played(self, ref: str, user: int) -> bool:
        """Return whether a person has played a match at a table."""
        return await self._redis.hget(keys.left(ref), str(user)) is not None

    async def token(self, ref: str, user: int) -> str | None:
        """Return the token of a person's seat, or None."""
        return await self._redis.hget(keys.tokens(ref), str(user))

    async def tokens(self, ref: str) -> dict[int, str]:
        """Return the tokens of a table's seats by person."""
        tokens = await self._redis.hgetall(keys.tokens(ref))
        return {int(user): token for user, token in tokens.items()}

    # --- requests for seats whose answers are not stored yet

    async def request(self, ref: str, user: int) -> SeatRequest | None:
        """Return a person's pending request for a seat, or None."""
        return await self._records.find(keys.seat_requests(ref), str(user), SeatRequest)

    async def requesters(self, ref: str) -> list[int]:
        """Return the people with pending requests at a table."""
        return [int(user) for user in await self._redis.hgetall(keys.seat_requests(ref))]

    async def save_request(self, ref: str, user: int, request: SeatRequest) -> None:
        """Store a request for a seat before it is sent."""
        encoded = msgspec.json.encode(request).decode()
        await self._redis.hset(keys.seat_requests(ref), {str(user): encoded})

    async def forget_request(self, ref: str, user: int) -> None:
        """Delete a request for a seat, after its answer was stored or it was refused."""
        await self._redis.hdel(keys.seat_requests(ref), str(user))

    # --- departures

    async def save_departure(self, ref: str, user: int, why: Departure) -> None:
        """Store why a person leaves a table. While a token is also stored, they still have to leave at the engine."""
        await self._redis.hset(keys.departures(ref), {str(user): why})

    async def departures(self, ref: str) -> dict[int, Departure]:
        """Return why people have left a table, by person. People with a token must still leave the engine's table."""
        reasons = await self._redis.hgetall(keys.departures(ref))
        return {int(user): cast("Departure", why) for user, why in reasons.items()}

    async def forget_departure(self, ref: str, user: int) -> None:
        """Delete a departure, because the person takes a seat again."""
        await self._redis.hdel(keys.departures(ref), str(user))

    # --- the tables of a person

    async def tables_of(self, user: int) -> list[str]:
        """Return the references of the tables at which a person sits."""
        return sorted(await self._redis.smembers(keys.tables_of(user)))

    async def forget_table(self, ref: str) -> None:
        """Remove a table from the lists of all people seated at it."""
        for user in await self.tokens(ref):
            await self._redis.srem(keys.tables_of(user), ref)

    # --- selected cards

    async def selected(self, ref: str, user: int, version: int) -> frozenset[int]:
        """Return the indices of the cards that a person has selected at this version of the table."""
        cards = await self._records.find(keys.selected(ref), str(user), SelectedCards)
        return cards.places if cards is not None and cards.version == version else frozenset()

    async def select(self, ref: str, user: int, version: int, places: frozenset[int]) -> None:
        """Store the indices of the cards that a person has selected at a version of the table."""
        cards = msgspec.json.encode(SelectedCards(version, places)).decode()
        await self._redis.hset(keys.selected(ref), {str(user): cards})


class ChatTableRepository:
    """The tables of all chats, with the times of their last use."""

    def __init__(self, redis: RememberedRedis, seats: SeatRepository) -> None:
        self._redis = redis
        self._records = Records(redis)
        self._seats = seats
        self._touched: dict[str, float] = {}
        """When each table's use was last recorded (Unix seconds)."""

    async def find(self, ref: str) -> ChatTable | None:
        """Return a table, or None."""
        return await self._records.find(keys.chat_table(ref), "room", ChatTable)

    async def save(self, chat_table: ChatTable) -> None:
        """Store a table."""
        await self._records.save(keys.chat_table(chat_table.ref), "room", chat_table)
        await self._redis.sadd(keys.tables_in(chat_table.chat), chat_table.ref)
        await self.touch(chat_table.ref)

    async def touch(self, ref: str) -> None:
        """Record that a table is in use now."""
        now = time.time()
        if now - self._touched.get(ref, 0.0) > TOUCH_SECONDS:
            await self._redis.zadd(keys.LIVE, {ref: now})
            self._touched[ref] = now

    async def delete(self, chat_table: ChatTable) -> None:
        """Delete a table and everything stored for it."""
        await self._seats.forget_table(chat_table.ref)
        await self._redis.srem(keys.tables_in(chat_table.chat), chat_table.ref)
        self._touched.pop(chat_table.ref, None)
        await self._redis.zrem(keys.LIVE, chat_table.ref)
        for key in keys.OF_A_TABLE:
            await self._redis.delete(key(chat_table.ref))

    # --- lists of tables

    async def refs(self, *, idle_since: float | None = None) -> list[str]:
        """Return the references of all tables, or of those last used before a time (Unix seconds)."""
        most = "+inf" if idle_since is None else idle_since
        return cast("list[str]", await self._redis.zrangebyscore(keys.LIVE, "-inf", most))

    async def load(self, refs: Iterable[str]) -> list[ChatTable]:
        """Return the existing tables, ordered by letter."""
        chat_tables = [chat_table for chat_table in [await self.find(ref) for ref in refs] if chat_table is not None]
        return sorted(chat_tables, key=lambda chat_table: chat_table.letter)

    async def all(self, *, idle_since: float | None = None) -> list[ChatTable]:
        """Return all tables, or those last used before a time (Unix seconds), ordered by letter."""
        return await self.load(await self.refs(idle_since=idle_since))

    async def of_person(self, user: int) -> list[ChatTable]:
        """Return the tables at which a person sits."""
        return await self.load(await self._seats.tables_of(user))

    async def in_chat(self, chat: int) -> list[str]:
        """Return the references of a chat's tables."""
        return sorted(await self._redis.smembers(keys.tables_in(chat)))

    async def forget_chat(self, chat: int) -> None:
        """Delete the list of a chat's tables."""
        await self._redis.delete(keys.tables_in(chat))

    async def siblings(self, chat: int, thread: int | None, *, of: str = "") -> list[ChatTable]:
        """Return the unfinished tables of a chat or topic, and the finished tables of the evening `of`."""
        return [
            sibling
            for sibling in await self.load(await self.in_chat(chat))
            if sibling.thread == thread and not sibling.closed and (not sibling.over or (of and sibling.evening == of))
        ]

    async def free_letter(self, chat: int, thread: int | None, *, of: str | None = None) -> str:
        """Return the first letter that no table of the chat or topic has, except the table `of`."""
        taken = {chat_table.letter for chat_table in await self.siblings(chat, thread) if chat_table.ref != of}
        return next((letter for letter in LETTERS if letter not in taken), "Z")

    async def record_presented_version(self, ref: str, version: int) -> None:
        """Store the version up to which messages were sent, from which release 0.1.0 would continue."""
        await self._redis.hset(keys.chat_table(ref), {"told": version})


class MessageRepository:
    """Messages of tables and evenings by slot; nudges of tables."""

    def __init__(self, redis: RememberedRedis, chat_tables: ChatTableRepository, evenings: EveningRepository) -> None:
        self._redis = redis
        self._records = Records(redis)
        self._chat_tables = chat_tables
        self._evenings = evenings

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return a table's messages by slot."""
        stored = await self._redis.hgetall(keys.messages_of_0_1(ref))
        records = {field: ShownMessage(int(message)) for field, message in stored.items()}
        records |= await self._records.all(keys.messages(ref), ShownMessage)
        slots = {slot_from_field(ref, field): message for field, message in records.items()}
        return {slot: message for slot, message in slots.items() if slot is not None}

    async def by_slot(self, ref: str) -> dict[TableSlot, int]:
        """Return the ids of a table's messages by slot; `NO_ID` for a message that cannot be edited."""
        return {slot: record.id for slot, record in (await self.shown(ref)).items() if record.id is not None}

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Store the message of a slot, unless its table or evening was deleted."""
        of_evening = isinstance(slot, EveningSlot | SummarySlot)
        if await (self._evenings if of_evening else self._chat_tables).find(slot.ref) is not None:
            await self._save(slot, message)

    async def record_id(self, slot: TableSlot, message: int) -> None:
        """Store the id of a slot's message; the table need not be stored yet."""
        before = (await self.shown(slot.ref)).get(slot, ShownMessage())
        await self._save(slot, structs.replace(before, id=message, begun=None))

    async def _save(self, slot: TableSlot, message: ShownMessage) -> None:
        encoded = msgspec.json.encode(message).decode()
        await self._redis.hset(keys.messages(slot.ref), {slot_to_field(slot): encoded})

    async def forget(self, slot: TableSlot) -> None:
        """Delete the record of a slot's message; the message stays in the chat."""
        for key in (keys.messages, keys.messages_of_0_1):
            await self._redis.hdel(key(slot.ref), slot_to_field(slot))

    async def forget_ids(self, ref: str) -> None:
        """Mark a table's messages as not editable, except hands, which are in private chats."""
        for slot in await self.by_slot(ref):
            if not isinstance(slot, HandSlot):
                await self.record_id(slot, NO_ID)

    # --- nudges

    async def may_nudge(self, ref: str, update: str, version: int) -> bool:
        """Return whether an update may nudge at a table, and count the nudge if so. The same update may try again.

        At most one nudge is allowed a minute, and three a day at the same version of the table.
        """
        if not await self._holds(keys.nudged(ref), update, NUDGE_SECONDS):
            return False
        for number in range(MOST_NUDGES):
            if await self._holds(keys.nudges(ref, version, number), update, NUDGES_COUNT_SECONDS):
                return True
        return False

    async def _holds(self, key: str, update: str, seconds: int) -> bool:
        """Return whether the update holds the key; take a free key for these seconds."""
        return bool(await self._redis.set(key, update, nx=True, ex=seconds)) or await self._redis.get(key) == update


def new_ref() -> str:
    """Return a new reference for a table: 8 random characters of A-Z, a-z, 0-9, `-` and `_`."""
    return token_urlsafe(6)


class VoteRepository:
    """Votes on closing a table during its current match."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis

    async def cast(self, ref: str, match: int, user: int) -> None:
        """Store a person's vote to close the table."""
        await self._redis.hset(keys.votes(ref), {str(user): f"{match}:1"})

    async def of_match(self, ref: str, match: int) -> list[int]:
        """Return the people who have voted in this match to close the table."""
        votes = await self._redis.hgetall(keys.votes(ref))
        return [int(user) for user, vote in votes.items() if vote == f"{match}:1"]

    async def was_answered(self, ref: str, match: int, user: int) -> bool:
        """Return whether a person has asked in this match to close the table, and the vote failed."""
        return await self._redis.hget(keys.asked(ref), str(user)) == f"{match}:kept"

    async def note_question(self, ref: str, match: int, user: int) -> None:
        """Record that a person has asked in this match to close the table."""
        await self._redis.hset(keys.asked(ref), {str(user): str(match)})

    async def keep(self, ref: str, match: int) -> None:
        """End a failed vote: delete all votes at a table, and mark this match's questions as answered."""
        asked = await self._redis.hgetall(keys.asked(ref))
        answered = {user: f"{match}:kept" for user, question in asked.items() if question == str(match)}
        if answered:
            await self._redis.hset(keys.asked(ref), answered)
        await self._redis.delete(keys.votes(ref))
