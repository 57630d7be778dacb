"""Servers that receive the engine's outgoing requests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

from aiohttp import web
from aiohttp.test_utils import TestServer


class Receiver(Protocol):
    """A server that receives requests and knows its own address."""

    url: str

    async def take(self, request: web.Request) -> web.Response:
        """Receive a request and return the response."""
        ...


R = TypeVar("R", bound=Receiver)


@asynccontextmanager
async def receiving(receiver: R) -> AsyncIterator[R]:
    """Run a receiver on a free port of this machine."""
    app = web.Application()
    app.router.add_post("/{path:.*}", receiver.take)
    async with TestServer(app) as server:
        receiver.url = str(server.make_url("/")).rstrip("/")
        yield receiver
