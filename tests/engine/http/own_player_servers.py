"""Servers of own players: some answer correctly, others misbehave in every way in which a server can."""

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from itertools import cycle

from locanda.messages import JsonObject

Answer = Callable[[JsonObject, StreamWriter], Awaitable[object]]


class PlayerServer:
    """A server that chooses moves and records its requests."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[tuple[dict[str, str], bytes]] = []

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {line.split(": ")[0].lower(): line.split(": ", 1)[1] for line in head.split("\r\n")[1:-2]}
        body = await reader.readexactly(int(headers["content-length"]))
        self.asked.append((headers, body))
        await self._answer(json.loads(body), writer)


async def reply(writer: StreamWriter, body: bytes, status: str = "200 OK", more: str = "") -> None:
    """Send a response with this body."""
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


async def last_move(body: JsonObject, writer: StreamWriter) -> None:
    """Play the last of the legal moves."""
    await reply(writer, json.dumps({"move": body["moves"][-1]}).encode())


async def illegal(body: JsonObject, writer: StreamWriter) -> None:
    """Answer with a card of Gatto Rosso that the seat does not hold."""
    held = json.dumps(body["view"])
    card = next(card for card in ("2c", "3d", "4h", "5s", "6c", "7d", "8h", "9s", "Jc", "Qd") if card not in held)
    await reply(writer, json.dumps({"move": {"type": "play", "card": card}}).encode())


async def no_json(_: JsonObject, writer: StreamWriter) -> None:
    """Answer with JSON that no parser accepts."""
    await reply(writer, b"[" * 15_000)


async def huge(_: JsonObject, writer: StreamWriter) -> None:
    """Answer with ten megabytes."""
    await reply(writer, b" " * 10_000_000)


async def redirecting(_: JsonObject, writer: StreamWriter) -> None:
    """Answer with a redirect."""
    await reply(writer, b"", "307 Elsewhere", "Location: http://127.0.0.1:1/\r\n")


async def dying(_: JsonObject, writer: StreamWriter) -> None:
    """Close the connection in the middle of the response."""
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"move": ')


async def failing(_: JsonObject, writer: StreamWriter) -> None:
    """Answer with an error."""
    await reply(writer, b'{"move": null}', "500 Oops")


async def silent(_: JsonObject, __: StreamWriter) -> None:
    """Never answer."""
    await asyncio.Event().wait()


async def slow_bytes(_: JsonObject, writer: StreamWriter) -> None:
    """Send a byte now and then."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b" ")
        await asyncio.sleep(0.02)


HOSTILE: dict[str, Answer] = {
    "illegal": illegal,
    "malformed": no_json,
    "too_big": huge,
    "status": redirecting,
    "broken": dying,
    "late": silent,
}
"""Hostile servers, by the reason for which they return no move."""


def whatever() -> Answer:
    """Return an answer that is hostile in a different way each time.

    Sometimes it plays, so that the engine keeps asking the server.
    """
    ways = [*HOSTILE.values(), failing, slow_bytes]
    answers = cycle([way for pair in zip(ways, [*ways[1:], ways[0]], strict=True) for way in (*pair, last_move)])

    async def answer(body: JsonObject, writer: StreamWriter) -> None:
        await next(answers)(body, writer)

    return answer
