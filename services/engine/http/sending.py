"""From an answer to what aiohttp sends."""

import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

from aiohttp import HttpVersion11, hdrs, web
from aiohttp.abc import AbstractStreamWriter

from services.engine.http.answers import Answer
from services.engine.http.headers import Headers

REASONS = {status.value: status.phrase for status in HTTPStatus}
BARE = (204, 304)
"""The statuses of answers without a body."""


class _Whole(web.StreamResponse):
    """An answer that goes out at once. aiohttp's own way there takes fourteen steps more."""

    def __init__(self, octets: bytes, writer: AbstractStreamWriter) -> None:
        super().__init__()
        self._octets = octets
        self._writer = writer

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:  # noqa: ARG002 - it is the writer's
        """Send it."""
        await self._writer.write(self._octets)
        return self._writer

    async def write_eof(self, data: bytes = b"") -> None:  # noqa: ARG002 - all is sent
        """Wait while too much of what was sent before lies unread: who asks on and on has to read, too."""
        await self._writer.drain()

    @property
    def keep_alive(self) -> bool:
        """Does the connection stay open for another request?"""
        return True


def response(request: web.BaseRequest, answer: Answer, headers: Headers) -> web.StreamResponse:
    """Return what sends an answer; aiohttp sees to all that is odd: HEAD, HTTP/1.0, connections that end."""
    if (
        request.version != HttpVersion11
        or request.method == hdrs.METH_HEAD
        or answer.status in BARE
        or hdrs.CONNECTION in answer.headers
        or not request.keep_alive
    ):
        return _odd(answer, headers.of(request, answer.headers))
    head = (
        f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\n{headers.lines(request, answer.headers)}"
        f"Content-Length: {len(answer.body)}\r\nDate: {_date(int(time.time()))}\r\n\r\n"
    )
    return _Whole(head.encode() + answer.body, request.writer)


def _odd(answer: Answer, headers: dict[str, str]) -> web.Response:
    found = web.Response(body=answer.body or None, status=answer.status, headers=headers)
    if headers.get(hdrs.CONNECTION) == "close":  # which aiohttp would say, and not do
        found.force_close()
    return found


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
