"""The server that is tried: requests over HTTP, which wait where it asks for that."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import msgspec

from locanda.conformance.comparing import Mismatch, expect
from locanda.messages import JsonObject
from locanda.transport import ServerSentEvent, engine_address, parse_events, retry_after_seconds

BUSY = (429, 503)
LONGEST_PAUSE = 90.0
"""Seconds: limits count for a minute."""
TRIES = 10
TIMEOUT = aiohttp.ClientTimeout(total=45)


@dataclass(frozen=True)
class HttpAnswer:
    """A complete response."""

    call: str
    """Method and path of the request, for sentences."""
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401  (JSON)
        """The body, decoded. Raises `Mismatch` if it is no JSON."""
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Mismatch(f"{self.call} does not answer JSON: {self.body[:80]!r}") from None

    def ok(self, status: int = 200) -> Any:  # noqa: ANN401  (JSON)
        """Return the decoded body of a success. Raises `Mismatch` for anything else."""
        expect(self.status == status, f"{self.call} answers {self._said()}, not {status}")
        return self.json

    def problem(self, status: int, code: str) -> JsonObject:
        """Return the problem that is expected. Raises `Mismatch` for anything else."""
        wanted = f"not the problem {status} `{code}`"
        expect(self.status == status, f"{self.call} answers {self._said()}, {wanted}")
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        expect(kind == "application/problem+json", f"{self.call} answers {status} as {kind or 'nothing'}, {wanted}")
        found: JsonObject = self.json
        expect(found.get("code") == code, f"{self.call} answers {self._said()}, {wanted}")
        expect(found.get("status") == status, f"{self.call}: `status` of the problem is not that of the answer")
        return found

    def _said(self) -> str:
        try:
            return f"{self.status} `{msgspec.json.decode(self.body)['code']}`"
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
            return str(self.status)


class TriedServer:
    """The server at an address."""

    def __init__(self, url: str, session: aiohttp.ClientSession, api_key: str | None = None) -> None:
        """Raises `ValueError` for an invalid address."""
        self._base = engine_address(url)
        self._session = session
        self._always = {"X-API-Key": api_key} if api_key else {}
        self.requests = 0

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """Send a request; while the server is busy, send it again after the pause that it asks for.

        Raises `aiohttp.ClientError` or `TimeoutError` where nobody answers.
        """
        sent = {**self._always, "Accept": "application/json", **_bearer(token), **(headers or {})}
        data = body if isinstance(body, bytes) else None
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
            data = data or msgspec.json.encode(body)
        for _ in range(TRIES):
            answer = await self._once(method, path, data, sent)
            if answer.status not in BUSY:
                return answer
            await asyncio.sleep(_pause(answer))
        raise Mismatch(f"{method} {path} is answered 429 or 503 {TRIES} times, after the pauses that it asked for")

    async def _once(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> HttpAnswer:
        self.requests += 1
        async with self._session.request(
            method, self._base + path, data=data, headers=headers, timeout=TIMEOUT, allow_redirects=False
        ) as response:
            return HttpAnswer(f"{method} {path}", response.status, response.headers, await response.read())

    async def stream(
        self, path: str, *, token: str | None = None, after: int | None = None
    ) -> AsyncGenerator[ServerSentEvent, None]:
        """Yield the events of a stream, from the one after a version on. Raises `Mismatch` for what is no stream."""
        resumed = {} if after is None else {"Last-Event-ID": str(after)}
        wanted = {**self._always, **_bearer(token), **resumed, "Accept": "text/event-stream"}
        self.requests += 1
        async with self._session.get(self._base + path, headers=wanted, timeout=TIMEOUT) as response:
            kind = response.content_type
            expect(kind == "text/event-stream", f"GET {path} answers {response.status} {kind}, no stream of events")
            async for event in parse_events(response.content.iter_any()):
                yield event


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _pause(answer: HttpAnswer) -> float:
    pause = retry_after_seconds(answer.headers.get("Retry-After"))
    if pause is None:
        raise Mismatch(f"{answer.call} answers {answer.status} without `Retry-After`")
    expect(pause <= LONGEST_PAUSE, f"{answer.call} answers {answer.status}, and asks for a pause of {pause:.0f} s")
    return pause + 0.05
