"""HTTP transport of the client: requests with retries and backoff, and streams of server-sent events."""

import asyncio
import random
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

import aiohttp
import msgspec
from yarl import URL

from locanda.errors import EngineError, TooManyRequestsError, UnavailableError, bad_answer, error_of, unreachable
from locanda.messages import Problem

NOT_MODIFIED = 304
LONGEST_EVENT = 2**18
"""Longest event accepted, in bytes: ten times the size of a table for ten people with sentences."""


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One server-sent event (HTML standard, section 9.2)."""

    id: str
    event: str
    data: str


async def parse_events(chunks: AsyncIterable[bytes]) -> AsyncIterator[ServerSentEvent]:
    """Parse a byte stream into events; skip comments, which are keep-alives. Chunks may end in the middle of an event.

    Raises `BadAnswerError` for an event that is too long, and `UnicodeDecodeError` for invalid UTF-8.
    """
    rest = b""
    async for chunk in chunks:
        *blocks, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n\n")
        for block in blocks:
            fields = _fields(block.decode())
            if "data" in fields:
                yield ServerSentEvent(fields.get("id", ""), fields.get("event", "message"), fields["data"])
        if len(rest) > LONGEST_EVENT:
            raise bad_answer("an event of the stream is too long")


def _fields(block: str) -> dict[str, str]:
    """Parse the fields of an event by name; a comment has an empty name."""
    fields: dict[str, str] = {}
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
    return fields


SERVER = "http://127.0.0.1:8080"
"""Address of the server that `make run` starts; default of all commands."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Time limits for answers and retries, in seconds."""

    answer_timeout: float = 10.0
    """Time for a whole answer, in addition to the wait of a long poll."""
    silence_timeout: float = 45.0
    """A stream without a byte for this long counts as broken. The engine sends a comment every 15 seconds."""
    budget: float = 60.0
    """Time from the first attempt after which a call is not retried. The default outlasts an engine's restart."""
    first_pause: float = 0.2
    longest_pause: float = 10.0
    """Longest pause between attempts. If the engine requests a longer one, the call fails immediately; see the error's
    `retry_after`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request to the engine. Each attempt sends the same bytes."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    wait: float = 0.0
    """Seconds that the engine may wait for a change before it answers a long poll."""


class Backoff:
    """Exponential backoff with jitter: each pause is twice the one before, unless the engine's answer names a pause."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._next = policy.first_pause

    def reset(self) -> None:
        """Return to the shortest pause."""
        self._next = self._policy.first_pause

    def next_pause(self, error: EngineError | None = None) -> float:
        """Return the seconds to wait before the next attempt."""
        if error is not None and error.retry_after is not None:
            return error.retry_after + _jittered(self._policy.first_pause)
        pause, self._next = self._next, min(self._next * 2, self._policy.longest_pause)
        return _jittered(pause)


class Transport:
    """Sends calls to one engine, with retries."""

    def __init__(
        self,
        base_url: str,
        session: aiohttp.ClientSession,
        policy: RetryPolicy,
        headers: Callable[[], Mapping[str, str]],
    ) -> None:
        self._base = engine_address(base_url)
        self._session = session
        self.policy = policy
        self._headers = headers

    async def fetch(self, call: Call, *, insists: bool = True) -> bytes | None:
        """Return the body of the answer, or None for a 304. Raises `EngineError`.

        Retries after a 429, a 503 or a lost answer. With a 429 or 503 the engine did nothing; after a lost answer, the
        idempotency key keeps a write from acting twice. With `insists` false, a 429 is raised without a retry.
        """
        backoff, end = Backoff(self.policy), time.monotonic() + self.policy.budget
        headers = {**self._headers(), **call.headers}
        while True:
            try:
                return await self._once(call, headers)
            except (UnavailableError, TooManyRequestsError) as error:
                pause = backoff.next_pause(error)
                too_long = (error.retry_after or 0) > self.policy.longest_pause or time.monotonic() + pause > end
                if too_long or (isinstance(error, TooManyRequestsError) and not insists):
                    raise
                await asyncio.sleep(pause)

    async def _once(self, call: Call, headers: Mapping[str, str]) -> bytes | None:
        timeout = aiohttp.ClientTimeout(total=self.policy.answer_timeout + call.wait)
        try:
            async with self._session.request(
                call.method,
                self._base + call.path,
                data=call.body or None,
                headers=headers,
                params=call.query,
                timeout=timeout,
                allow_redirects=False,
            ) as answer:
                if answer.status == NOT_MODIFIED and "If-None-Match" in call.headers:
                    return None
                await _raise_for_status(answer)
                return await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._unreachable(error) from None

    async def stream(self, call: Call, opened: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
        """Yield the events of a stream until it ends; call `opened` when it opens. Raises `EngineError`."""
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=self.policy.answer_timeout, sock_read=self.policy.silence_timeout
        )
        wanted = {**self._headers(), **call.headers, "Accept": "text/event-stream"}
        try:
            async with self._session.get(
                self._base + call.path, headers=wanted, params=call.query, timeout=timeout, allow_redirects=False
            ) as answer:
                await _raise_for_status(answer)
                if answer.content_type != "text/event-stream":
                    raise bad_answer(f"a stream of events was asked for, and {answer.content_type} came")
                opened()
                async for event in parse_events(answer.content.iter_any()):
                    yield event
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._unreachable(error) from None
        except UnicodeDecodeError as error:
            raise bad_answer("the stream is not UTF-8") from error

    def _unreachable(self, error: Exception) -> UnavailableError:
        """Return the error for an engine that did not answer, with its address and the class of the network error."""
        return unreachable(f"no answer from {URL(self._base).with_user(None)} ({type(error).__name__})")


def engine_address(url: str) -> str:
    """Remove a trailing slash from an engine's address. Raises `ValueError` for an invalid address."""
    address_url = URL(url)
    if address_url.scheme not in ("http", "https") or not address_url.host:
        raise ValueError(f"an engine's address looks like http://127.0.0.1:8080, not like {url}")
    return url.rstrip("/")


def _jittered(seconds: float) -> float:
    """Shorten a pause at random to 50 to 100 %, so that clients do not all retry at the same time."""
    return seconds * random.uniform(0.5, 1.0)  # noqa: S311  (not a secret)


async def _raise_for_status(answer: aiohttp.ClientResponse) -> None:
    if answer.status >= 400:
        raise await _error(answer)
    if answer.status not in (200, 201):
        raise bad_answer(f"it answered with status {answer.status}", answer.status)


async def _error(answer: aiohttp.ClientResponse) -> EngineError:
    body = await answer.read()
    try:
        problem = msgspec.structs.replace(msgspec.json.decode(body, type=Problem), status=answer.status)
    except (msgspec.DecodeError, UnicodeDecodeError):
        problem = Problem("about:blank", answer.reason or "", answer.status, "no_problem")
    return error_of(problem, retry_after_seconds(answer.headers.get("Retry-After")))


def retry_after_seconds(header: str | None) -> float | None:
    """Convert a `Retry-After` header, a number or date (RFC 9110, section 10.2.3), to seconds; None if invalid."""
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
