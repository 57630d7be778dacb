"""Messages of a table: which one shows what, for which turn a phone has rung, and when somebody was last nudged."""

from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.memory.rooms import Rooms

DEAD = 0
"""The id of a message that was sent but cannot be edited any more."""
NUDGE_SECONDS = 60


class Messages:
    """What has been sent for each table."""

    def __init__(self, redis: Redis, rooms: Rooms) -> None:
        self._redis = redis
        self._rooms = rooms

    async def of(self, ref: str) -> dict[str, int]:
        """Return the ids of a table's messages by slot."""
        messages = await typed.hgetall(self._redis, keys.messages(ref))
        return {slot: int(message) for slot, message in messages.items()}

    async def place(self, ref: str, slot: str, message: int) -> None:
        """Remember which message fills a slot of a table that is still there."""
        if await self._rooms.room(ref) is not None:
            await typed.hset(self._redis, keys.messages(ref), {slot: message})

    async def bury(self, ref: str) -> None:
        """Count a table's messages as dead, but for the hands: these are in private chats."""
        dead = {slot: DEAD for slot in await self.of(ref) if not slot.startswith("hand:")}
        if dead:
            await typed.hset(self._redis, keys.messages(ref), dead)

    # --- who has been called

    async def rung(self, ref: str) -> dict[int, str]:
        """Return for which turn each person's phone has rung."""
        rung = await typed.hgetall(self._redis, keys.rung(ref))
        return {int(user): turn for user, turn in rung.items()}

    async def ring(self, ref: str, user: int, turn: str) -> None:
        """Remember that a person's phone has rung for this turn."""
        await typed.hset(self._redis, keys.rung(ref), {str(user): turn})

    async def may_nudge(self, ref: str) -> bool:
        """Tell whether a nudge is due at a table, and count it if so."""
        return bool(await self._redis.set(keys.nudged(ref), "1", nx=True, ex=NUDGE_SECONDS))
