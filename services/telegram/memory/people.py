"""People: their names and languages, and whether the bot may write to them."""

import msgspec
from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.records import Person
from shared.translate import Language, nearest


class People:
    """The people whom the bot has met."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def person(self, user: int) -> Person | None:
        """Return a person, if known."""
        fields = await typed.hgetall(self._redis, keys.person(user))
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
            await typed.hset(self._redis, keys.person(user), msgspec.to_builtins(met))
        return met

    async def speak(self, user: int, language: Language) -> None:
        """Remember the language that a person has chosen."""
        await typed.hset(self._redis, keys.person(user), {"language": language, "chosen": True})

    async def reach(self, user: int, *, reachable: bool) -> None:
        """Remember whether the bot may write to a person."""
        await self._note(user, "reachable", so=reachable)

    async def mark_hidden(self, user: int) -> None:
        """Remember that a person wants to be on no leaderboard."""
        await self._note(user, "hidden", so=True)

    async def _note(self, user: int, field: str, *, so: bool) -> None:
        if await self.person(user) is not None:
            await typed.hset(self._redis, keys.person(user), {field: so})

    async def forget(self, user: int) -> None:
        """Delete a person's name and settings; `forgetting.py` deletes all the rest as well."""
        await self._redis.delete(keys.person(user))
