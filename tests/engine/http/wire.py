"""A client that sends whatever bytes it is given, and reads what comes back."""

import asyncio
import re
from dataclasses import dataclass

import msgspec

from services.engine.http.problems import KINDS
from tests.engine.http.house import House

PATIENCE = 5.0
"""Seconds within which everything is answered."""
HEAD = re.compile(rb"HTTP/\d\.\d (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n")
LENGTH = re.compile(rb"^content-length: (\d+)\r$", re.IGNORECASE | re.MULTILINE)
CAREFUL = (b"X-Content-Type-Options: nosniff", b"Content-Security-Policy: default-src 'none'", b"Server: locanda")


@dataclass(frozen=True)
class Reply:
    """An answer as it came over the wire."""

    status: int
    head: bytes
    body: bytes


async def exchange(engine: House, octets: bytes) -> list[Reply]:
    """Send, and read until the engine closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(octets)
            return replies(await reader.read())
    finally:
        writer.close()


def replies(octets: bytes) -> list[Reply]:
    """Return the answers that follow one another on a connection."""
    found = []
    while octets:
        head = HEAD.match(octets)
        assert head, octets[:200]
        length = LENGTH.search(head[2])
        size = int(length[1]) if length and head[1] != b"304" else 0
        found.append(Reply(int(head[1]), head[2], octets[head.end() : head.end() + size]))
        octets = octets[head.end() + size :]
    return found


def demand_a_careful_answer(reply: Reply) -> None:
    """It is no fault of the house; a refusal is one of the registry; browsers are told to be careful."""
    assert reply.status < 500, reply
    assert all(line in reply.head for line in CAREFUL), reply.head
    if reply.status >= 400:
        assert b"Content-Type: application/problem+json" in reply.head
        if reply.body:
            told = msgspec.json.decode(reply.body)
            assert KINDS[told["code"]].status == told["status"] == reply.status
