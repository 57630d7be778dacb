"""A TCP server for tests that leaves no connection open."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from services.common.processes import end


@asynccontextmanager
async def stream_server(serve: Callable[[StreamReader, StreamWriter], Awaitable[None]]) -> AsyncIterator[int]:
    """Serve every connection on a free port, which is yielded; at the end, cancel the handlers and close all.

    `asyncio.start_server` alone leaves a connection open whose handler is cancelled before it has begun.
    """
    serving: dict[asyncio.Task[None], StreamWriter] = {}
    closing = False

    async def served(reader: StreamReader, writer: StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            writer.close()

    def connected(reader: StreamReader, writer: StreamWriter) -> None:
        if closing:
            return writer.close()
        task = asyncio.create_task(served(reader, writer))
        serving[task] = writer
        return task.add_done_callback(serving.pop)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        closing = True
        server.close()
        for task, writer in [*serving.items()]:
            writer.close()
            await end(task)
