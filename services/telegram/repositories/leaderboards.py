"""Repository of leaderboards: numbers of matches and of wins, and ratings, by chat, game and person."""

from collections.abc import Mapping

from redis.asyncio import Redis

from services.telegram.ratings import Rating, RatingChange, rated
from services.telegram.records import ChatTable, Standing
from services.telegram.repositories import connection, keys
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository

COUNT_ONCE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
for i = 2, #ARGV, 3 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[1], '1')
for i = 2, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
end
return 1
"""
"""Lua: sets fields of a hash that were computed from what was read there, unless the field ARGV[1] marks that as done.

KEYS[1]: the hash. ARGV: the mark; then for each field its name, the value that was read, and the new one. Returns 0,
having written nothing, where another value stands there by now: it is to be read and computed again. A script, because
redis-py runs a transaction on a cluster in a thread and waits for it.
"""
COUNTED = "counted:"
"""Prefix of the fields that mark counted matches."""


class LeaderboardRepository:
    """The leaderboards of all chats."""

    def __init__(self, redis: Redis, people: PersonRepository, chats: ChatRepository) -> None:
        self._redis = redis
        self._people = people
        self._chats = chats

    async def count(self, chat_table: ChatTable, match: int, places: Mapping[int, int]) -> None:
        """Count a finished match once, however often it is reported; people who left all leaderboards are skipped.

        `places` gives each person's place, 0 for a winner, equal for those who tie. A win counts against everybody at
        the table; ratings compare people alone.
        """
        shown = {user: place for user, place in places.items() if not await self._is_hidden(user)}
        for user in shown:
            await connection.sadd(self._redis, keys.leaderboards_of(user), str(chat_table.chat))
        board, mark = keys.leaderboard(chat_table.chat), f"{COUNTED}{_match_of(chat_table, match)}"
        counted = False
        while not counted:
            before = await connection.hgetall(self._redis, board)
            after = _counted(before, chat_table, match, shown)
            changes = [part for name, value in after.items() for part in (name, before.get(name, ""), value)]
            counted = bool(await connection.answer_of(self._redis.eval(COUNT_ONCE, 1, board, mark, *changes)))

    async def _is_hidden(self, user: int) -> bool:
        person = await self._people.person(user)
        return person is None or person.hidden

    async def standings(self, chat: int, game: str) -> list[Standing]:
        """Return the results of one game in a chat, ordered by person's id."""
        fields = await connection.hgetall(self._redis, keys.leaderboard(chat))
        users = sorted({int(name.split(":")[1]) for name in fields if name.startswith(f"{game}:")})
        return [
            Standing(
                user,
                person.name,
                int(fields.get(f"{game}:{user}:wins", 0)),
                int(matches),
                Rating.from_text(fields.get(f"{game}:{user}:rating")),
            )
            for user in users
            if (matches := fields.get(f"{game}:{user}:matches")) and (person := await self._people.person(user))
        ]

    async def changes(self, chat_table: ChatTable, match: int) -> dict[int, RatingChange]:
        """Return by person how a match changed their ratings; known until their next match in the chat ends."""
        fields = await connection.hgetall(self._redis, keys.leaderboard(chat_table.chat))
        found = {}
        for name, value in fields.items():
            game, user, kind = (*name.split(":"), "", "")[:3]
            counted, _, before = value.partition(" ")
            if (game, kind, counted) == (chat_table.game, "change", _match_of(chat_table, match)):
                after = Rating.from_text(fields.get(f"{game}:{user}:rating"))
                found[int(user)] = RatingChange(after, after.points - int(before))
        return found

    async def counts_of(self, user: int) -> list[tuple[int, dict[str, str]]]:
        """Return a person's numbers in each chat by `game:wins`, `game:matches`, `game:rating` and `game:change`."""
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


def _match_of(chat_table: ChatTable, match: int) -> str:
    return f"{chat_table.ref}:{match}"


def _counted(before: Mapping[str, str], chat_table: ChatTable, match: int, places: Mapping[int, int]) -> dict[str, str]:
    """Return the fields of a leaderboard that a match changes, by name, from those before it."""
    game, fields = chat_table.game, dict[str, str]()
    for user, place in places.items():
        for name, more in (("matches", 1), ("wins", int(place == 0))):
            field = f"{game}:{user}:{name}"
            fields[field] = str(int(before.get(field, 0)) + more)
    ratings = {user: Rating.from_text(before.get(f"{game}:{user}:rating")) for user in places}
    for user, rating in rated(ratings, places).items():
        fields[f"{game}:{user}:rating"] = rating.to_text()
        fields[f"{game}:{user}:change"] = f"{_match_of(chat_table, match)} {ratings[user].points}"
    return fields
