"""Connections of an attacker, in a separate process: `python -m tests.bench.attacks.crowding <port> <way> …`.

`streams <path> <count>` holds event streams and reads them, and retries refused streams. `unread <count>` requests the
largest document eight times on each connection and reads nothing. Both print a line once all connections are open.
"""

import asyncio
import sys

import uvloop

PIPELINED = 8
REFUSED_SECONDS = 1.0
AT_ONCE = 64
"""The maximum number of streams that are opened at the same time."""


async def hold_stream(port: int, path: str, opened: "asyncio.Queue[None]", opening: asyncio.Semaphore) -> None:
    """Hold a stream open, and read it."""
    while True:
        async with opening:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode())
            status = await reader.readline()
        if b" 200 " in status:
            opened.put_nowait(None)
            while await reader.read(65_536):
                pass
        writer.close()
        await asyncio.sleep(REFUSED_SECONDS)


async def ask_without_reading(port: int, opened: "asyncio.Queue[None]") -> None:
    """Request documents, and never read the responses."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
    writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * PIPELINED)
    opened.put_nowait(None)
    await asyncio.Event().wait()
    del reader


async def main(port: int, way: str, *arguments: str) -> None:
    """Open the connections, and hold them open."""
    opened: asyncio.Queue[None] = asyncio.Queue()
    if way == "streams":
        path, count = arguments[0], int(arguments[1])
        opening = asyncio.Semaphore(AT_ONCE)
        holding = [asyncio.create_task(hold_stream(port, path, opened, opening)) for _ in range(count)]
    else:
        count = int(arguments[0])
        holding = [asyncio.create_task(ask_without_reading(port, opened)) for _ in range(count)]
    for _ in range(count):
        await opened.get()
    print("opened", flush=True)
    await asyncio.gather(*holding)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), *sys.argv[2:]))
