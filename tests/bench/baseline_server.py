"""The baseline server without a game: aiohttp, uvloop and Redis, with one GET and one script for each request.

`python -m tests.bench.baseline_server <way> <redis url> <bytes kept> <bytes answered>` serves on `ENGINE_PORT` until
it is killed.
"""

import asyncio
import hashlib
import os
import sys

import uvloop
from aiohttp import web

from tests.bench.redis_clients import WAYS

COMPARE_AND_SET = b"""
if redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', 3600)
return 1
"""
DIGEST = hashlib.sha1(COMPARE_AND_SET, usedforsecurity=False).hexdigest()
VERSION = bytes(8)


async def serve(way: str, redis_url: str, kept: int, answered: int) -> None:
    """Serve requests that read `kept` bytes from Redis, write as many, and answer `answered` bytes."""
    send = await WAYS[way](redis_url)
    await send(("SCRIPT", "LOAD", COMPARE_AND_SET))
    state, body = VERSION + b"x" * kept, b"x" * answered

    async def move(request: web.Request) -> web.Response:
        key = request.match_info["table"]
        await request.read()
        await send(("GET", key))
        await send(("EVALSHA", DIGEST, 1, key, VERSION, state))
        return web.Response(body=body, content_type="application/json")

    async def look(request: web.Request) -> web.Response:
        await send(("GET", request.match_info["table"]))
        return web.Response(body=body, content_type="application/json")

    async def readyz(_: web.Request) -> web.Response:
        return web.Response()

    app = web.Application()
    app.router.add_post("/v1/tables/{table}/moves", move)
    app.router.add_get("/v1/tables/{table}", look)
    app.router.add_get("/readyz", readyz)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", int(os.environ["ENGINE_PORT"])).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    name, url, *numbers = sys.argv[1:]
    uvloop.run(serve(name, url, *map(int, numbers)))
