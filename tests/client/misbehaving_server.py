"""A misbehaving server: it answers each request with the next entry of a list of raw bytes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.parser import Parser
from http import HTTPStatus

import msgspec

from tests.stream_server import stream_server

DROP = b""
"""Closes the connection without an answer."""
HANG = b"hang"
"""Sends nothing and keeps the connection open."""


@dataclass
class ReceivedRequest:
    """A request as the server received it."""

    line: str
    headers: Message
    body: bytes


@dataclass
class MisbehavingServer:
    """The requests that the server has received, and its answers to the next requests; it repeats the last answer."""

    answers: list[bytes]
    requests: list[ReceivedRequest] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.requests.append(await _request(reader))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if answer == HANG:
                await reader.read()
            writer.write(answer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass


async def _request(reader: asyncio.StreamReader) -> ReceivedRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, _, rest = head.partition("\r\n")
    headers = Parser().parsestr(rest)
    return ReceivedRequest(line, headers, await reader.readexactly(int(headers.get("Content-Length", "0"))))


@asynccontextmanager
async def misbehaving_server(*answers: bytes) -> AsyncIterator[MisbehavingServer]:
    """Run the server on a free port."""
    running = MisbehavingServer(list(answers))
    async with stream_server(running.serve) as port:
        running.url = f"http://127.0.0.1:{port}"
        yield running


def answer(
    status: int, body: bytes | Mapping[str, object] = b"", type_: str = "application/json", **headers: str
) -> bytes:
    """Return a complete HTTP response. Underscores in a header's name become hyphens."""
    octets = body if isinstance(body, bytes) else msgspec.json.encode(body)
    sent = {"Content-Type": type_, "Content-Length": str(len(octets)), "Connection": "close"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode() + octets


def problem(status: int, code: str, **headers: str) -> bytes:
    """Return an error response (a problem of RFC 9457)."""
    body = {"type": f"/problems/{code}", "title": "No", "status": status, "code": code}
    return answer(status, body, "application/problem+json", **headers)


def stream(*events: str) -> bytes:
    """Return the beginning of a stream of events, which ends when the connection closes."""
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    return (head + "".join(events)).encode()
