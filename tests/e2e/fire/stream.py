"""A spectator's stream, resumed on another replica whenever it breaks."""

import asyncio
import random

import aiohttp
import msgspec

from shared import sse
from shared.tasks import end
from tests.e2e.fire.history import History
from tests.e2e.fire.inn import PAUSE, STUBBORN, Inn

TIMEOUT = aiohttp.ClientTimeout(total=None, sock_read=STUBBORN)

REMEMBERED = 8
"""Events that a table remembers at least, whatever happens between two looks at it."""


class Stream:
    """Follows a table; must run in a loop."""

    def __init__(self, inn: Inn, path: str, history: History, last: int) -> None:
        self._inn = inn
        self._path = f"{path}/events"
        self._history = history
        self._last = last
        self._heard = asyncio.Event()
        self._task = asyncio.create_task(self._follow(), name="stream")

    async def until(self, version: int) -> None:
        """Wait for a version; raises what was wrong with the stream."""
        async with asyncio.timeout(STUBBORN):
            while self._last < version:
                heard = asyncio.ensure_future(self._heard.wait())
                await asyncio.wait([heard, self._task], return_when=asyncio.FIRST_COMPLETED)
                if self._task.done():
                    await self._task
                self._heard.clear()

    async def close(self) -> None:
        await end(self._task)

    async def _follow(self) -> None:
        while True:
            try:
                await self._listen(random.choice(self._inn.replicas).url)
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(PAUSE)

    async def _listen(self, url: str) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self._last)}
        async with self._inn.session.get(url + self._path, headers=headers, timeout=TIMEOUT) as answer:
            answer.raise_for_status()
            async for event in sse.parse(answer.content):
                version = int(event.id)
                if event.event == "gap":  # it was away for so long that the table had forgotten
                    assert version > self._last + REMEMBERED, "the stream has a gap that it need not have"
                else:
                    assert version == self._last + 1, "the stream has a gap and does not say so"
                self._history.see(None, msgspec.json.decode(event.data))
                self._last = version
                self._heard.set()
