"""The baseline server without a game: aiohttp, uvloop and Redis, with one script for each move.

`python -m tests.bench.baseline_server <way> <redis url> <bytes kept> <bytes answered>` serves on `ENGINE_PORT` until
it is killed.
"""

import asyncio
import hashlib
import os
import sys
from collections import Counter

import uvloop
from aiohttp import web

from tests.bench.redis_clients import WAYS

COMPARE_AND_SET = b"""
local before = redis.call('GETRANGE', KEYS[1], 0, 7)
if before ~= '' and before ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', 3600)
return 1
"""
DIGEST = hashlib.sha1(COMPARE_AND_SET, usedforsecurity=False).hexdigest()
VERSION = bytes(8)


async def serve(way: str, redis_url: str, kept: int, answered: int) -> None:
    """Serve moves that write `kept` bytes to Redis and answer `answered` bytes.

    The streams of a table get the same bytes, in the form of a table with two players who take turns.
    """
    send = await WAYS[way](redis_url)
    await send(("SCRIPT", "LOAD", COMPARE_AND_SET))
    state, body = VERSION + b"x" * kept, b"x" * answered

    streams: dict[str, dict[int, web.StreamResponse]] = {}
    versions: Counter[str] = Counter()

    def event(table: str, seat: int) -> bytes:
        version = versions[table]
        moves = b"[1]" if version % 2 == seat else b"[]"
        seen = b'{"version":%d,"match":{"number":1},"you":%d,"status":"playing","moves":%b,"rest":"%b"}'
        return b"event: change\ndata: %b\n\n" % (seen % (version, seat, moves, body))

    async def move(request: web.Request) -> web.Response:
        table = request.match_info["table"]
        await request.read()
        await send(("EVALSHA", DIGEST, 1, table, VERSION, state))
        versions[table] += 1
        for seat, stream in streams.get(table, {}).items():
            await stream.write(event(table, seat))
        return web.Response(body=body, content_type="application/json")

    async def events(request: web.Request) -> web.StreamResponse:
        table, seat = request.match_info["table"], int(request.headers["Authorization"].removeprefix("Bearer "))
        stream = web.StreamResponse()
        await stream.prepare(request)
        await stream.write(event(table, seat))
        streams.setdefault(table, {})[seat] = stream
        try:
            await asyncio.Event().wait()
        finally:
            del streams[table][seat]
        return stream

    async def look(request: web.Request) -> web.Response:
        await send(("GET", request.match_info["table"]))
        return web.Response(body=body, content_type="application/json")

    async def readyz(_: web.Request) -> web.Response:
        return web.Response()

    app = web.Application()
    app.router.add_post("/v1/tables/{table}/moves", move)
    app.router.add_get("/v1/tables/{table}", look)
    app.router.add_get("/v1/tables/{table}/events", events)
    app.router.add_get("/readyz", readyz)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", int(os.environ["ENGINE_PORT"])).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    name, url, *numbers = sys.argv[1:]
    uvloop.run(serve(name, url, *map(int, numbers)))
