"""The bot's Redis: the client, commands with exact types, and the leader's cache of what it has read.

redis-py types each command for its blocking and its asyncio client together. Values are text; booleans are stored as
`true` and `false`.

Only the process that leads writes (`services.telegram.leadership`), so it reads each key once and caches it. While it
cannot be certain that it still leads, every command of `RememberedRedis` fails as if Redis were away.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import structlog
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from services.common.redis_connection import MultiplexedConnection
from services.common.redis_urls import NoEmbeddedRedisError, RedisUrlError, embedded_client, open_client
from services.common.settings import SettingsError
from services.telegram.repositories import keys
from services.telegram.repositories.changes import Changes

log = structlog.get_logger(__name__)

Value = TypeVar("Value")

RETRY = Retry(ExponentialBackoff(cap=1.0, base=0.05), retries=5)
"""Attempts for a command, with pauses that grow to one second, while Redis does not answer."""

SEND_AGAIN = Retry(
    ExponentialBackoff(cap=1.0, base=0.05),
    retries=5,
    supported_errors=(RedisConnectionError, TimeoutError),  # type: ignore[arg-type]  # any class of errors will do
)
"""Attempts for a command whose connection was lost."""
BLOCKING = {"BLPOP"}
"""Commands whose answer may be long in coming, and would hold up all others."""
TIME_LIMITS: Mapping[str, Any] = {"socket_timeout": 3.0, "socket_connect_timeout": 1.0}
"""Seconds for an answer, and for a connection."""
MOST_KEYS = 30_000
"""Keys remembered; a table has some ten, of a few hundred bytes each."""
LOCKS = 1024
"""Locks for all keys: two keys rarely share one, and then wait for each other."""


class MultiplexedRedis(Redis):
    """A client of one server whose commands share one connection; one that blocks has a connection of its own.

    redis-py's pool, with a connection for each command under way, takes several times the processor time.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as in redis-py
        super().__init__(*args, **options)
        self._shared = MultiplexedConnection(self._connection, TIME_LIMITS["socket_timeout"])

    def _connection(self) -> AbstractConnection:
        connection: AbstractConnection = self.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        connection.socket_timeout = None  # it waits for whatever comes next; `MultiplexedConnection` has the limit
        return connection

    async def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Return the answer of a command, which is sent again if its connection was lost."""
        if args[0] in BLOCKING:
            return await super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        await self._shared.live()
        answer = await SEND_AGAIN.call_with_retry(lambda: self._shared.send(args), _nothing)
        callback = self.response_callbacks.get(args[0])
        return answer if callback is None else callback(answer)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as in redis-py
        """Close all connections."""
        await self._shared.close()
        await super().aclose(close_connection_pool)


async def _nothing(_: Exception) -> None:
    """Do nothing after an attempt that failed: the next one makes a new connection."""


def connect(url: str) -> Redis:
    """Return a client that decodes answers to text; for an empty URL, of a Redis inside this process.

    The server need not answer yet. Raises `SettingsError` if no client understands the URL, or if it is empty and
    fakeredis is not installed.
    """
    try:
        if not url:
            embedded = embedded_client(decode_responses=True)
            log.warning(
                "bot_redis_embedded", detail="the bot's chats, tables and settings are lost when this process ends"
            )
            return embedded
        # The client of a cluster has the same commands, but not the same base class.
        client = open_client(
            url, server=MultiplexedRedis, decode_responses=True, retry=RETRY, driver_info=None, **TIME_LIMITS
        )
        return cast("Redis", client)
    except (RedisUrlError, NoEmbeddedRedisError) as error:
        problem = f"REDIS_URL is {error}."
    raise SettingsError(problem)


async def hget(redis: Redis, key: str, field: str) -> str | None:
    """Return one field of a hash, if it exists."""
    found: str | None = await answer_of(redis.hget(key, field))
    return found


async def hgetall(redis: Redis, key: str) -> dict[str, str]:
    """Return all fields of a hash; empty if it does not exist."""
    found: dict[str, str] = await answer_of(redis.hgetall(key))
    return found


async def hset(redis: Redis, key: str, fields: Mapping[str, object]) -> None:
    """Set fields of a hash."""
    await answer_of(redis.hset(key, mapping={name: _text(value) for name, value in fields.items()}))


async def hsetnx(redis: Redis, key: str, field: str, value: str) -> None:
    """Set a field of a hash unless it exists."""
    await answer_of(redis.hsetnx(key, field, value))


async def hdel(redis: Redis, key: str, *fields: str) -> None:
    """Delete fields of a hash."""
    await answer_of(redis.hdel(key, *fields))


async def sadd(redis: Redis, key: str, member: str) -> None:
    """Add a member to a set."""
    await answer_of(redis.sadd(key, member))


async def srem(redis: Redis, key: str, member: str) -> None:
    """Remove a member from a set."""
    await answer_of(redis.srem(key, member))


async def smembers(redis: Redis, key: str) -> set[str]:
    """Return the members of a set."""
    found: set[str] = await answer_of(redis.smembers(key))
    return found


async def copy(redis: Redis, old: str, new: str) -> None:
    """Copy a hash to another key, by reading and writing: a cluster may keep the keys on two nodes."""
    fields = await hgetall(redis, old)
    if fields:
        await hset(redis, new, fields)


def answer_of(command: Any) -> Awaitable[Any]:  # noqa: ANN401 - as in redis-py
    """Return the command, to be awaited. redis-py types it as that of its blocking or its asyncio client."""
    return cast("Awaitable[Any]", command)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- what the leader remembers


class _Remembered(Generic[Value]):
    """An LRU cache of the values of keys; reads and writes of one key exclude each other."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, Value] = OrderedDict()
        self._locks = [asyncio.Lock() for _ in range(LOCKS)]

    def _lock(self, key: str) -> asyncio.Lock:
        return self._locks[hash(key) % LOCKS]

    def known(self, key: str) -> Value | None:
        """Return the value of a key, None if it is not cached."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    async def read(self, key: str, load: Callable[[], Awaitable[Value]]) -> Value:
        """Return the value of a key; `load` it if it is not cached."""
        known = self.known(key)
        if known is None:
            async with self._lock(key):
                known = self.known(key)
                return self._kept(key, await load()) if known is None else known
        return known

    def _kept(self, key: str, value: Value) -> Value:
        if keys.is_remembered(key):
            self._values[key] = value
            while len(self._values) > MOST_KEYS:
                self._values.popitem(last=False)
        return value

    def writing(self, key: str) -> "_Writing[Value]":
        """Return a context that yields the cached value, to be changed as Redis is.

        If an error leaves Redis in doubt, the value is dropped.
        """
        return _Writing(self._values, key, self._lock(key))


class _Writing(Generic[Value]):
    """The exclusive write of one key; a class, because contextlib's contexts take several times the calls."""

    __slots__ = ("_key", "_lock", "_values")

    def __init__(self, values: dict[str, Value], key: str, lock: asyncio.Lock) -> None:
        self._values = values
        self._key = key
        self._lock = lock

    async def __aenter__(self) -> Value | None:
        await self._lock.acquire()
        return self._values.get(self._key)

    async def __aexit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self._values.pop(self._key, None)
        self._lock.release()


class NotLeadingError(RedisConnectionError):
    """This process may not lead any more: nothing is read or written."""


def always() -> bool:
    """Return true: there is no other process."""
    return True


class RememberedRedis:
    """Cached hashes and sets, under the names of redis-py's methods; all other commands go through unchanged."""

    def __init__(self, redis: Redis, leads: Callable[[], bool], changes: Changes) -> None:
        self._redis = redis
        self._leads = leads
        self._changes = changes
        self._hashes = _Remembered[dict[str, str]]()
        self._sets = _Remembered[set[str]]()

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        command = getattr(self._redis, name)

        async def fenced(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
            self._require_leadership()
            return await command(*arguments, **options)

        return fenced

    def _require_leadership(self) -> None:
        if not self._leads():
            raise NotLeadingError("this process may not lead any more")

    # --- hashes

    async def hgetall(self, key: str) -> dict[str, str]:
        """Return all fields of a hash."""
        return dict(await self._hash(key))

    async def hget(self, key: str, field: str) -> str | None:
        """Return a field of a hash."""
        self._require_leadership()
        known = self._hashes.known(key)
        if known is None and not keys.is_remembered(key):
            return await cast("Awaitable[str | None]", self._redis.hget(key, field))
        return (await self._hash(key) if known is None else known).get(field)

    async def _hash(self, key: str) -> dict[str, str]:
        self._require_leadership()
        return await self._hashes.read(key, lambda: cast("Awaitable[dict[str, str]]", self._redis.hgetall(key)))

    async def hset(self, key: str, mapping: Mapping[str, str]) -> None:
        """Set fields of a hash; send nothing if they have these values already."""
        self._require_leadership()
        async with self._hashes.writing(key) as known:
            if known is None or not mapping.items() <= known.items():
                await self._redis.hset(key, mapping=cast("Mapping[Any, Any]", mapping))
                if known is not None:
                    known.update(mapping)
                self._changes.note_key(key)

    async def hsetnx(self, key: str, field: str, value: str) -> None:
        """Set a field of a hash unless it exists."""
        self._require_leadership()
        async with self._hashes.writing(key) as known:
            if await self._redis.hsetnx(key, field, value):
                self._changes.note_key(key)
                if known is not None:
                    known[field] = value

    async def hdel(self, key: str, *fields: str) -> None:
        """Delete fields of a hash."""
        self._require_leadership()
        async with self._hashes.writing(key) as known:
            if known is None or not known.keys().isdisjoint(fields):
                await self._redis.hdel(key, *fields)
                self._changes.note_key(key)
            for field in fields:
                (known or {}).pop(field, None)

    # --- sets

    async def smembers(self, key: str) -> set[str]:
        """Return the members of a set."""
        self._require_leadership()
        return set(await self._sets.read(key, lambda: cast("Awaitable[set[str]]", self._redis.smembers(key))))

    async def sadd(self, key: str, member: str) -> None:
        """Add a member to a set."""
        self._require_leadership()
        async with self._sets.writing(key) as known:
            await self._redis.sadd(key, member)
            self._changes.note_key(key)
            if known is not None:
                known.add(member)

    async def srem(self, key: str, member: str) -> None:
        """Remove a member from a set."""
        self._require_leadership()
        async with self._sets.writing(key) as known:
            await self._redis.srem(key, member)
            self._changes.note_key(key)
            if known is not None:
                known.discard(member)

    async def delete(self, key: str) -> None:
        """Delete a key."""
        self._require_leadership()
        async with self._hashes.writing(key) as fields, self._sets.writing(key) as members:
            await self._redis.delete(key)
            self._changes.note_key(key)
            for known in (fields, members):
                if known is not None:
                    known.clear()
