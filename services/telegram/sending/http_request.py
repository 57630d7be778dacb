"""Requests to the Bot API over aiohttp, which takes half the processor time of python-telegram-bot's httpx.

Errors never quote a request: its URL contains the bot's token, and its body may contain a hand.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import msgspec
from telegram import Bot
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

CONNECT_SECONDS, READ_SECONDS, WRITE_SECONDS, UPLOAD_SECONDS = 5.0, 10.0, 5.0, 20.0
"""Time limits for connecting, for an answer, for sending a request, and for sending a request with files."""
POOL_SECONDS = 10.0
"""Time limit for a free connection in the pool."""

Seconds = Any
"""A number of seconds, None for no limit, or python-telegram-bot's `DEFAULT_NONE`."""

NOT_SENT: Final = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
"""Errors without a connection, so the server cannot have seen the request."""


class NotSentError(NetworkError):
    """The request certainly had no effect."""


class LostAnswerError(NetworkError):
    """No answer came, so the request may have had its effect."""


class JsonBody(NamedTuple):
    """A JSON body, with the fields of python-telegram-bot's `RequestData` that `do_request` reads."""

    json_payload: bytes
    contains_files: bool = False


class AiohttpRequest(BaseRequest):
    """HTTP client of a `telegram.Bot`, with a pool of connections to one server."""

    __slots__ = ("_connections", "_proxy", "_session")

    def __init__(self, url: str, connections: int) -> None:
        """`url` is the server's URL, which selects the proxy (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`)."""
        self._connections = connections
        self._proxy = proxy_for(url)
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """The time limit for an answer, in seconds; python-telegram-bot adds the duration of a long poll."""
        return READ_SECONDS

    async def initialize(self) -> None:
        """Open the pool."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._connections),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.USER_AGENT},
                proxy=self._proxy,
            )

    async def shutdown(self) -> None:
        """Close all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Seconds = BaseRequest.DEFAULT_NONE,
        *_: Seconds,
        **__: Seconds,
    ) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer.

        Raises `NotSentError` if the server did not get the request, and `LostAnswerError` or `TimedOut` if it may have.
        """
        if self._session is None:
            raise NotSentError("the bot is stopped")
        uploads = request_data is not None and request_data.contains_files
        read = READ_SECONDS if read_timeout is BaseRequest.DEFAULT_NONE else read_timeout
        limits = _limits(UPLOAD_SECONDS if uploads else WRITE_SECONDS, read)
        body, headers = _body(request_data)
        try:
            async with self._session.request(
                method, url, data=body, headers=headers, timeout=limits, allow_redirects=False
            ) as response:
                return response.status, await response.read()
        except NOT_SENT as error:
            failure: NetworkError = NotSentError(type(error).__name__)
        except TimeoutError:
            failure = TimedOut()
        except (aiohttp.ClientError, OSError) as error:
            failure = LostAnswerError(type(error).__name__)
        # Raised outside the `except`: aiohttp's error may quote the URL, so it must not become the context.
        raise failure

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Decode an answer. Raises `TelegramError` if it is invalid, and logs nothing: answers quote messages."""
        try:
            return msgspec.json.decode(payload, type=dict[str, Any])
        except (ValueError, RecursionError):
            pass
        try:  # msgspec rejects an answer with one invalid string or number
            answer = json.loads(payload.decode(errors="replace"))
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict):
            return answer
        raise TelegramError("Invalid server response")


async def call(bot: Bot, method: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:  # noqa: ANN401
    """Make a Bot API call without files; return its result as decoded JSON. Raises `TelegramError`.

    `wait` is the duration of a long poll in seconds. The bot must have been made with an `AiohttpRequest`.
    python-telegram-bot's own methods make objects of requests and answers, which takes three times as long as the
    request.
    """
    body = JsonBody(msgspec.json.encode({name: value for name, value in parameters.items() if value is not None}))
    return await bot.request.post(
        f"{bot.base_url}/{method}", cast("RequestData", body), read_timeout=READ_SECONDS + wait
    )


def proxy_for(url: str) -> str | None:
    """Return the proxy that the environment names for a URL."""
    parts = urlsplit(url)
    return None if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme)


@lru_cache
def _limits(write: float, read: float) -> aiohttp.ClientTimeout:
    """Return the time limits for aiohttp, which has no limit for sending: the total limit includes it."""
    waits = POOL_SECONDS + CONNECT_SECONDS
    return aiohttp.ClientTimeout(
        total=waits + write + read, connect=waits, sock_connect=CONNECT_SECONDS, sock_read=read
    )


def _body(request: RequestData | None) -> tuple[bytes | aiohttp.FormData | None, dict[str, str]]:
    """Return the body and headers of a request: JSON, or a form if it has files."""
    if request is None:
        return None, {}
    if not request.contains_files:
        return request.json_payload, {"Content-Type": "application/json"}
    form = aiohttp.FormData(request.json_parameters)
    for name, (filename, content, mimetype) in request.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=mimetype)
    return form, {}
