"""Repository of leaderboards: numbers of matches and of wins by chat, game and person."""

from collections.abc import Iterable

from redis.asyncio import Redis

from services.telegram.records import ChatTable, Standing
from services.telegram.repositories import connection, keys
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository

COUNT_ONCE = """
if redis.call('HSETNX', KEYS[1], ARGV[1], '1') == 1 then
  for i = 2, #ARGV, 2 do
    redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
"""
"""Lua: adds numbers to fields of a hash, unless the field ARGV[1] marks that this was done.

KEYS[1]: the hash. ARGV: the mark, then fields and numbers in turn. Returns nothing. A script, because redis-py runs a
transaction on a cluster in a thread and waits for it.
"""
COUNTED = "counted:"
"""Prefix of the fields that mark counted matches."""


class LeaderboardRepository:
    """The leaderboards of all chats."""

    def __init__(self, redis: Redis, people: PersonRepository, chats: ChatRepository) -> None:
        self._redis = redis
        self._people = people
        self._chats = chats

    async def count(self, chat_table: ChatTable, match: int, winners: Iterable[int], players: Iterable[int]) -> None:
        """Count a finished match once, however often it is reported; people who left all leaderboards are skipped."""
        mark = f"{COUNTED}{chat_table.ref}:{match}"
        shown = [user for user in players if not await self._is_hidden(user)]
        for user in shown:
            await connection.sadd(self._redis, keys.leaderboards_of(user), str(chat_table.chat))
        won = set(winners)
        counts = [
            part
            for user in shown
            for part in (
                f"{chat_table.game}:{user}:matches",
                "1",
                f"{chat_table.game}:{user}:wins",
                str(int(user in won)),
            )
        ]
        await connection.answer_of(self._redis.eval(COUNT_ONCE, 1, keys.leaderboard(chat_table.chat), mark, *counts))

    async def _is_hidden(self, user: int) -> bool:
        person = await self._people.person(user)
        return person is None or person.hidden

    async def standings(self, chat: int, game: str) -> list[Standing]:
        """Return the results of one game in a chat, ordered by person's id."""
        fields = await connection.hgetall(self._redis, keys.leaderboard(chat))
        users = sorted({int(name.split(":")[1]) for name in fields if name.startswith(f"{game}:")})
        return [
            Standing(user, person.name, int(fields.get(f"{game}:{user}:wins", 0)), int(matches))
            for user in users
            if (matches := fields.get(f"{game}:{user}:matches")) and (person := await self._people.person(user))
        ]

    async def counts_of(self, user: int) -> list[tuple[int, dict[str, str]]]:
        """Return a person's numbers in each chat by `game:wins` and `game:matches`."""
        found = []
        for listed in await connection.smembers(self._redis, keys.leaderboards_of(user)):
            chat = await self._chats.current_id(int(listed))
            fields = await connection.hgetall(self._redis, keys.leaderboard(chat))
            own = {name: value for name, value in fields.items() if f":{user}:" in name}
            found.append((chat, {name.replace(f":{user}:", ":"): value for name, value in own.items()}))
        return found

    async def hide(self, user: int) -> None:
        """Remove a person from every leaderboard, for good."""
        await self._people.mark_hidden(user)
        for chat in await connection.smembers(self._redis, keys.leaderboards_of(user)):
            board = keys.leaderboard(await self._chats.current_id(int(chat)))
            for name in await connection.hgetall(self._redis, board):
                if f":{user}:" in name and not name.startswith(COUNTED):
                    await connection.hdel(self._redis, board, name)
        await self._redis.delete(keys.leaderboards_of(user))

    async def copy(self, old: int, new: int) -> None:
        """Copy one chat's leaderboard to another."""
        await connection.copy(self._redis, keys.leaderboard(old), keys.leaderboard(new))

    async def forget(self, chat: int) -> None:
        """Delete a chat's leaderboard."""
        await self._redis.delete(keys.leaderboard(chat))
