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

    def __init__(self, octets: bytes) -> None:
        super().__init__()
        self._octets = octets

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        """Send it."""
        await request.writer.write(self._octets)
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Send nothing: all is sent."""

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
    return _Whole(head.encode() + answer.body)


def _odd(answer: Answer, headers: dict[str, str]) -> web.Response:
    found = web.Response(body=answer.body or None, status=answer.status, headers=headers)
    if headers.get(hdrs.CONNECTION) == "close":  # which aiohttp would say, and not do
        found.force_close()
    return found


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
