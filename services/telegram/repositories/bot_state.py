"""Repositories of the bot's own state: unhandled updates, pending deliveries, features of the Bot API server.

Updates and deliveries survive a restart: the bot then finishes what it had confirmed to Telegram or begun to send.
"""

from collections.abc import Iterable, Mapping

import msgspec

from services.telegram.records import StoredDelivery
from services.telegram.repositories import forms, keys
from services.telegram.repositories.remembered import RememberedRedis


class UpdateRepository:
    """Unhandled updates, as JSON by id. They may have been confirmed to Telegram already."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis

    async def keep(self, updates: Mapping[int, str]) -> None:
        """Store updates before they are confirmed."""
        await self._redis.hset(keys.UPDATES, {str(number): text for number, text in updates.items()})

    async def announce(self, number: int) -> None:
        """Announce a stored update to the leader."""
        await self._redis.rpush(keys.ARRIVALS, str(number))

    async def forget_announcements(self) -> None:
        """Delete all announcements; the caller then loads every stored update."""
        await self._redis.delete(keys.ARRIVALS)

    async def announced(self, seconds: float) -> tuple[int, str] | None:
        """Wait for an announced update; return its id and JSON, or None if none comes or it was handled already."""
        popped = await self._redis.blpop([keys.ARRIVALS], timeout=seconds)
        text = None if popped is None else await self._redis.hget(keys.UPDATES, popped[1])
        return None if text is None else (int(popped[1]), text)

    async def forget(self, number: int) -> None:
        """Delete an update that was handled."""
        await self._redis.hdel(keys.UPDATES, str(number))

    async def load(self) -> dict[int, str]:
        """Return all stored updates, oldest first."""
        texts = await self._redis.hgetall(keys.UPDATES)
        return {int(number): texts[number] for number in sorted(texts, key=int)}


class DeliveryRepository:
    """Pending messages and deletions, by a name for their subject: a slot or a message."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._left_alone: set[str] = set()
        """Names of deliveries that this release cannot read and must not overwrite."""

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store the deliveries in `changed`, and delete the finished deliveries in `removed`."""
        written = {name: delivery for name, delivery in changed.items() if name not in self._left_alone}
        if written:
            encoded = {name: msgspec.json.encode(delivery).decode() for name, delivery in written.items()}
            await self._redis.hset(keys.DELIVERIES, encoded)
        done = set(removed) - self._left_alone
        if done:
            await self._redis.hdel(keys.DELIVERIES, *done)

    async def note_newest(self, messages: Mapping[int, int]) -> None:
        """Store the newest message ids by sequence; `sending/lost_messages.py` explains the sequences."""
        await self._redis.hset(keys.NEWEST, {str(sequence): message for sequence, message in messages.items()})

    async def newest(self) -> dict[int, int]:
        """Return the newest message ids by sequence."""
        fields = await self._redis.hgetall(keys.NEWEST)
        return {int(sequence): int(message) for sequence, message in fields.items()}

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries that this release can read. Deliveries of a later release stay stored."""
        deliveries: dict[str, StoredDelivery] = {}
        for name, text in (await self._redis.hgetall(keys.DELIVERIES)).items():
            try:
                deliveries[name] = forms.decode(text, StoredDelivery)
            except msgspec.MsgspecError as error:
                if name not in self._left_alone:
                    self._left_alone.add(name)
                    forms.log_left_alone("deliveries", error)
        return deliveries


# --- features of the Bot API server: custom emoji, ephemeral messages

BELIEVED_SECONDS = 7 * 24 * 3600
"""Seconds for which a server's known features stay stored; after that the server may have been upgraded."""


class AbilityRepository:
    """Custom emoji, announcements made, and features of Bot API servers, shared by all processes of the bot."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis

    async def emoji_ids(self) -> dict[str, str]:
        """Return the ids of the custom emoji by picture name; empty if the bot may not use them."""
        return await self._redis.hgetall(keys.CUSTOM_EMOJI)

    async def keep_emoji(self, ids: Mapping[str, str]) -> None:
        """Store the ids of the custom emoji."""
        await self._redis.hset(keys.CUSTOM_EMOJI, ids)

    async def forget_emoji(self) -> None:
        """Delete the ids of the custom emoji."""
        await self._redis.delete(keys.CUSTOM_EMOJI)

    async def announced(self, place: str) -> str | None:
        """Return the beginning of the maintenance announced in a chat or topic (ISO 8601), or None."""
        return await self._redis.hget(keys.ANNOUNCED, place)

    async def note_announced(self, place: str, begins: str) -> None:
        """Store that maintenance was announced in a chat or topic."""
        await self._redis.hset(keys.ANNOUNCED, {place: begins})

    async def forget_announcements(self) -> None:
        """Delete the records of announced maintenance, because it is over."""
        await self._redis.delete(keys.ANNOUNCED)

    async def has_ephemeral(self, server: str) -> bool | None:
        """Return whether the Bot API server at this address supports ephemeral messages; None if unknown."""
        flag = await self._redis.get(keys.ephemeral(server))
        return None if flag is None else flag == "1"

    async def record_ephemeral(self, server: str, *, known: bool) -> None:
        """Store whether the Bot API server at this address supports ephemeral messages."""
        await self._redis.set(keys.ephemeral(server), str(int(known)), ex=BELIEVED_SECONDS)
