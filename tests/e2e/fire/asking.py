"""Requests as a careful client sends them: known by a key, sent again until the answer is definite."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp
import msgspec

JsonObject = dict[str, Any]

PATIENCE = 12.0
"""Seconds for an answer: more than the engine needs to give Redis up."""


@dataclass(frozen=True)
class Answer:
    """An answer, read to its end."""

    status: int
    body: bytes
    etag: str | None

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def definite(self) -> bool:
        """Does it say what became of the request? 503 does not: who gets it asks again."""
        return self.status != 503


@dataclass(eq=False)
class Write:
    """A request that changes a table, and the answer that confirmed it."""

    method: str
    path: str
    body: JsonObject | None = None
    token: str | None = None
    version: int | None = None
    seat: int | None = None
    move: JsonObject | None = None
    key: str = field(default_factory=lambda: str(uuid4()))
    confirmed: Answer | None = None

    def hear(self, answer: Answer, *, retry: bool) -> None:
        """Note an answer: the first that confirms is the one that every retry must get.

        Of two sendings at the same time one may be refused before the other is confirmed, unless it names a version.
        """
        assert answer.status < 500 or answer.status == 503, answer
        if not answer.definite:
            return
        confirms = answer.status < 300
        if self.confirmed and (confirms or retry or self.version is not None):
            assert answer == self.confirmed, "a retry was told something else"
        elif confirms:
            self.confirmed = answer

    @property
    def made(self) -> int | None:
        """The version that it made, as far as anyone was told."""
        if self.confirmed is None:
            return None
        told = self.confirmed.json
        version: int = told.get("table", told)["version"]
        return version


async def send(session: aiohttp.ClientSession, url: str, write: Write, patience: float = PATIENCE) -> Answer | None:
    """Send a write once; none where no answer came in time."""
    headers = {"Idempotency-Key": write.key}
    if write.token:
        headers["Authorization"] = f"Bearer {write.token}"
    if write.version is not None:
        headers["If-Match"] = f'"{write.version}"'
    retry = write.confirmed is not None
    answer = await ask(session, write.method, url + write.path, headers, write.body, patience)
    if answer:
        write.hear(answer, retry=retry)
    return answer


async def look(session: aiohttp.ClientSession, url: str, token: str | None) -> Answer | None:
    """Read once; none where no answer came in time."""
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return await ask(session, "GET", url, headers, None, PATIENCE)


async def ask(
    session: aiohttp.ClientSession,
    method: str,
    url: str,
    headers: dict[str, str],
    body: JsonObject | None,
    patience: float,
) -> Answer | None:
    """Ask once; none where no answer came in time."""
    data = None if body is None else msgspec.json.encode(body)
    given = headers if data is None else headers | {"Content-Type": "application/json"}
    try:
        async with asyncio.timeout(patience), session.request(method, url, data=data, headers=given) as answer:
            return Answer(answer.status, await answer.read(), answer.headers.get("ETag"))
    except (aiohttp.ClientError, TimeoutError):
        return None
