"""The wire under the engine's client: one request or stream at a time, tried again where that is safe."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

import aiohttp
import msgspec
from aiohttp.http_exceptions import LineTooLong
from yarl import URL

from shared import sse
from shared.errors import (
    EngineError,
    TooManyRequestsError,
    UnavailableError,
    error_of,
    garbled,
    unreachable,
)
from shared.messages import Problem

NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the client waits for an answer, and how often it asks again."""

    answer: float = 10.0
    """Seconds for a whole answer, beside what a long poll is asked to wait."""
    silence: float = 45.0
    """Seconds without a byte after which a stream counts as dead: the engine sends a comment every 15."""
    tries: int = 6
    """With the pauses between them, long enough for an engine that is started again."""
    first_pause: float = 0.2
    longest_pause: float = 10.0
    """Where the engine asks for a longer one, a call fails at once, and its `retry_after` tells when to come again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request; whatever is tried again is the same to the last byte."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    wait: float = 0.0
    """Seconds for which the engine is asked to hold the answer back."""


class Pauses:
    """The pauses between tries: ever longer, unless the engine names one; never quite the same for two clients."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._next = patience.first_pause

    def start_again(self) -> None:
        """Begin with the shortest one."""
        self._next = self._patience.first_pause

    def after(self, error: EngineError | None = None) -> float:
        """Return how many seconds to wait before the next try."""
        if error is not None and error.retry_after is not None:
            return error.retry_after + _jittered(self._patience.first_pause)
        pause, self._next = self._next, min(self._next * 2, self._patience.longest_pause)
        return _jittered(pause)


class Transport:
    """Sends requests to one engine."""

    def __init__(
        self,
        base_url: str,
        session: aiohttp.ClientSession,
        patience: Patience,
        headers: Callable[[], Mapping[str, str]],
    ) -> None:
        self._base = base_url_of(base_url)
        self._session = session
        self.patience = patience
        self._headers = headers

    async def fetch(self, asked: Asked) -> bytes | None:
        """Return the answer's body; nothing where it was not modified. Raises `EngineError`.

        A 429 and a 503 say that nothing was done, and after a lost answer the idempotency key keeps a write from
        acting twice: each may be tried again.
        """
        pauses, tries_left = Pauses(self.patience), self.patience.tries
        headers = {**self._headers(), **asked.headers}
        while True:
            try:
                return await self._once(asked, headers)
            except (UnavailableError, TooManyRequestsError) as error:
                tries_left -= 1
                if tries_left < 1 or (error.retry_after or 0) > self.patience.longest_pause:
                    raise
                await asyncio.sleep(pauses.after(error))

    async def _once(self, asked: Asked, headers: Mapping[str, str]) -> bytes | None:
        timeout = aiohttp.ClientTimeout(total=self.patience.answer + asked.wait)
        try:
            async with self._session.request(
                asked.method,
                self._base + asked.path,
                data=asked.body or None,
                headers=headers,
                params=asked.query,
                timeout=timeout,
                allow_redirects=False,
            ) as answer:
                if answer.status == NOT_MODIFIED and "If-None-Match" in asked.headers:
                    return None
                await _demand_success(answer)
                return await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise unreachable(type(error).__name__) from error

    async def stream(
        self, path: str, headers: Mapping[str, str], opened: Callable[[], None]
    ) -> AsyncIterator[sse.ServerSentEvent]:
        """Yield the events of a stream, once it is open, until it ends or breaks. Raises `EngineError`."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=self.patience.answer, sock_read=self.patience.silence)
        wanted = {**self._headers(), **headers, "Accept": "text/event-stream"}
        try:
            async with self._session.get(
                self._base + path, headers=wanted, timeout=timeout, allow_redirects=False
            ) as answer:
                await _demand_success(answer)
                if answer.content_type != "text/event-stream":
                    raise garbled(f"a stream of events was asked for, and {answer.content_type} came")
                opened()
                async for event in sse.parse(answer.content):
                    yield event
        except (aiohttp.ClientError, TimeoutError) as error:
            raise unreachable(type(error).__name__) from error
        except (UnicodeDecodeError, LineTooLong) as error:
            raise garbled("the stream is not UTF-8, or has a line that is too long") from error


def base_url_of(url: str) -> str:
    """Return the engine's address without a slash at its end. Raises `ValueError` for what is none."""
    found = URL(url)
    if found.scheme not in ("http", "https") or not found.host:
        raise ValueError(f"an engine's address looks like http://127.0.0.1:8080, not like {url}")
    return url.rstrip("/")


def _jittered(seconds: float) -> float:
    """Spread the tries of many clients, so that they do not all come back at once."""
    return seconds * random.uniform(0.5, 1.0)  # noqa: S311  (not a secret)


async def _demand_success(answer: aiohttp.ClientResponse) -> None:
    """Raise the answer's error, unless it is a success."""
    if answer.status >= 400:
        raise await _error(answer)
    if answer.status not in (200, 201):
        raise garbled(f"it answered with status {answer.status}", answer.status)


async def _error(answer: aiohttp.ClientResponse) -> EngineError:
    body = await answer.read()
    try:
        problem = msgspec.structs.replace(msgspec.json.decode(body, type=Problem), status=answer.status)
    except (msgspec.DecodeError, UnicodeDecodeError):
        problem = Problem("about:blank", answer.reason or "", answer.status, "no_problem")
    return error_of(problem, seconds_of(answer.headers.get("Retry-After")))


def seconds_of(header: str | None) -> float | None:
    """Return how many seconds a `Retry-After` names, as a number or as a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
