"""Repositories of people and chats: names, languages, settings, lessons, last choices, ids of migrated groups."""

import time
from collections.abc import Iterable

import msgspec

from locanda.translations import Language, nearest_language
from services.telegram.records import ChatRecord, LastChoice, LessonRecord, PersonRecord, mute_marks
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.remembered import RememberedRedis

LESSON_SECONDS = 7 * 86_400
"""Seconds without a move after which a lesson is deleted."""

SEEN_SECONDS = 30 * 86_400
"""Minimum seconds between two updates of when a person was seen."""

MOST_MUTED = 100
"""Maximum number of people that one person mutes; the oldest entries are dropped."""


class PersonRepository:
    """People: names, languages, settings, and whether the bot may write to them."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._records = Records(redis)

    async def person(self, user: int) -> PersonRecord | None:
        """Return a person, or None."""
        fields = await self._records.fields(keys.person(user))
        return msgspec.convert({"user": user} | fields, PersonRecord, strict=False) if "name" in fields else None

    async def names(self, users: Iterable[int]) -> dict[int, str]:
        """Return the names of people by id, in the same order, without unknown people."""
        return {user: person.name for user in users if (person := await self.person(user))}

    async def remember(
        self, user: int, name: str, language: str | None, *, reachable: bool | None = None
    ) -> PersonRecord:
        """Store a person's name and Telegram's language for them, and return the person.

        A language that the person has chosen is kept. `reachable` of None keeps the stored value.
        """
        known, now = await self.person(user), int(time.time())
        person = PersonRecord(user, name, nearest_language(language), reachable=bool(reachable), seen=now)
        if known is not None:
            person = msgspec.structs.replace(
                known,
                name=name,
                language=known.language if known.chosen or language is None else nearest_language(language),
                reachable=known.reachable if reachable is None else reachable,
                seen=known.seen if now - known.seen < SEEN_SECONDS else now,
            )
        if person != known:
            await self._records.set_fields(keys.person(user), msgspec.to_builtins(person))
        return person

    async def is_shown(self, user: int) -> bool:
        """Return whether a person is known and may be on leaderboards."""
        person = await self.person(user)
        return person is not None and not person.hidden

    async def update(self, user: int, **changes: bool | int | str) -> None:
        """Change fields of a person's `PersonRecord`, if they are known."""
        if await self.person(user) is not None:
            await self._records.set_fields(keys.person(user), changes)

    async def mute(self, user: int, name: str, other: int | None, *, on: bool) -> None:
        """Mute or unmute another person for a known person; `other` is None for a guest, who has no id."""
        if person := await self.person(user):
            marks = mute_marks(name, other)
            others = [mark for mark in person.muted.split() if mark not in marks]
            await self.update(user, muted=" ".join([*others, marks[-1]][-MOST_MUTED:] if on else others))

    async def forget(self, user: int) -> None:
        """Delete a person's name, settings and lesson; `personal_data.forget` deletes all data on them."""
        await self._redis.delete(keys.person(user))
        await self.forget_lesson(user)

    # --- lessons

    async def lesson(self, user: int) -> LessonRecord | None:
        """Return a person's current lesson, or None."""
        stored = await self._redis.get(keys.lesson(user))
        return None if stored is None else msgspec.json.decode(stored, type=LessonRecord)

    async def save_lesson(self, user: int, lesson: LessonRecord) -> None:
        """Store a person's lesson, replacing an earlier one."""
        await self._redis.set(keys.lesson(user), msgspec.json.encode(lesson).decode(), ex=LESSON_SECONDS)

    async def forget_lesson(self, user: int) -> None:
        """Delete a person's lesson."""
        await self._redis.delete(keys.lesson(user))


class ChatRepository:
    """Chats: names, settings, last choices, and the ids of groups that became supergroups."""

    def __init__(self, redis: RememberedRedis) -> None:
        self._redis = redis
        self._records = Records(redis)

    async def chat(self, chat: int) -> ChatRecord:
        """Return a chat with its settings; an unknown chat has the defaults."""
        fields = await self._records.fields(keys.chat(chat))
        return msgspec.convert({"chat": chat} | fields, ChatRecord, strict=False)

    async def remember(self, chat: int, title: str, username: str, language: Language) -> ChatRecord:
        """Store a chat's name, and its language if it has none; return the chat."""
        fields = await self._records.fields(keys.chat(chat))
        named = {"title": title, "username": username}
        if "language" not in fields:
            named["language"] = language
        if not named.items() <= fields.items():
            await self._records.set_fields(keys.chat(chat), named)
        return msgspec.convert({"chat": chat} | fields | named, ChatRecord, strict=False)

    async def update_settings(self, chat: int, **changes: Language | bool | int | str) -> None:
        """Change fields of a chat's `ChatRecord`."""
        await self._records.set_fields(keys.chat(chat), changes)

    async def set_presence(self, chat: int, *, present: bool, **changes: bool) -> None:
        """Store whether the bot may write to a group, and other changed fields of its `ChatRecord`."""
        await self.update_settings(chat, present=present, left=0 if present else int(time.time()), **changes)

    # --- last choices

    async def last_choice(self, chat: int, game: str) -> LastChoice | None:
        """Return the options and turn time of a chat's last match of a game, or None."""
        return await self._records.find(keys.choices(chat), game, LastChoice)

    async def remember_choice(self, chat: int, game: str, choice: LastChoice) -> None:
        """Store the options and turn time of a chat's match of a game."""
        await self._records.save(keys.choices(chat), game, choice)

    # --- groups that became supergroups (see `migrate`)

    async def current_id(self, chat: int) -> int:
        """Return a chat's current id: a group gets a new one when it becomes a supergroup."""
        current = await self._redis.hget(keys.MOVED, str(chat))
        return chat if current is None else int(current)

    async def note_move(self, old: int, new: int) -> None:
        """Store the new id of a group that became a supergroup."""
        await self._redis.hset(keys.MOVED, {str(old): new})

    async def ids_before(self, chat: int) -> list[int]:
        """Return the ids that a group had before it became a supergroup."""
        return [int(old) for old, new in (await self._redis.hgetall(keys.MOVED)).items() if int(new) == chat]

    async def forget_moves(self, old: Iterable[int]) -> None:
        """Delete the mapping of old ids of groups to new ones."""
        for id_ in old:
            await self._redis.hdel(keys.MOVED, str(id_))

    async def copy(self, old: int, new: int) -> None:
        """Copy one chat's name, settings and choices to another."""
        await self._redis.copy(keys.chat(old), keys.chat(new))
        await self._redis.copy(keys.choices(old), keys.choices(new))

    async def forget(self, chat: int) -> None:
        """Delete a chat's name, settings and choices."""
        await self._redis.delete(keys.chat(chat))
        await self._redis.delete(keys.choices(chat))
