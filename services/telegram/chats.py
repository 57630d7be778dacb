"""The bot's memory: the only room that knows its Redis. Every write touches one key, so that a cluster serves as well.

Tokens of seats are kept here and nowhere else.
"""

import time
from collections.abc import Awaitable, Iterable
from secrets import token_urlsafe
from typing import Any, TypeVar, cast

import msgspec
from redis.asyncio import Redis

from services.telegram.records import Chat, Choice, Person, Picked, Room, Standing
from shared.translate import Language, nearest

T = TypeVar("T", bound=msgspec.Struct)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DEAD = 0
"""The id of a message that was sent but cannot be edited any more."""
COUNT_ONCE = """
if redis.call('HSETNX', KEYS[1], ARGV[1], '1') == 1 then
  for i = 2, #ARGV, 2 do
    redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
"""
"""Adds to a hash's numbers, unless its field named first says that this was done. A script, because redis-py runs a
transaction on a cluster in a thread and waits for it."""


class Key:
    """The names of all keys."""

    live = "bot:live"
    """Sorted set: references of tables by the time of their last use."""
    moved = "bot:moved"
    """Hash: old ids of groups that became supergroups, to the new ones."""

    @staticmethod
    def person(user: int) -> str:
        """Hash: a `Person`'s fields."""
        return f"bot:person:{user}"

    @staticmethod
    def rooms_of(user: int) -> str:
        """Set: the tables at which a person sits."""
        return f"bot:person:{user}:tables"

    @staticmethod
    def boards_of(user: int) -> str:
        """Set: the chats on whose leaderboards a person is."""
        return f"bot:person:{user}:boards"

    @staticmethod
    def chat(chat: int) -> str:
        """Hash: a `Chat`'s fields."""
        return f"bot:chat:{chat}"

    @staticmethod
    def choices(chat: int) -> str:
        """Hash: a `Choice` by game."""
        return f"bot:chat:{chat}:choices"

    @staticmethod
    def rooms_in(chat: int) -> str:
        """Set: the tables of a chat."""
        return f"bot:chat:{chat}:tables"

    @staticmethod
    def board(chat: int) -> str:
        """Hash: numbers by `game:user:wins` and `game:user:matches`, and which matches are counted."""
        return f"bot:chat:{chat}:board"

    @staticmethod
    def room(ref: str) -> str:
        """Hash: the `Room`, and how far its events have been told."""
        return f"bot:table:{ref}"

    @staticmethod
    def tokens(ref: str) -> str:
        """Hash: the seat's token by person."""
        return f"bot:table:{ref}:tokens"

    @staticmethod
    def messages(ref: str) -> str:
        """Hash: message ids by slot: what has been announced, and which message shows what."""
        return f"bot:table:{ref}:messages"

    @staticmethod
    def rung(ref: str) -> str:
        """Hash: by person, for which turn his phone has rung."""
        return f"bot:table:{ref}:rung"

    @staticmethod
    def picked(ref: str) -> str:
        """Hash: by person, the cards that he has taken up, and in which version of the table."""
        return f"bot:table:{ref}:picked"

    @staticmethod
    def nudged(ref: str) -> str:
        """A mark that expires: somebody has just been nudged here."""
        return f"bot:table:{ref}:nudged"


class Chats:
    """What the bot remembers. `redis` must decode its answers."""

    def __init__(self, redis: "Redis") -> None:
        self._redis = redis

    # --- people

    async def person(self, user: int) -> Person | None:
        """Return a person, if known."""
        fields = await self._fields(Key.person(user))
        return msgspec.convert({"user": user} | fields, Person, strict=False) if "name" in fields else None

    async def meet(self, user: int, name: str, language: str | None, *, reachable: bool | None = None) -> Person:
        """Remember a person's name and language as Telegram tells them, and return him."""
        known = await self.person(user)
        met = Person(user, name, nearest(language), reachable=bool(reachable))
        if known is not None:
            met = msgspec.structs.replace(
                known,
                name=name,
                language=known.language if known.chosen or language is None else nearest(language),
                reachable=known.reachable if reachable is None else reachable,
            )
        if met != known:
            await self._write(Key.person(user), met)
        return met

    async def speak(self, user: int, language: Language) -> None:
        """Remember the language that a person has chosen."""
        await self._set(Key.person(user), {"language": language, "chosen": "true"})

    async def reach(self, user: int, *, reachable: bool) -> None:
        """Remember whether the bot may write to a person."""
        if await self.person(user) is not None:
            await self._set(Key.person(user), {"reachable": _text(reachable)})

    async def forget_person(self, user: int) -> None:
        """Delete all that is known of a person, results included."""
        await self.hide(user)
        for key in (Key.person, Key.rooms_of):
            await self._redis.delete(key(user))

    # --- chats

    async def chat(self, chat: int) -> Chat:
        """Return a chat with its settings."""
        return msgspec.convert({"chat": chat} | await self._fields(Key.chat(chat)), Chat, strict=False)

    async def visit(self, chat: int, title: str, username: str, language: Language) -> Chat:
        """Remember a chat's name; a new one speaks the given language."""
        fields = await self._fields(Key.chat(chat))
        named = {"title": title, "username": username}
        if "language" not in fields:
            named["language"] = language
        if not named.items() <= fields.items():
            await self._set(Key.chat(chat), named)
        return msgspec.convert({"chat": chat} | fields | named, Chat, strict=False)

    async def settle(self, chat: int, **changes: Language | bool | int | str) -> None:
        """Change a chat's settings."""
        await self._set(Key.chat(chat), {name: _text(value) for name, value in changes.items()})

    async def choice(self, chat: int, game: str) -> Choice | None:
        """Return what the chat chose for a game the last time."""
        found = await self._get(Key.choices(chat), game)
        return None if found is None else msgspec.json.decode(found, type=Choice)

    async def choose(self, chat: int, game: str, choice: Choice) -> None:
        """Remember what the chat chose for a game."""
        await self._set(Key.choices(chat), {game: msgspec.json.encode(choice).decode()})

    async def migrate(self, old: int, new: int) -> None:
        """Move everything of a group to the supergroup that it became; its old messages are dead."""
        await self._set(Key.moved, {str(old): str(new)})
        for key in (Key.chat, Key.choices, Key.board):
            fields = await self._fields(key(old))
            if fields:
                await self._set(key(new), fields)
        for ref in await self.rooms_in(old):
            await self._rehouse(ref, new)
        for gone in (Key.chat, Key.choices, Key.board, Key.rooms_in):
            await self._redis.delete(gone(old))

    async def _rehouse(self, ref: str, chat: int) -> None:
        room = await self.room(ref)
        if room is None:
            return
        await self.keep(msgspec.structs.replace(room, chat=chat, thread=None))
        dead = {slot: str(DEAD) for slot in await self.messages(ref) if not slot.startswith("hand:")}
        if dead:
            await self._set(Key.messages(ref), dead)

    async def whereabouts(self, chat: int) -> int:
        """Return the chat's id now: a group's changes when it becomes a supergroup."""
        found = await self._get(Key.moved, str(chat))
        return chat if found is None else int(found)

    # --- tables

    async def room(self, ref: str) -> Room | None:
        """Return a table, unless it is gone."""
        found = await self._get(Key.room(ref), "room")
        return None if found is None else msgspec.json.decode(found, type=Room)

    async def keep(self, room: Room) -> None:
        """Remember a table."""
        await self._set(Key.room(room.ref), {"room": msgspec.json.encode(room).decode()})
        await _now(self._redis.sadd(Key.rooms_in(room.chat), room.ref))
        await self.touch(room.ref)

    async def touch(self, ref: str) -> None:
        """Note that a table is in use."""
        await self._redis.zadd(Key.live, {ref: time.time()})

    async def live(self, *, idle_since: float | None = None) -> list[str]:
        """Return all tables, or those that were last used before a time."""
        most = "+inf" if idle_since is None else idle_since
        return cast("list[str]", await self._redis.zrangebyscore(Key.live, "-inf", most))

    async def rooms_in(self, chat: int) -> list[str]:
        """Return the tables of a chat."""
        return sorted(await _now(self._redis.smembers(Key.rooms_in(chat))))

    async def rooms(self, refs: Iterable[str]) -> list[Room]:
        """Return the tables that are still there, in the order of their letters."""
        found = [room for room in [await self.room(ref) for ref in refs] if room is not None]
        return sorted(found, key=lambda room: room.letter)

    async def siblings(self, chat: int, thread: int | None) -> list[Room]:
        """Return the tables of one chat, or of one topic of it, whose match is not over."""
        rooms = await self.rooms(await self.rooms_in(chat))
        return [room for room in rooms if room.thread == thread and not room.over]

    async def letter(self, chat: int, thread: int | None, *, of: str | None = None) -> str:
        """Return the first free letter for a table in this place; `of` is the table itself, if it has one."""
        taken = {room.letter for room in await self.siblings(chat, thread) if room.ref != of}
        return next((letter for letter in LETTERS if letter not in taken), "Z")

    async def drop(self, room: Room) -> None:
        """Forget a table."""
        for user in await self.tokens(room.ref):
            await _now(self._redis.srem(Key.rooms_of(user), room.ref))
        await _now(self._redis.srem(Key.rooms_in(room.chat), room.ref))
        await self._redis.zrem(Key.live, room.ref)
        for key in (Key.room, Key.tokens, Key.messages, Key.rung, Key.picked, Key.nudged):
            await self._redis.delete(key(room.ref))

    async def told(self, ref: str) -> int | None:
        """Return the engine's version up to which everything has been told."""
        found = await self._get(Key.room(ref), "told")
        return None if found is None else int(found)

    async def tell(self, ref: str, version: int | None) -> None:
        """Remember up to which version everything has been told; none to start again."""
        if version is None:
            await _now(self._redis.hdel(Key.room(ref), "told"))
        else:
            await self._set(Key.room(ref), {"told": str(version)})

    # --- seats

    async def seat(self, ref: str, user: int, token: str) -> None:
        """Remember a person's token."""
        await self._set(Key.tokens(ref), {str(user): token})
        await _now(self._redis.sadd(Key.rooms_of(user), ref))

    async def unseat(self, ref: str, user: int) -> None:
        """Forget a person's token."""
        await _now(self._redis.hdel(Key.tokens(ref), str(user)))
        await _now(self._redis.hdel(Key.rung(ref), str(user)))
        await _now(self._redis.hdel(Key.picked(ref), str(user)))
        await _now(self._redis.srem(Key.rooms_of(user), ref))

    async def token(self, ref: str, user: int) -> str | None:
        """Return a person's token at a table."""
        return await self._get(Key.tokens(ref), str(user))

    async def tokens(self, ref: str) -> dict[int, str]:
        """Return the tokens of a table by person."""
        return {int(user): token for user, token in (await self._fields(Key.tokens(ref))).items()}

    async def rooms_of(self, user: int) -> list[str]:
        """Return the tables at which a person sits."""
        return sorted(await _now(self._redis.smembers(Key.rooms_of(user))))

    # --- messages

    async def messages(self, ref: str) -> dict[str, int]:
        """Return the ids of a table's messages by slot."""
        return {slot: int(message) for slot, message in (await self._fields(Key.messages(ref))).items()}

    async def place(self, ref: str, slot: str, message: int) -> None:
        """Remember which message fills a slot of a table that is still there."""
        if await self.room(ref) is not None:
            await self._set(Key.messages(ref), {slot: str(message)})

    async def rung(self, ref: str) -> dict[int, str]:
        """Return for which turn each person's phone has rung."""
        return {int(user): turn for user, turn in (await self._fields(Key.rung(ref))).items()}

    async def ring(self, ref: str, user: int, turn: str) -> None:
        """Remember that a person's phone has rung for this turn."""
        await self._set(Key.rung(ref), {str(user): turn})

    async def picked(self, ref: str, user: int, version: int) -> frozenset[int]:
        """Return the places of the cards that a person has taken up in this version of the table."""
        found = await self._get(Key.picked(ref), str(user))
        kept = None if found is None else msgspec.json.decode(found, type=Picked)
        return kept.places if kept is not None and kept.version == version else frozenset()

    async def pick(self, ref: str, user: int, version: int, places: frozenset[int]) -> None:
        """Remember the cards that a person has taken up."""
        kept = msgspec.json.encode(Picked(version, places)).decode()
        await self._set(Key.picked(ref), {str(user): kept})

    async def may_nudge(self, ref: str, every: int = 60) -> bool:
        """Tell whether a nudge is due at a table, and count it if so."""
        return bool(await self._redis.set(Key.nudged(ref), "1", nx=True, ex=every))

    # --- leaderboards

    async def count(self, room: Room, match: int, winners: Iterable[int], players: Iterable[int]) -> None:
        """Count a finished match, once."""
        mark = f"counted:{room.ref}:{match}"
        shown = [user for user in players if not await self._is_hidden(user)]
        for user in shown:
            await _now(self._redis.sadd(Key.boards_of(user), str(room.chat)))
        won = set(winners)
        counts = [
            part
            for user in shown
            for part in (f"{room.game}:{user}:matches", "1", f"{room.game}:{user}:wins", str(int(user in won)))
        ]
        await _now(self._redis.eval(COUNT_ONCE, 1, Key.board(room.chat), mark, *counts))

    async def _is_hidden(self, user: int) -> bool:
        person = await self.person(user)
        return person is None or person.hidden

    async def standings(self, chat: int, game: str) -> list[Standing]:
        """Return a game's results in a chat."""
        fields = await self._fields(Key.board(chat))
        users = sorted({int(name.split(":")[1]) for name in fields if name.startswith(f"{game}:")})
        return [
            Standing(user, person.name, int(fields.get(f"{game}:{user}:wins", 0)), int(matches))
            for user in users
            if (matches := fields.get(f"{game}:{user}:matches")) and (person := await self.person(user)) is not None
        ]

    async def hide(self, user: int) -> None:
        """Take a person off every leaderboard, for good."""
        if await self.person(user) is not None:
            await self._set(Key.person(user), {"hidden": "true"})
        for chat in await _now(self._redis.smembers(Key.boards_of(user))):
            board = Key.board(await self.whereabouts(int(chat)))
            for name in await self._fields(board):
                if f":{user}:" in name and not name.startswith("counted:"):
                    await _now(self._redis.hdel(board, name))
        await self._redis.delete(Key.boards_of(user))

    # --- Redis

    async def _get(self, key: str, field: str) -> str | None:
        return cast("str | None", await _now(self._redis.hget(key, field)))

    async def _fields(self, key: str) -> dict[str, str]:
        return cast("dict[str, str]", await _now(self._redis.hgetall(key)))

    async def _set(self, key: str, fields: dict[str, str]) -> None:
        await _now(self._redis.hset(key, mapping=cast("dict[Any, Any]", fields)))

    async def _write(self, key: str, record: msgspec.Struct) -> None:
        fields = msgspec.to_builtins(record)
        await self._set(key, {name: _text(value) for name, value in fields.items()})


def new_ref() -> str:
    """Return a fresh reference for a table: 8 characters."""
    return token_urlsafe(6)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def _now(answer: Any) -> Any:  # noqa: ANN401  (redis-py types the answers of both its clients as one union)
    return await cast("Awaitable[Any]", answer)
