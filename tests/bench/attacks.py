"""Attacks on an engine with its default settings, in some two minutes: who asks too much, and who watches too closely.

`python -m tests.bench.attacks` (`make attack`) prints what each attack found, and fails where a bound does not hold.
The clients are addresses behind a proxy that the engine trusts.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout
from msgspec import Struct

from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.bench.servers import Server, serve
from tests.bench.thinking import ANY_CORE, counted
from tests.redis_server import RedisServer, running_redis

ATTACKER = "192.0.2.1"
SECONDS = 8.0
"""How long an attack lasts."""
HANGS_UP = 0.012
"""Seconds after which the attacker closes the connection of a review."""
WATCHED_TABLES = 8
WATCHED_SECONDS = 60.0
MOST_DISTINGUISHED = 0.55
"""How often at most a watcher may be right who is to say which of two passes was forced."""
MOST_STORED = 4_000_000
"""Bytes that a seat may add to Redis."""
TOO_MANY = 429
FAST_THOUGHTS = {"ENGINE_THINK_MS": "500", "ENGINE_THINK_CPU_MS": "50"}
OTHERS = count(2)


class Found(Struct, frozen=True):
    """What an attack found."""

    attack: str
    figures: str
    holds: bool


class Client:
    """A client of an address of its own."""

    def __init__(self, session: ClientSession, engine: Server, address: str) -> None:
        self._session = session
        self._engine = engine
        self._address = address

    async def ask(
        self, method: str, path: str, body: Any = None, token: str = "", seconds: float = 60.0, key: str = ""
    ) -> tuple[int, Any]:
        """Send a request; return status and body."""
        headers = {"X-Forwarded-For": self._address}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        timeout = ClientTimeout(total=seconds)
        url = self._engine.url + path
        async with self._session.request(method, url, json=body, headers=headers, timeout=timeout) as answer:
            return answer.status, await answer.json(content_type=None)

    async def match(self, game: str, options: dict[str, Any], seats: int) -> tuple[str, list[str]]:
        """Open a table for people, and start its match; return its path and the tokens."""
        _, opened = await self.ask("POST", "/v1/tables", {"game": game, "name": "Anna", "options": options})
        path, tokens = f"/v1/tables/{opened['table']['id']}", [opened["token"]]
        for number in range(1, seats):
            _, sat = await self.ask("POST", f"{path}/seats", {"name": f"Ospite {number}"})
            tokens.append(sat["token"])
        await self.ask("POST", f"{path}/start", token=tokens[0])
        return path, tokens

    async def finished(self) -> tuple[str, str]:
        """Play a match to its end; return its path and a token."""
        path, tokens = await self.match("gatto_rosso", {"deals": 1}, 2)
        _, table = await self.ask("GET", path)
        while table["status"] == "playing":
            token = tokens[table["deal"]["turn"]]
            moves = (await self.ask("GET", f"{path}/moves", token=token))[1]["moves"]
            status, made = await self.ask("POST", f"{path}/moves", {"move": moves[0]}, token)
            if status == TOO_MANY:
                await asyncio.sleep(1)
            else:
                table = made["table"]
        return path, tokens[0]


def stranger(session: ClientSession, engine: Server) -> Client:
    """Return a client whose address nobody has used."""
    number = next(OTHERS)
    return Client(session, engine, f"198.51.{number // 250}.{number % 250 + 1}")


@asynccontextmanager
async def engine_and_redis(**settings: str) -> AsyncIterator[tuple[Server, RedisServer, ClientSession]]:
    """Run an engine of its own."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(running_redis(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        given = {"REDIS_URL": redis.url, "LOG_FORMAT": "json", "ENGINE_TRUSTED_PROXIES": "127.0.0.0/8"} | settings
        engine = await serve(stack, "services.engine", core=ANY_CORE, **given)
        yield engine, redis, await stack.enter_async_context(ClientSession())


# --- thinking


def a_view() -> dict[str, Any]:
    """Return the view of the seat on turn after a few moves of Presidente, in which there is a choice."""
    game = GAMES["presidente"]
    options = game.options()
    deal = game.deal(options, 4, 0, bytes(32), shuffle, None)
    for _ in range(4):
        deal, _ = game.play(deal, game.moves(deal)[0], shuffle)
    while len(game.moves(deal)) == 1:
        deal, _ = game.play(deal, game.moves(deal)[0], shuffle)
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(game.view(deal, deal.turn)))
    return found


async def thinking_attacked(
    name: str, attack: Callable[[Client], Awaitable[list[Callable[[], Awaitable[None]]]]]
) -> Found:
    """Let an attacker ask again and again, while others ask for suggestions and a table of hard players goes on."""
    async with engine_and_redis() as (engine, _, session):
        attacker = Client(session, engine, ATTACKER)
        acts = await attack(attacker)
        await hard_table(session, engine)
        late = await counted(engine, "thinking_fallbacks_total")
        until = time.monotonic() + SECONDS
        asked: list[tuple[int, float]] = []

        async def repeat(act: Callable[[], Awaitable[None]]) -> None:
            while time.monotonic() < until:
                with suppress(TimeoutError, ClientError):
                    await act()

        async def suggest() -> None:
            began = time.monotonic()
            body = {"view": a_view(), "level": "hard"}
            status, _ = await stranger(session, engine).ask("POST", "/v1/games/presidente/suggest", body)
            asked.append((status, time.monotonic() - began))
            await asyncio.sleep(0.2)

        await asyncio.gather(*map(repeat, acts), repeat(suggest))
        answered = sum(status == 200 for status, _ in asked)
        late = await counted(engine, "thinking_fallbacks_total") - late
        figures = (
            f"{answered} of {len(asked)} suggestions of others answered, the slowest in "
            f"{max(seconds for _, seconds in asked):.1f} s; {late} moves of hard without a search"
        )
        return Found(name, figures, answered == len(asked) and late == 0)


async def hard_table(session: ClientSession, engine: Server) -> str:
    """Let four hard players begin a long match of Presidente alone; return its path."""
    host = stranger(session, engine)
    body = {"game": "presidente", "name": "Anna", "options": {"deals": 1}, "substitute_level": "hard"}
    _, opened = await host.ask("POST", "/v1/tables", body)
    path, token = f"/v1/tables/{opened['table']['id']}", opened["token"]
    for number in range(1, 4):
        await host.ask("POST", f"{path}/seats", {"name": f"Robot {number}", "kind": "computer", "level": "hard"}, token)
    await host.ask("POST", f"{path}/start", token=token)
    await host.ask("DELETE", f"{path}/seats/0", token=token)
    return path


async def reviews_hung_up_on(attacker: Client) -> list[Callable[[], Awaitable[None]]]:
    """Ask for reviews of four finished matches, and close each connection at once."""
    matches = [await attacker.finished() for _ in range(4)]

    def hang_up(path: str, token: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await attacker.ask("GET", f"{path}/deals/1/review", token=token, seconds=HANGS_UP)

        return act

    return [hang_up(path, token) for path, token in matches]


async def long_suggestions(attacker: Client) -> list[Callable[[], Awaitable[None]]]:
    """Ask for four searches of 20,000 iterations at a time."""
    body = {"view": a_view(), "level": "hard", "budget": {"iterations": 20_000}}

    async def act() -> None:
        await attacker.ask("POST", "/v1/games/presidente/suggest", body)

    return [act] * 4


# --- what fills the store


async def store_filled() -> Found:
    """Write with a fresh idempotency key each time, from one seat."""
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
        return Found(
            "answers under fresh keys",
            f"{len(statuses)} writes, {taken} taken; {added / 1000:.0f} KB",
            added < MOST_STORED,
        )


def memory(redis: RedisServer) -> int:
    """Return the bytes that Redis uses."""
    return int(redis.ask("INFO memory").split("used_memory:")[1].split()[0])


# --- what time tells


async def passes_timed() -> Found:
    """Watch tables of hard players, and distinguish forced passes from others by the time that they took."""
    async with engine_and_redis(**FAST_THOUGHTS) as (engine, _, session):
        forced: list[float] = []
        free: list[float] = []
        until = time.monotonic() + WATCHED_SECONDS

        async def watch() -> None:
            while time.monotonic() < until:
                path = await hard_table(session, engine)
                times = await move_times(session, engine, path)
                _, proof = await stranger(session, engine).ask("GET", f"{path}/deals/1")
                for (only, passed), seconds in zip(choices(proof), times, strict=True):
                    if passed and seconds is not None:
                        (forced if only else free).append(seconds)

        await asyncio.gather(*(watch() for _ in range(WATCHED_TABLES)))
        right = distinguished(forced, free)
        figures = f"{len(forced)} forced passes and {len(free)} others: distinguished with {right:.2f}"
        return Found("the time of passes", figures, right <= MOST_DISTINGUISHED)


async def move_times(session: ClientSession, engine: Server, path: str) -> list[float | None]:
    """Return how long after the event before it each move came; None for the first."""
    found: list[float | None] = []
    before = None
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "1"}
    async with session.get(engine.url + path + "/events", headers=headers, timeout=ClientTimeout()) as answer:
        async for line in answer.content:
            if line.startswith(b"data: {"):
                now, table = time.monotonic(), msgspec.json.decode(line[6:])
                if any(event["type"] in ("played", "passed") for event in table["events"]):
                    found.append(None if before is None else now - before)
                before = now
                if table["status"] == "over":
                    break
    return found


def choices(proof: Any) -> list[tuple[bool, bool]]:
    """Return for each move of a deal whether it was the only legal one, and whether it was a pass."""
    game = GAMES["presidente"]
    deal, found = game.from_wire(msgspec.convert(proof["start"], game.wire_type)), []
    for line in proof["moves"]:
        found.append((len(game.moves(deal)) == 1, line["move"]["type"] == "pass"))
        deal, _ = game.play(deal, msgspec.convert(line["move"], game.move_type), shuffle)
    return found


def distinguished(first: list[float], second: list[float]) -> float:
    """Return how often whoever sees one time of each says rightly which is which (the area under the ROC curve)."""
    wins = sum((one < other) + 0.5 * (one == other) for one in first for other in second)
    right = wins / (len(first) * len(second))
    return max(right, 1 - right)


async def main() -> int:
    """Print what each attack found; return 1 where a bound does not hold."""
    attacks: list[Callable[[], Awaitable[Found]]] = [
        lambda: thinking_attacked("reviews that are hung up on", reviews_hung_up_on),
        lambda: thinking_attacked("four long suggestions", long_suggestions),
        store_filled,
        passes_timed,
    ]
    holds = True
    for attack in attacks:
        found = await attack()
        holds &= found.holds
        print(f"{'held' if found.holds else 'FELL'}  {found.attack}: {found.figures}", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
