"""Requests to the Bot API over aiohttp: a message takes half the processor time of python-telegram-bot's httpx.

No error quotes a request: its URL contains the bot's token, and its body may contain a hand.
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
"""For a connection, an answer, the request's bytes, and for these where they are files."""
POOL_SECONDS = 10.0
"""For a connection that another request gives back."""

Seconds = Any
"""A number of seconds, None for no limit, or python-telegram-bot's mark for the default."""

NOT_SENT: Final = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
"""Errors after which the server cannot have seen the request: there was no connection."""


class NotSentError(NetworkError):
    """The request certainly had no effect."""


class LostAnswerError(NetworkError):
    """The request may have had its effect, but no answer came."""


class JsonBody(NamedTuple):
    """The body of a request, with what `do_request` reads of python-telegram-bot's `RequestData`."""

    json_payload: bytes
    contains_files: bool = False


class AiohttpRequest(BaseRequest):
    """Sends the requests of a `telegram.Bot`, over a pool of connections to one server."""

    __slots__ = ("_connections", "_proxy", "_session")

    def __init__(self, url: str, connections: int) -> None:
        """`url` is the server's; it decides which proxy is used (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`)."""
        self._connections = connections
        self._proxy = proxy_for(url)
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """The seconds for an answer; a long poll adds its own."""
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
        """Return the status and the body of the answer.

        Raises `NotSentError`, and `LostAnswerError` or `TimedOut` where the request may have had its effect.
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
        # Raised here, so that aiohttp's error, which may quote the URL, is not even its context.
        raise failure

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return the decoded answer. Raises `TelegramError` and logs nothing: an answer quotes the message."""
        try:
            return msgspec.json.decode(payload, type=dict[str, Any])
        except (ValueError, RecursionError):
            pass
        try:  # msgspec refuses all for one text or number that it does not know
            answer = json.loads(payload.decode(errors="replace"))
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict):
            return answer
        raise TelegramError("Invalid server response")


async def call(bot: Bot, method: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:  # noqa: ANN401
    """Return the result of a call without files, as JSON; a long poll makes the server `wait` (seconds).

    The bot must have been made with an `AiohttpRequest`. python-telegram-bot's own methods make objects of requests and
    answers, which takes three times as long as the request. Raises `TelegramError`.
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
    """Return the limits as aiohttp has them: the total limit covers the request's bytes too."""
    waits = POOL_SECONDS + CONNECT_SECONDS
    return aiohttp.ClientTimeout(
        total=waits + write + read, connect=waits, sock_connect=CONNECT_SECONDS, sock_read=read
    )


def _body(request: RequestData | None) -> tuple[bytes | aiohttp.FormData | None, dict[str, str]]:
    """Return the body of a request and its headers: JSON, or a form where files go with it."""
    if request is None:
        return None, {}
    if not request.contains_files:
        return request.json_payload, {"Content-Type": "application/json"}
    form = aiohttp.FormData(request.json_parameters)
    for name, (filename, content, mimetype) in request.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=mimetype)
    return form, {}
