"""An own player: a server that an engine asks for the moves of a seat. It plays a random legal move of any game.

With ENGINE_PLAYERS=ada=http://127.0.0.1:9000/ and ENGINE_OUTBOUND_PRIVATE=127.0.0.1 in .env, and `make run` in another
terminal:

    .venv/bin/python -m examples.own_player 9000
"""

import random
import sys

from aiohttp import web


# --8<-- [start:move]
async def move(request: web.Request) -> web.Response:
    """Answer with a move. The request has the seat's `view`, the `history` of events, and the legal `moves`."""
    question = await request.json()
    return web.json_response({"move": random.choice(question["moves"])})  # noqa: S311


# --8<-- [end:move]

if __name__ == "__main__":
    app = web.Application()
    app.router.add_post("/", move)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]))
