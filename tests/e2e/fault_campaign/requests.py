"""Requests of the fault campaign: each write has an idempotency key and is repeated until its response is definite."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp
import msgspec

from locanda.messages import JsonObject

PATIENCE = 12.0
"""Seconds to wait for a response. The engine waits for Redis for less time."""


@dataclass(frozen=True)
class ReceivedResponse:
    """The status, body and ETag of an HTTP response."""

    status: int
    body: bytes
    etag: str | None

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def definite(self) -> bool:
        """Whether the response tells the outcome of the request. A 503 does not, so the client repeats the request."""
        return self.status != 503


@dataclass(eq=False)
class WriteRequest:
    """A request that changes a table, and the response that confirmed it."""

    method: str
    path: str
    body: JsonObject | None = None
    token: str | None = None
    version: int | None = None
    seat: int | None = None
    move: JsonObject | None = None
    key: str = field(default_factory=lambda: str(uuid4()))
    confirmed: ReceivedResponse | None = None

    def record(self, answer: ReceivedResponse, *, retry: bool) -> None:
        """Record a response: every retry must get the response that confirmed the write.

        If two copies are sent at the same time, one may be refused before the other is confirmed, unless the write
        names a version.
        """
        assert answer.status < 500 or answer.status == 503, answer
        if not answer.definite:
            return
        confirms = answer.status < 300
        if self.confirmed and (confirms or retry or self.version is not None):
            assert answer == self.confirmed, "a retry got another response"
        elif confirms:
            self.confirmed = answer

    @property
    def made(self) -> int | None:
        """The version that the write made, or None if no response contained it."""
        if self.confirmed is None:
            return None
        body = self.confirmed.json
        version: int = body.get("table", body)["version"]
        return version


async def send(
    session: aiohttp.ClientSession, url: str, write: WriteRequest, patience: float = PATIENCE
) -> ReceivedResponse | None:
    """Send a write once; return None if no response came in time."""
    headers = {"Idempotency-Key": write.key}
    if write.token:
        headers["Authorization"] = f"Bearer {write.token}"
    if write.version is not None:
        headers["If-Match"] = f'"{write.version}"'
    retry = write.confirmed is not None
    answer = await request(session, write.method, url + write.path, headers, write.body, patience)
    if answer:
        write.record(answer, retry=retry)
    return answer


async def get(session: aiohttp.ClientSession, url: str, token: str | None) -> ReceivedResponse | None:
    """Send one GET; return None if no response came in time."""
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return await request(session, "GET", url, headers, None, PATIENCE)


async def request(
    session: aiohttp.ClientSession,
    method: str,
    url: str,
    headers: dict[str, str],
    body: JsonObject | None,
    patience: float,
) -> ReceivedResponse | None:
    """Send one request; return None if no response came in time."""
    data = None if body is None else msgspec.json.encode(body)
    all_headers = headers if data is None else headers | {"Content-Type": "application/json"}
    try:
        async with asyncio.timeout(patience), session.request(method, url, data=data, headers=all_headers) as answer:
            return ReceivedResponse(answer.status, await answer.read(), answer.headers.get("ETag"))
    except (aiohttp.ClientError, TimeoutError):
        return None
