"""The event stream of a spectator, who resumes it on another replica whenever it breaks."""

import asyncio
import random

import aiohttp
import msgspec

from locanda.client import transport
from services.common.processes import end
from tests.e2e.fault_campaign.history import History
from tests.e2e.fault_campaign.replicas import PAUSE, RETRY_SECONDS, Replicas

TIMEOUT = aiohttp.ClientTimeout(total=None, sock_read=RETRY_SECONDS)

KEPT_EVENTS = 8
"""The minimum number of past events that the engine keeps for a table."""


class SpectatorStream:
    """Records the events of a table in a history until it is closed. Create it inside a running event loop."""

    def __init__(self, replicas: Replicas, path: str, history: History, last: int) -> None:
        self._replicas = replicas
        self._path = f"{path}/events"
        self._history = history
        self._last = last
        self._received = asyncio.Event()
        self._task = asyncio.create_task(self._follow(), name="stream")

    async def until(self, version: int) -> None:
        """Wait until a version has been received. Raises the error that ended the stream, if there is one."""
        async with asyncio.timeout(RETRY_SECONDS):
            while self._last < version:
                received = asyncio.ensure_future(self._received.wait())
                await asyncio.wait([received, self._task], return_when=asyncio.FIRST_COMPLETED)
                if self._task.done():
                    await self._task
                self._received.clear()

    async def close(self) -> None:
        await end(self._task)

    async def _follow(self) -> None:
        while True:
            try:
                await self._listen(random.choice(self._replicas.each).url)
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(PAUSE)

    async def _listen(self, url: str) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self._last)}
        async with self._replicas.session.get(url + self._path, headers=headers, timeout=TIMEOUT) as answer:
            answer.raise_for_status()
            async for event in transport.parse_events(answer.content):
                version = int(event.id)
                # the stream was interrupted for so long that the engine no longer has all missed events
                if event.event == "gap":
                    assert version > self._last + KEPT_EVENTS, "the stream has a gap that it need not have"
                else:
                    assert version == self._last + 1, "the stream has a gap and does not say so"
                self._history.record(None, msgspec.json.decode(event.data))
                self._last = version
                self._received.set()
