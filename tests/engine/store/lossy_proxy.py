"""A TCP proxy in front of Redis that loses replies to scripts: the command takes effect, but no reply arrives.

As on a real network, all data after a lost reply on the same connection is lost too.
"""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Literal

from services.common.processes import end
from tests.stream_server import stream_server

Loss = Literal["closed", "silent"]


@dataclass(eq=False)
class _Wire:
    """A connection through the proxy, and how its next reply is lost."""

    client: StreamWriter
    server: StreamWriter
    loss: Loss | None = None

    def close(self) -> None:
        self.client.close()
        self.server.close()


class LossyProxy:
    """Passes all data on until a test makes it lose a reply."""

    def __init__(self, upstream: int, script: bytes = b"") -> None:
        self._upstream = upstream
        self._script = script
        self._losses: list[Loss] = []
        self._wires: set[_Wire] = set()
        self.lost = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def lose(self, *losses: Loss) -> None:
        """Lose the replies to the next scripts: close the connection, or send nothing.

        A proxy for one script counts only calls that contain certain bytes.
        """
        self._losses.extend(losses)

    def cut(self) -> None:
        """Close every connection, and drop all data in transit."""
        for wire in self._wires:
            wire.close()

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            answers, questions = await asyncio.open_connection("127.0.0.1", self._upstream)
        except OSError:
            return
        wire = _Wire(writer, questions)
        self._wires.add(wire)
        forwarding = asyncio.create_task(self._ask(reader, wire), name="proxy")
        try:
            with suppress(ConnectionError):
                await self._answer(answers, wire)
        finally:
            self._wires.discard(wire)
            wire.close()
            await end(forwarding)

    async def _ask(self, questions: StreamReader, wire: _Wire) -> None:
        with suppress(ConnectionError):
            while question := await questions.read(65_536):
                if self._losses and wire.loss is None and b"EVALSHA" in question and self._script in question:
                    wire.loss = self._losses.pop(0)
                    self.lost += 1
                wire.server.write(question)
        wire.close()

    async def _answer(self, answers: StreamReader, wire: _Wire) -> None:
        while answer := await answers.read(65_536):
            if wire.loss == "closed":
                return
            if wire.loss is None:
                wire.client.write(answer)


@asynccontextmanager
async def lossy_proxy(upstream: int, script: bytes = b"") -> AsyncIterator[LossyProxy]:
    """Run a proxy in front of the Redis on a port."""
    proxy = LossyProxy(upstream, script)
    async with stream_server(proxy.serve) as proxy.port:
        yield proxy
