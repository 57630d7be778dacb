"""A reverse proxy for the webhooks of several bot processes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer


@asynccontextmanager
async def balancer(ports: Sequence[int]) -> AsyncIterator[str]:
    """Yield the URL of a proxy that passes each delivery to the next bot. If that bot is dead, another one gets it."""
    turns = cycle(ports)

    async def forward(request: web.Request) -> web.Response:
        body = await request.read()
        for _ in ports:
            url = f"http://127.0.0.1:{next(turns)}{request.path}"
            try:
                async with session.post(url, data=body, headers=request.headers) as answer:
                    return web.Response(status=answer.status)
            except aiohttp.ClientError:
                continue
        return web.Response(status=502)

    application = web.Application()
    application.router.add_post("/hook", forward)
    async with aiohttp.ClientSession() as session, TestServer(application) as server:
        yield str(server.make_url("/hook"))
