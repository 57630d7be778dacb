"""Attacks on the data in Redis: its memory, an endless log, and the places in the list of tables."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count, repeat
from typing import Any
from uuid import uuid4

from redis import Redis

from services.engine.store import keys
from tests.bench.attacks.engine import ATTACKER, SECONDS, TOO_MANY, Client, Result, engine_and_redis, memory, stranger
from tests.bench.attacks.looks import looks

MOST_STORED = 4_000_000
"""Bytes that a seat may add to Redis."""
SHARE = 1
"""Megabytes that a client may hold in this test: a sixteenth of the default, to save time."""
FILLING = 60.0
"""How many seconds a client takes to fill its share."""
HOURS = {
    "ENGINE_TABLES_PER_MINUTE": "0",
    "ENGINE_SEATS_PER_MINUTE": "0",
    "ENGINE_CLIENT_CPU_MS": "0",
    "ENGINE_WRITES_PER_SECOND": "0",
    "ENGINE_WEBHOOKS": "on",
}
"""Settings without rate limits, so that a minute of the test has the effect of an hour or more."""
FOUR_HOURS = 2_400_000
"""Lines of a log after four hours of one-deal rematches at ten seats of one client."""
TIMES_QUIET = 2.0
MOST_LISTED = 300
OTHERS = 10


async def store_filled() -> Result:
    """Send writes from one seat, with a new idempotency key each time."""
    async with engine_and_redis() as (engine, redis, session):
        attacker = Client(session, engine, ATTACKER)
        _, opened = await attacker.ask("POST", "/v1/tables", {"game": "presidente", "name": "Anna"})
        path, token = f"/v1/tables/{opened['table']['id']}/seats/0/seed", opened["token"]
        before, until, statuses = await asyncio.to_thread(memory, redis), time.monotonic() + SECONDS, []

        async def write() -> None:
            while time.monotonic() < until:
                body = {"client_seed": uuid4().hex}
                statuses.append((await attacker.ask("PUT", path, body, token, key=uuid4().hex))[0])

        await asyncio.gather(*(write() for _ in range(8)))
        added = await asyncio.to_thread(memory, redis) - before
        taken = statuses.count(200)
        return Result(
            "answers under fresh keys",
            f"{len(statuses)} writes, {taken} taken; {added / 1000:.0f} KB",
            added < MOST_STORED,
        )


class Filler:
    """A client that fills Redis with every call that it is allowed to make."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.tables = 0

    async def fill(self) -> int:
        """Make all these calls at one more table. Return the status of the refusal, or 0 if nothing was refused."""
        opened = {"game": "gatto_rosso", "name": "Anna", "listed": True, "options": {"deals": 1}}
        status, seated = await self._client.ask("POST", "/v1/tables", opened, key=uuid4().hex)
        if status == TOO_MANY:  # the client has too many listed tables
            status, seated = await self._client.ask("POST", "/v1/tables", opened | {"listed": False}, key=uuid4().hex)
        if status != 201:
            return status
        self.tables += 1
        path, tokens = f"/v1/tables/{seated['table']['id']}", [seated["token"]]
        _, sat = await self._client.ask("POST", f"{path}/seats", {"name": "Bruno"}, key=uuid4().hex)
        tokens.append(sat["token"])
        return max([await act(path, tokens) for act in (self._subscribe, self._rename, self._play)])

    async def _subscribe(self, path: str, tokens: Sequence[str]) -> int:
        """Subscribe as often as a seat may, and set an evening repeatedly."""
        refused = 0
        for token in tokens:
            for number in range(4):
                url = f"https://example.com/{number}".ljust(500, "x")
                types = ["turn", "over", "closed", "invitation", "evening"]
                status, _ = await self._client.ask("POST", f"{path}/subscriptions", {"url": url, "types": types}, token)
                refused = max(refused, status if status >= 400 else 0)
        for day in range(1, 5):
            evening = {
                "game": "ramino",
                "at": time.strftime("%Y-%m-%dT20:00:00Z", time.gmtime(time.time() + day * 2e5)),
            }
            status, _ = await self._client.ask("PUT", f"{path}/evening", evening, tokens[0])
            refused = max(refused, status if status >= 400 else 0)
        return refused

    async def _rename(self, path: str, tokens: Sequence[str]) -> int:
        """Rename each seat with the longest names, until the engine stores as many replies as it can."""
        for number in range(17):
            for seat, token in enumerate(tokens):
                name = {"name": f"{number}-{seat}".ljust(32, "ü")}
                await self._client.ask("PUT", f"{path}/seats/{seat}/name", name, token, key=uuid4().hex)
        return 0

    async def _play(self, path: str, tokens: Sequence[str]) -> int:
        """Play two matches of one deal each."""
        for number in range(2):
            if number:
                status, table = await self._client.stay(path, tokens)
            else:
                status, table = await self._client.ask("POST", f"{path}/start", None, tokens[0], key=uuid4().hex)
            if status != 200:
                return status
            while table["status"] == "playing":
                token = tokens[table["deal"]["turn"]]
                _, shown = await self._client.ask("GET", path, None, token)
                move = {"move": shown["moves"][0]}
                _, made = await self._client.ask("POST", f"{path}/moves", move, token, key=uuid4().hex)
                table = made["table"]
        return 0


async def client_filled() -> Result:
    """Open, start and list tables, subscribe, set evenings, write with keys and play, until everything is refused."""
    async with engine_and_redis(**HOURS, ENGINE_CLIENT_MB=str(SHARE)) as (engine, redis, session):
        filler, until, statuses = Filler(Client(session, engine, ATTACKER)), time.monotonic() + FILLING, list[int]()

        async def fill() -> None:
            while time.monotonic() < until and statuses[-20:] != [*repeat(TOO_MANY, 20)]:
                statuses.append(await filler.fill())

        await asyncio.gather(*(fill() for _ in range(4)))
        held = await asyncio.to_thread(held_by_tables, redis.url)
        ended = "then refused" if statuses[-1] == TOO_MANY else "and nothing was refused"
        figures = f"{filler.tables} tables in {FILLING:.0f} s, {held / 1e6:.2f} MB with {SHARE} allowed, {ended}"
        return Result("all that a client may do", figures, held <= SHARE << 20)


def held_by_tables(url: str) -> int:
    """Return the bytes of all keys that belong to tables and buckets."""
    with Redis.from_url(url) as redis:
        return sum(redis.memory_usage(key, samples=0) or 0 for key in redis.scan_iter("locanda:{[0-9]*}:*", 1000))


async def long_log() -> Result:
    """On two connections, read the first deal of a table whose log is as long as after four hours of rematches."""
    async with engine_and_redis() as (engine, redis, session):
        path, _ = await stranger(session, engine).finished()
        await asyncio.to_thread(lengthen, redis.url, path.rpartition("/")[2])
        quiet = await looks(engine, "/v1/server", SECONDS)
        read, until = count(), time.monotonic() + SECONDS

        async def prove() -> None:
            while time.monotonic() < until:
                await stranger(session, engine).ask("GET", f"{path}/deals/1?match=1")
                next(read)

        attacked, *_ = await asyncio.gather(looks(engine, "/v1/server", SECONDS), prove(), prove())
        figures = f"{next(read)} proofs; {quiet}, under attack {attacked}"
        return Result("proofs from a long log", figures, attacked.p95 <= TIMES_QUIET * quiet.p95)


def lengthen(url: str, table: str) -> None:
    """Append the lines of later matches to a table's log."""
    log, step = keys.of(table).log, 10_000
    with Redis.from_url(url) as redis:
        for match in range(2, 2 + FOUR_HOURS // step):
            line = match.to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(40)
            redis.rpush(log, *repeat(line, step))


async def lobby_filled() -> Result:
    """List and start tables repeatedly, while each of ten other clients has one table in play."""
    async with engine_and_redis() as (engine, _, session):
        for _ in range(OTHERS):
            await listed(stranger(session, engine))
        attacker, own = Client(session, engine, ATTACKER), set[str]()
        for _ in range(MOST_LISTED):
            opened = await listed(attacker)
            if opened is None:
                break
            own.add(opened)
        await asyncio.sleep(3)
        _, lobby = await stranger(session, engine).ask("GET", "/v1/lobby")
        shown = [table["id"] for table in lobby["playing"]]
        attackers = sum(table in own for table in shown)
        figures = f"{len(own)} tables listed; of {len(shown)} shown in play {attackers} are the attacker's"
        return Result("places in the lobby", figures, 2 * attackers <= len(shown))


async def listed(client: Client) -> str | None:
    """Open a listed table and start it with a computer player. Return the table's id, or None if the engine refuses."""
    body: dict[str, Any] = {"game": "diavoletto", "name": "Anna", "listed": True}
    status, seated = await client.ask("POST", "/v1/tables", body)
    if status != 201:
        return None
    table: str = seated["table"]["id"]
    robot = {"name": "Robot", "kind": "computer"}
    await client.ask("POST", f"/v1/tables/{table}/seats", robot, seated["token"])
    await client.ask("POST", f"/v1/tables/{table}/start", token=seated["token"])
    return table


ATTACKS: Sequence[Callable[[], Awaitable[Result]]] = (store_filled, client_filled, long_log, lobby_filled)
