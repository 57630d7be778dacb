"""Archives of a release's tables in Redis: for each game one open, one in play and one over.

`python -m tests.engine.upgrades.archive NAME` writes `archives/NAME.json` with the current code: tables of the newest
form, with an unreachable own player on the last seat, so that `medium` plays for it. Run it once before a release that
changes stored data, and keep all older archives: tests read every one.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec import Raw, Struct, structs

from locanda import messages
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.app import build
from services.engine.http.api.handlers import ROUTES
from services.engine.service.assembly import Service
from services.engine.service.computers import Thinking
from services.engine.service.idempotency import Caller, TableReply
from services.engine.service.own_players import OwnPlayers
from services.engine.service.workers import Workers
from services.engine.settings import EngineSettings
from services.engine.store import Store, connect
from services.engine.store.keys import HEARTBEAT
from services.engine.table.state import turn_of
from services.engine.table.view import moves

ARCHIVES = Path(__file__).parent / "archives"
NOW = 1_800_000_000_000
"""The time at which the tables are stored, in epoch milliseconds."""
PAUSE = 60_000
"""Milliseconds after which the move of a computer player is always due."""
ADA = messages.SitDown(
    "Ada", kind="computer", level="@ada", server=messages.OwnServer("https://bots.example/", "whsec_" + "A" * 32)
)
WRITES = {route.operation_id: route.handler for route in ROUTES if route.writes}
SHORTEST = {"ramino": {"target": 1}}
"""The options that make a match short. Games without an entry play one deal."""


class StoredKey(Struct):
    """A key of Redis with its value, in the field for its type."""

    string: bytes | None = None
    list: tuple[bytes, ...] | None = None
    zset: dict[str, float] | None = None


class ArchivedTable(Struct):
    """A table of the archive, with its tokens, its last request and its views."""

    id: str
    game: str
    status: str
    version: int
    tokens: tuple[str, ...]
    """The token of each seat. The last seat may have none."""
    last: Caller
    """The sender of the last request."""
    reply: bytes
    """The reply to the last request. A repetition of that request gets the same reply."""
    views: tuple[bytes, ...]
    """The views of the table: one for each seat, then the spectator's."""


class Archive(Struct):
    """All data in a Redis, and the tables in it."""

    keys: dict[str, StoredKey]
    tables: list[ArchivedTable]


async def dump(store: Store) -> dict[str, StoredKey]:
    """Return every key of an embedded store except the heartbeat, which belongs to the process that wrote it."""
    client = store._backend._client  # type: ignore[attr-defined]
    content = {}
    for key in sorted({*await client.keys("*")} - {HEARTBEAT.encode()}):
        match await client.type(key):
            case b"string":
                value = StoredKey(string=await client.get(key))
            case b"list":
                value = StoredKey(list=tuple(await client.lrange(key, 0, -1)))
            case _:
                value = StoredKey(zset={m.decode(): s for m, s in await client.zrange(key, 0, -1, withscores=True)})
        content[key.decode()] = value
    return content


async def restore(store: Store, archive: Archive) -> None:
    """Write all data of an archive into a store."""
    call = store._backend.call
    for key, value in archive.keys.items():
        if value.string is not None:
            await call(("SET", key, value.string))
        if value.list is not None:
            await call(("RPUSH", key, *value.list))
        for member, score in (value.zset or {}).items():
            await call(("ZADD", key, repr(score), member))


class Playing:
    """Plays at the tables of a store, on a simulated clock."""

    def __init__(self, store: Store) -> None:
        self._now = NOW
        brought = Thinking(Workers(), own_players=OwnPlayers(from_people=True))
        self.service = Service(store, lambda: self._now, think_ms=0, thinking=brought)
        self._context = replace(build(EngineSettings(engine_writes_per_second=0), store), service=self.service)

    async def write(
        self, call: str, caller: Caller, table: str | None = None, body: Struct | None = None
    ) -> TableReply:
        """Call a write of the API by its operation id."""
        places = {} if table is None else {"table": table}
        reply = await WRITES[call](self._context, caller=caller, body=body, **places)
        assert isinstance(reply, TableReply)
        return reply

    async def play(self, table: str, tokens: Sequence[str], caller: Caller) -> tuple[Caller, TableReply] | None:
        """Let computer players move, then make the first legal move of the person on turn.

        Return None after the match.
        """
        while (state := (await self.service.queries.access(table, None)).table).status != "over":
            turn = turn_of(state) or 0
            if turn < len(tokens):
                caller = structs.replace(caller, token=tokens[turn])
                move = messages.PlayMove(Raw(msgspec.json.encode(moves(state, turn)[0])))
                return caller, await self.write("play", caller, table, move)
            self._now += PAUSE
            await self.service.waking.wake(table)
        return None


def read(name: str) -> Archive:
    """Load an archive by its name."""
    return msgspec.json.decode((ARCHIVES / f"{name}.json").read_bytes(), type=Archive)


async def make() -> Archive:
    """Create the tables with the present code, and return the archive."""
    store = await connect(None)
    playing = Playing(store)
    tables = [await _table(playing, game, status) for game in GAME_NAMES for status in ("open", "playing", "over")]
    keys = await dump(store)
    await store.close()
    kept = {table.last.answer_key.hex() for table in tables if table.last.answer_key}
    for key in [key for key in keys if ":answer:" in key and key.rpartition(":")[2] not in kept]:
        del keys[key]
    return Archive(keys, tables)


async def _table(playing: Playing, game: str, status: str) -> ArchivedTable:
    name, service = f"{game} {status}", playing.service
    options = messages.GivenOptions(SHORTEST.get(game, {"deals": 1}))
    opening = messages.OpenTable(
        messages.GameName(game), "Anna", options, turn_seconds=600, listed=True, hints=True, fill_seats=False
    )
    reply = await playing.write("open_table", Caller(key=f"open {name}", fingerprint=b"f" * 32), body=opening)
    seated = msgspec.json.decode(reply.body, type=messages.Seated)
    table, tokens = seated.table.id, [str(seated.token)]
    others = ("Bruno", "Carla")[: max(GAMES[game].seats(GAMES[game].options())) - 2]
    for number, who in enumerate(others, 1):
        last = Caller(key=f"seat {number} {name}", fingerprint=b"f" * 32)
        reply = await playing.write("sit", last, table, messages.SitDown(who, client_seed=f"seed of {who}"))
        tokens.append(str(msgspec.json.decode(reply.body, type=messages.Seated).token))
    last = Caller(tokens[0], key=f"own player {name}", fingerprint=b"f" * 32)
    reply = await playing.write("sit", last, table, ADA)
    if status != "open":
        reply = await playing.write("start", Caller(tokens[0]), table)
        for number in range(5 if status == "playing" else 10_000):
            moved = await playing.play(table, tokens, Caller(key=f"move {number} {name}", fingerprint=b"m" * 32))
            if moved is None:
                break
            last, reply = moved
    views = [(await service.queries.show(table, token)).body for token in (*tokens, None)]
    version = (await service.queries.access(table, None)).table.version
    return ArchivedTable(table, game, status, version, tuple(tokens), last, reply.body, tuple(views))


if __name__ == "__main__":
    assert {*GAME_NAMES} == {*GAMES}
    ARCHIVES.mkdir(exist_ok=True)
    made = asyncio.run(make())
    (ARCHIVES / f"{sys.argv[1]}.json").write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
