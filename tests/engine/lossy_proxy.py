"""A TCP proxy before Redis that loses the reply to a script: what was sent took effect, and nobody hears of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

Loss = Literal["closed", "silent"]


class LossyProxy:
    """Passes everything on until told to lose."""

    def __init__(self, upstream: int) -> None:
        self._upstream = upstream
        self._losses: list[Loss] = []
        self.lost = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def lose(self, *losses: Loss) -> None:
        """Lose the replies to the next scripts: by closing the connection, or by saying nothing."""
        self._losses.extend(losses)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, questions = await asyncio.open_connection("127.0.0.1", self._upstream)
        try:
            while question := await reader.read(65_536):
                questions.write(question)
                answer = await answers.read(65_536)
                if b"EVALSHA" in question and self._losses:
                    self.lost += 1
                    if self._losses.pop(0) == "closed":
                        return
                else:
                    writer.write(answer)
        finally:
            questions.close()
            writer.close()


@asynccontextmanager
async def lossy_proxy(upstream: int) -> AsyncIterator[LossyProxy]:
    """Run a proxy before the Redis of a port."""
    proxy = LossyProxy(upstream)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
