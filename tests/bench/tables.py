"""Tables for measurements: they are opened over the API, and all their moves are known beforehand.

A measurement may see hidden cards: it reads the snapshots and plays the matches out itself.
"""

import asyncio
from random import Random

import msgspec
from msgspec import Struct

from locanda.client import EngineClient
from locanda.games.rules import GAMES
from locanda.messages import GameName, OpenTable, SitDown
from services.engine.service import codec
from services.engine.store import Store, connect
from services.engine.table import playing
from services.engine.table.state import AnyTable, TransitionContext, turn_of

AT_ONCE = 32
NAMES = ("Anna", "Bruno", "Carla", "Dario")


class Ready(Struct):
    """A table in play, and the requests for all moves of its match."""

    id: str
    tokens: list[str]
    moves: list[bytes]


async def ready(engine: EngineClient, redis_url: str, game: str, seats: int, tables: int, moves: int) -> list[Ready]:
    """Open tables and start their matches. Return the tables with the first moves of each match."""
    gate, store = asyncio.Semaphore(AT_ONCE), await connect(redis_url)

    async def one(number: int) -> Ready:
        async with gate:
            return await _ready(engine, store, game, seats, moves, Random(number))

    try:
        return await asyncio.gather(*(one(number) for number in range(tables)))
    finally:
        await store.close()


async def _ready(engine: EngineClient, store: Store, game: str, seats: int, moves: int, rng: Random) -> Ready:
    host = await engine.open_table(OpenTable(game=GameName(game), name=NAMES[0]))
    others = [await engine.sit(host.table.id, SitDown(name=name)) for name in NAMES[1:seats]]
    tokens = [seated.token or "" for seated in (host, *others)]
    await engine.start(host.table.id, tokens[0])
    return Ready(host.table.id, tokens, _played(await _snapshot(store, host.table.id), tokens, moves, rng))


async def _snapshot(store: Store, table: str) -> AnyTable:
    snapshot = (await store.load(table)).snapshot
    assert snapshot is not None
    return codec.decode(snapshot.data)


def _played(table: AnyTable, tokens: list[str], most: int, rng: Random) -> list[bytes]:
    requests: list[bytes] = []
    while len(requests) < most and (turn := turn_of(table)) is not None:
        move = rng.choice(GAMES[table.game].moves(table.deal))
        key = f"bench-{rng.getrandbits(64):x}"
        requests.append(move_request(table.id, tokens[turn], msgspec.json.encode({"move": move}), key))
        table = playing.play(table, turn, move, TransitionContext(0)).table
    return requests


def move_request(table: str, token: str, body: bytes, key: str) -> bytes:
    """Return a client's request for a move, with its token and an idempotency key."""
    return (
        f"POST /v1/tables/{table}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def stay_request(table: str, seat: int, token: str) -> bytes:
    """Return the request with which a person agrees to stay for the next match."""
    body = b'{"stays":true}'
    return (
        f"PUT /v1/tables/{table}/seats/{seat}/rematch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def look_request(table: str, token: str) -> bytes:
    """Return a client's request to read a table."""
    return f"GET /v1/tables/{table} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def listen_request(table: str, token: str) -> bytes:
    """Return a client's request for the events of a table, as its seat sees them."""
    return (
        f"GET /v1/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        "Accept: text/event-stream\r\n\r\n"
    ).encode()
