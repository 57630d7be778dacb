"""The client of the bot's Redis."""

from collections.abc import Mapping
from typing import Any, cast

import structlog
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from services.common.redis_connection import MultiplexedConnection
from services.common.redis_urls import NoEmbeddedRedisError, RedisUrlError, embedded_client, open_client
from services.common.settings import SettingsError

log = structlog.get_logger(__name__)

RETRY = Retry(ExponentialBackoff(cap=1.0, base=0.05), retries=5)
"""Retries of a command while Redis does not answer, with pauses that grow to one second."""

SEND_AGAIN = Retry(
    ExponentialBackoff(cap=1.0, base=0.05),
    retries=5,
    supported_errors=(RedisConnectionError, TimeoutError),  # type: ignore[arg-type]  # any class of errors will do
)
"""Retries of a command whose connection was lost."""
BLOCKING = {"BLPOP"}
"""Commands that block. On the shared connection they would delay all other commands."""
TIME_LIMITS: Mapping[str, Any] = {"socket_timeout": 3.0, "socket_connect_timeout": 1.0}
"""Time limits for an answer and for a connection, in seconds."""


class MultiplexedRedis(Redis):
    """A client of one Redis server whose commands share one connection; blocking commands use other connections.

    redis-py's pool uses a connection for each running command and several times the processor time.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as in redis-py
        super().__init__(*args, **options)
        self._shared = MultiplexedConnection(self._connection, TIME_LIMITS["socket_timeout"])

    def _connection(self) -> AbstractConnection:
        connection: AbstractConnection = self.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        connection.socket_timeout = None  # no limit here: `MultiplexedConnection` has one for each command
        return connection

    async def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send a command and return its answer; send it again if the connection is lost."""
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
    """Do nothing after a failed attempt, because the next attempt opens a new connection."""


def connect(url: str) -> Redis:
    """Return a client that decodes answers to text; for an empty URL, the client of a Redis inside this process.

    The client does not connect yet. Raises `SettingsError` if the URL is not supported, or if it is empty and fakeredis
    is not installed.
    """
    try:
        if not url:
            embedded = embedded_client(decode_responses=True)
            log.warning(
                "bot_redis_embedded", detail="the bot's chats, tables and settings are lost when this process ends"
            )
            return embedded
        # A cluster's client has the same commands as `Redis`, but another base class.
        client = open_client(
            url, server=MultiplexedRedis, decode_responses=True, retry=RETRY, driver_info=None, **TIME_LIMITS
        )
        return cast("Redis", client)
    except (RedisUrlError, NoEmbeddedRedisError) as error:
        problem = f"REDIS_URL is {error}."
    raise SettingsError(problem)
