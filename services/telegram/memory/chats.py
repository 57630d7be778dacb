"""Chats: their names and settings, what they chose last, and under which id they go on."""

import msgspec
from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.records import Chat, Choice
from shared.translate import Language


class Chats:
    """The chats that the bot has been in."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def chat(self, chat: int) -> Chat:
        """Return a chat with its settings."""
        fields = await typed.hgetall(self._redis, keys.chat(chat))
        return msgspec.convert({"chat": chat} | fields, Chat, strict=False)

    async def visit(self, chat: int, title: str, username: str, language: Language) -> Chat:
        """Remember a chat's name; a new one speaks the given language."""
        fields = await typed.hgetall(self._redis, keys.chat(chat))
        named = {"title": title, "username": username}
        if "language" not in fields:
            named["language"] = language
        if not named.items() <= fields.items():
            await typed.hset(self._redis, keys.chat(chat), named)
        return msgspec.convert({"chat": chat} | fields | named, Chat, strict=False)

    async def settle(self, chat: int, **changes: Language | bool | int | str) -> None:
        """Change a chat's settings."""
        await typed.hset(self._redis, keys.chat(chat), changes)

    # --- what was chosen last

    async def choice(self, chat: int, game: str) -> Choice | None:
        """Return what the chat chose for a game the last time."""
        found = await typed.hget(self._redis, keys.choices(chat), game)
        return None if found is None else msgspec.json.decode(found, type=Choice)

    async def choose(self, chat: int, game: str, choice: Choice) -> None:
        """Remember what the chat chose for a game."""
        await typed.hset(self._redis, keys.choices(chat), {game: msgspec.json.encode(choice).decode()})

    # --- groups that became supergroups (`migration.py`)

    async def whereabouts(self, chat: int) -> int:
        """Return the chat's id now: a group's changes when it becomes a supergroup."""
        found = await typed.hget(self._redis, keys.MOVED, str(chat))
        return chat if found is None else int(found)

    async def note_move(self, old: int, new: int) -> None:
        """Remember under which id a group goes on."""
        await typed.hset(self._redis, keys.MOVED, {str(old): new})

    async def copy(self, old: int, new: int) -> None:
        """Give one chat's name, settings and choices to another."""
        await typed.copy(self._redis, keys.chat(old), keys.chat(new))
        await typed.copy(self._redis, keys.choices(old), keys.choices(new))

    async def forget(self, chat: int) -> None:
        """Delete a chat's name, settings and choices."""
        await self._redis.delete(keys.chat(chat))
        await self._redis.delete(keys.choices(chat))
