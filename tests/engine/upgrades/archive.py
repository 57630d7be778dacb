"""Archives of stored tables: what a release leaves in Redis, for each game an open table, one in play and one over.

`python -m tests.engine.upgrades.archive NAME` writes `archives/NAME.json` with the code as it is. Run it once before a
release that changes what is stored, and keep the archives of the releases before: tests read every one of them.
"""

import asyncio
import sys
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from locanda import messages
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.service.facade import Service
from services.engine.service.idempotency import Caller
from services.engine.store import Store, connect
from services.engine.store.keys import HEARTBEAT
from services.engine.table.state import turn_of

ARCHIVES = Path(__file__).parent / "archives"
NOW = 1_800_000_000_000
"""When the tables were made, in epoch milliseconds."""
SHORTEST = {"ramino": {"target": 1}}
"""The options that make a match short; for the other games, one deal."""


class StoredKey(Struct):
    """A key of Redis with its value, by type."""

    string: bytes | None = None
    list: tuple[bytes, ...] | None = None
    zset: dict[str, float] | None = None


class ArchivedTable(Struct):
    """A table of the archive, and what its players know of it."""

    id: str
    game: str
    status: str
    version: int
    tokens: tuple[str, ...]
    """By seat."""
    last: Caller
    """Who sent the last request."""
    reply: bytes
    """The reply to the last request, which its repetition gets again."""
    views: tuple[bytes, ...]
    """The table as each seat saw it, and as a spectator did, last."""


class Archive(Struct):
    """Everything in a Redis, and the tables in it."""

    keys: dict[str, StoredKey]
    tables: list[ArchivedTable]


async def dump(store: Store) -> dict[str, StoredKey]:
    """Return every key of an embedded store but the heartbeat, which belongs to the process that wrote it."""
    client = store._backend._client  # type: ignore[attr-defined]
    found = {}
    for key in sorted({*await client.keys("*")} - {HEARTBEAT.encode()}):
        match await client.type(key):
            case b"string":
                value = StoredKey(string=await client.get(key))
            case b"list":
                value = StoredKey(list=tuple(await client.lrange(key, 0, -1)))
            case _:
                value = StoredKey(zset={m.decode(): s for m, s in await client.zrange(key, 0, -1, withscores=True)})
        found[key.decode()] = value
    return found


async def restore(store: Store, archive: Archive) -> None:
    """Put everything of an archive into a store."""
    call = store._backend.call
    for key, value in archive.keys.items():
        if value.string is not None:
            await call(("SET", key, value.string))
        if value.list is not None:
            await call(("RPUSH", key, *value.list))
        for member, score in (value.zset or {}).items():
            await call(("ZADD", key, repr(score), member))


def read(name: str) -> Archive:
    """Return an archive by its name."""
    return msgspec.json.decode((ARCHIVES / f"{name}.json").read_bytes(), type=Archive)


async def make() -> Archive:
    """Make the tables with the present code, and return them."""
    store = await connect(None)
    service = Service(store, lambda: NOW)
    tables = [await _table(service, game, status) for game in GAME_NAMES for status in ("open", "playing", "over")]
    keys = await dump(store)
    await store.close()
    kept = {table.last.answer_key.hex() for table in tables if table.last.answer_key}
    for key in [key for key in keys if ":answer:" in key and key.rpartition(":")[2] not in kept]:
        del keys[key]
    return Archive(keys, tables)


async def _table(service: Service, game: str, status: str) -> ArchivedTable:
    options = messages.GivenOptions(SHORTEST.get(game, {"deals": 1}))
    opening = messages.OpenTable(messages.GameName(game), "Anna", options=options, turn_seconds=600, listed=True)
    reply = await service.open(opening, Caller(key=f"open {game} {status}", fingerprint=b"f" * 32))
    seated = msgspec.json.decode(reply.body, type=messages.Seated)
    table, tokens = seated.table.id, [str(seated.token)]
    others = ("Bruno", "Carla")[: max(GAMES[game].seats(GAMES[game].options())) - 1]
    last = Caller(key="")
    for number, name in enumerate(others, 1):
        last = Caller(key=f"seat {number} {game} {status}", fingerprint=b"f" * 32)
        reply = await service.sit(table, last, messages.SitDown(name, client_seed=f"seed of {name}"))
        tokens.append(str(msgspec.json.decode(reply.body, type=messages.Seated).token))
    if status != "open":
        reply = await service.start(table, Caller(tokens[0]))
        for number in range(5 if status == "playing" else 10_000):
            accessed = await service.access(table, None)
            if accessed.table.status == "over":
                break
            last = Caller(tokens[turn_of(accessed.table) or 0], key=f"move {number}", fingerprint=b"m" * 32)
            move = (await service.legal_moves(table, last.token)).moves[0]
            reply = await service.play(table, last, Raw(msgspec.json.encode(move)))
    views = [(await service.queries.show(table, token)).body for token in (*tokens, None)]
    return ArchivedTable(table, game, status, reply.version, tuple(tokens), last, reply.body, tuple(views))


if __name__ == "__main__":
    assert {*GAME_NAMES} == {*GAMES}
    ARCHIVES.mkdir(exist_ok=True)
    made = asyncio.run(make())
    (ARCHIVES / f"{sys.argv[1]}.json").write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
