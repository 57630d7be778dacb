"""A client on a bare TCP connection. It sends any bytes, and parses the responses."""

import asyncio
import re
from dataclasses import dataclass

import msgspec

from services.engine.http.problems.types import PROBLEM_TYPES
from tests.engine.http.engine_server import RunningEngine

TIMEOUT = 30.0
"""Seconds within which every request must be answered."""
HEAD = re.compile(rb"HTTP/\d\.\d (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n")
LENGTH = re.compile(rb"^content-length: (\d+)\r$", re.IGNORECASE | re.MULTILINE)
SECURITY_HEADERS = (
    b"X-Content-Type-Options: nosniff",
    b"Content-Security-Policy: default-src 'none'",
    b"Server: locanda",
)


@dataclass(frozen=True)
class RawResponse:
    """A response as received."""

    status: int
    head: bytes
    body: bytes


async def send_bytes(engine: RunningEngine, octets: bytes) -> list[RawResponse]:
    """Send bytes, and read until the engine closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    try:
        async with asyncio.timeout(TIMEOUT):
            writer.write(octets)
            return parse_responses(await reader.read())
    finally:
        writer.close()


def parse_responses(octets: bytes) -> list[RawResponse]:
    """Return the responses on a connection, in order."""
    responses = []
    while octets:
        head = HEAD.match(octets)
        assert head, octets[:200]
        length = LENGTH.search(head[2])
        size = int(length[1]) if length and head[1] != b"304" else 0
        responses.append(RawResponse(int(head[1]), head[2], octets[head.end() : head.end() + size]))
        octets = octets[head.end() + size :]
    return responses


def assert_safe_response(reply: RawResponse) -> None:
    """Assert that a response is no internal error and has the security headers.

    An error must have a known problem type.
    """
    assert reply.status < 500, reply
    assert all(line in reply.head for line in SECURITY_HEADERS), reply.head
    if reply.status >= 400:
        assert b"Content-Type: application/problem+json" in reply.head
        if reply.body:
            problem = msgspec.json.decode(reply.body)
            assert PROBLEM_TYPES[problem["code"]].status == problem["status"] == reply.status
