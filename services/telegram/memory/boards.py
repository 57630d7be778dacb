"""Leaderboards: who has won how often, by chat and game."""

from collections.abc import Iterable

from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.memory.chats import Chats
from services.telegram.memory.people import People
from services.telegram.records import Room, Standing

COUNT_ONCE = """
if redis.call('HSETNX', KEYS[1], ARGV[1], '1') == 1 then
  for i = 2, #ARGV, 2 do
    redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
"""
"""Adds to a hash's numbers, unless its field named first says that this was done. A script, because redis-py runs a
transaction on a cluster in a thread and waits for it."""
COUNTED = "counted:"
"""How the field of a counted match begins."""


class Boards:
    """The leaderboards of all chats."""

    def __init__(self, redis: Redis, people: People, chats: Chats) -> None:
        self._redis = redis
        self._people = people
        self._chats = chats

    async def count(self, room: Room, match: int, winners: Iterable[int], players: Iterable[int]) -> None:
        """Count a finished match, once."""
        mark = f"{COUNTED}{room.ref}:{match}"
        shown = [user for user in players if not await self._is_hidden(user)]
        for user in shown:
            await typed.sadd(self._redis, keys.boards_of(user), str(room.chat))
        won = set(winners)
        counts = [
            part
            for user in shown
            for part in (f"{room.game}:{user}:matches", "1", f"{room.game}:{user}:wins", str(int(user in won)))
        ]
        await typed.answered(self._redis.eval(COUNT_ONCE, 1, keys.board(room.chat), mark, *counts))

    async def _is_hidden(self, user: int) -> bool:
        person = await self._people.person(user)
        return person is None or person.hidden

    async def standings(self, chat: int, game: str) -> list[Standing]:
        """Return a game's results in a chat."""
        fields = await typed.hgetall(self._redis, keys.board(chat))
        users = sorted({int(name.split(":")[1]) for name in fields if name.startswith(f"{game}:")})
        return [
            Standing(user, person.name, int(fields.get(f"{game}:{user}:wins", 0)), int(matches))
            for user in users
            if (matches := fields.get(f"{game}:{user}:matches")) and (person := await self._people.person(user))
        ]

    async def hide(self, user: int) -> None:
        """Take a person off every leaderboard, for good."""
        await self._people.mark_hidden(user)
        for chat in await typed.smembers(self._redis, keys.boards_of(user)):
            board = keys.board(await self._chats.whereabouts(int(chat)))
            for name in await typed.hgetall(self._redis, board):
                if f":{user}:" in name and not name.startswith(COUNTED):
                    await typed.hdel(self._redis, board, name)
        await self._redis.delete(keys.boards_of(user))

    async def copy(self, old: int, new: int) -> None:
        """Give one chat's leaderboard to another."""
        await typed.copy(self._redis, keys.board(old), keys.board(new))

    async def forget(self, chat: int) -> None:
        """Delete a chat's leaderboard."""
        await self._redis.delete(keys.board(chat))
