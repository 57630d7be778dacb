"""Access to Redis for the repositories: typed commands, and a cache of the values that the leader has read.

Values are text; booleans are stored as `true` and `false`. Only the leader writes (`services.telegram.leadership`), so
it can read each key once and cache it. While it may have lost the lease, every command fails as in an outage of Redis.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.repositories import keys
from services.telegram.repositories.changes import Changes

Fields: TypeAlias = dict[str, str]
"""A hash; or a set, as a dict of its members with empty values."""

MOST_KEYS = 30_000
"""Size of the cache in keys; a table has about ten, of a few hundred bytes each."""
SCANNED = 500
"""Number of keys that one SCAN command examines."""
LOCKS = 1024
"""Number of locks for all keys. Keys that share a lock wait for each other, which is rare."""


class _Writing:
    """Context for the exclusive write of one key; a class, because contextlib's contexts are several times slower."""

    __slots__ = ("_key", "_lock", "_values")

    def __init__(self, values: dict[str, Fields], key: str, lock: asyncio.Lock) -> None:
        self._values = values
        self._key = key
        self._lock = lock

    async def __aenter__(self) -> Fields | None:
        await self._lock.acquire()
        return self._values.get(self._key)

    async def __aexit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self._values.pop(self._key, None)
        self._lock.release()


class NotLeadingError(RedisConnectionError):
    """This process may have lost the lease, so it must not read or write."""


def always() -> bool:
    """Return true, for a process without competitors."""
    return True


class RememberedRedis:
    """Redis client with redis-py's method names: hashes and sets are cached, other commands are passed through."""

    def __init__(self, redis: Redis, leads: Callable[[], bool] = always, changes: Changes | None = None) -> None:
        self._redis: Any = redis  # redis-py's types mix the blocking and the asyncio client
        self._leads = leads
        self._changes = changes or Changes()
        self._values: OrderedDict[str, Fields] = OrderedDict()
        """The cache; the most recently read key is last."""
        self._locks = [asyncio.Lock() for _ in range(LOCKS)]
        """Locks that make reads and writes of a key exclusive."""

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        command = getattr(self._redis, name)

        async def fenced(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
            self._require_leadership()
            return await command(*arguments, **options)

        return fenced

    def _require_leadership(self) -> None:
        if not self._leads():
            raise NotLeadingError("this process may not lead any more")

    # --- the cache

    def _lock(self, key: str) -> asyncio.Lock:
        return self._locks[hash(key) % LOCKS]

    def _known(self, key: str) -> Fields | None:
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    async def _read(self, key: str, load: Callable[[str], Awaitable[Fields]]) -> Fields:
        self._require_leadership()
        known = self._known(key)
        if known is None:
            async with self._lock(key):
                known = self._known(key)
                if known is None:
                    known = await load(key)
                    self._keep(key, known)
        return known

    def _keep(self, key: str, value: Fields) -> None:
        if keys.is_remembered(key):
            self._values[key] = value
            while len(self._values) > MOST_KEYS:
                self._values.popitem(last=False)

    def _writing(self, key: str) -> "_Writing":
        """Return a context that yields the cached value (None if not cached), to be changed along with Redis.

        An error drops the value from the cache, because Redis may or may not have been changed.
        """
        self._require_leadership()
        return _Writing(self._values, key, self._lock(key))

    # --- hashes

    async def hgetall(self, key: str) -> dict[str, str]:
        """Return all fields of a hash; empty if it does not exist."""
        return dict(await self._read(key, self._redis.hgetall))

    async def hget(self, key: str, field: str) -> str | None:
        """Return a field of a hash, or None."""
        self._require_leadership()
        known = self._known(key)
        if known is None and not keys.is_remembered(key):
            value: str | None = await self._redis.hget(key, field)
            return value
        return (known or await self._read(key, self._redis.hgetall)).get(field)

    async def hset(self, key: str, fields: Mapping[str, object]) -> None:
        """Set fields of a hash; send nothing if all fields have these values already."""
        mapping = {name: _text(value) for name, value in fields.items()}
        async with self._writing(key) as known:
            if known is None or not mapping.items() <= known.items():
                await self._redis.hset(key, mapping=mapping)
                if known is not None:
                    known.update(mapping)
                self._changes.note_key(key)

    async def hsetnx(self, key: str, field: str, value: str) -> None:
        """Set a field of a hash unless it exists."""
        async with self._writing(key) as known:
            if await self._redis.hsetnx(key, field, value):
                self._changes.note_key(key)
                if known is not None:
                    known[field] = value

    async def hdel(self, key: str, *fields: str) -> None:
        """Delete fields of a hash."""
        async with self._writing(key) as known:
            if known is None or not known.keys().isdisjoint(fields):
                await self._redis.hdel(key, *fields)
                self._changes.note_key(key)
            for field in fields:
                (known or {}).pop(field, None)

    async def copy(self, old: str, new: str) -> None:
        """Copy a hash to another key by reading and writing, because a cluster may store the keys on two nodes."""
        fields = await self.hgetall(old)
        if fields:
            await self.hset(new, fields)

    # --- sets

    async def smembers(self, key: str) -> set[str]:
        """Return the members of a set."""
        return set(await self._read(key, self._members))

    async def sismember(self, key: str, member: str) -> bool:
        """Return whether a set has a member."""
        return member in await self._read(key, self._members)

    async def _members(self, key: str) -> Fields:
        return dict.fromkeys(await self._redis.smembers(key), "")

    async def sadd(self, key: str, member: str) -> None:
        """Add a member to a set."""
        async with self._writing(key) as known:
            await self._redis.sadd(key, member)
            self._changes.note_key(key)
            if known is not None:
                known[member] = ""

    async def srem(self, key: str, member: str) -> None:
        """Remove a member from a set."""
        async with self._writing(key) as known:
            await self._redis.srem(key, member)
            self._changes.note_key(key)
            (known or {}).pop(member, None)

    # --- any key

    async def names(self, pattern: str) -> AsyncIterator[str]:
        """Yield the names of all keys that match a pattern; some may come twice."""
        async for name in self._redis.scan_iter(match=pattern, count=SCANNED):
            self._require_leadership()
            yield name

    async def delete(self, key: str) -> None:
        """Delete a key."""
        async with self._writing(key) as known:
            await self._redis.delete(key)
            self._changes.note_key(key)
            (known or {}).clear()


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
