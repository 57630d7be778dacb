"""Attacks on the event loop: one client sends the most expensive requests while others read their tables."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

import msgspec
from aiohttp import ClientSession

from tests.bench.attacks.engine import SECONDS, Client, Result, engine_and_redis, stranger
from tests.bench.attacks.looks import looks
from tests.bench.load import Plan
from tests.bench.servers import Server

QUIET_SECONDS = 6.0
PAUSE = 0.005
"""Seconds between two reads on a connection."""
MOST_SLOWER = 2.0
"""The highest allowed ratio of the 95th percentile of reads during the attack to that on a quiet engine."""
SLOWEST = 10.0
"""The highest allowed 99th percentile of reads, in milliseconds."""
STREAMS = 1990
RENAMES = 80.0
"""Renames per second, for four seats together."""
NAMES = 500

Attack = Callable[[ClientSession, Server], Coroutine[None, None, None]]


async def looks_attacked(name: str, attack: Attack, **settings: str) -> Result:
    """Compare other clients' reads during an attack with their reads on a quiet engine."""
    async with engine_and_redis(**settings) as (engine, _, session):
        path, _ = await stranger(session, engine).match("gatto_rosso", {}, 3)
        await looks(engine, path, 1.0, rest=PAUSE)
        quiet = await looks(engine, path, QUIET_SECONDS, rest=PAUSE)
        attacking = asyncio.create_task(attack(session, engine))
        try:
            under = await looks(engine, path, SECONDS, rest=PAUSE)
        finally:
            attacking.cancel()
            with suppress(asyncio.CancelledError):
                await attacking
        figures = f"{quiet} on a quiet engine; {under} under attack"
        return Result(name, figures, under.p95 <= MOST_SLOWER * quiet.p95 and under.p99 <= SLOWEST)


# --- the attacker, which connects from the address of this machine


@asynccontextmanager
async def process(*arguments: str, stdin: bytes = b"") -> AsyncIterator[asyncio.subprocess.Process]:
    """Run one of the attacker's processes."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        assert running.stdin
        running.stdin.write(stdin)
        running.stdin.close()
        yield running
    finally:
        with suppress(ProcessLookupError):
            running.kill()
        await running.wait()


async def flood(engine: Server, requests: list[bytes], connections: int, rate: float | None = None) -> None:
    """Send requests on several connections.

    Each connection sends its next request as soon as the last one is answered.
    """
    lanes = [requests[lane:] + requests[:lane] for lane in range(connections)]
    plan = msgspec.msgpack.encode(Plan(engine.port, lanes, 600.0, again=True, rate=rate))
    async with process("tests.bench.load", stdin=plan) as running:
        await running.wait()


def get(path: str, *headers: str) -> bytes:
    """Return the bytes of a GET request."""
    lines = "".join(f"{header}\r\n" for header in headers)
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode()


def put(path: str, body: object, token: str) -> bytes:
    """Return the bytes of a PUT request."""
    octets = msgspec.json.encode(body)
    head = (
        f"PUT {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(octets)}\r\n\r\n"
    )
    return head.encode() + octets


async def attackers_table(session: ClientSession, engine: Server, seats: int = 4) -> tuple[str, list[str]]:
    """Start the attacker's match, with seats that may change. Return the table's path and the seats' tokens."""
    attacker = Client(session, engine, "127.0.0.1")
    path, tokens = await attacker.match("presidente", {}, seats)
    for number in range(40):
        await attacker.ask("PUT", f"{path}/seats/0/name", {"name": f"Anna {number}"}, tokens[0])
        await asyncio.sleep(0.06)
    return path, tokens


def flooding(path: str, connections: int, *headers: str) -> Attack:
    """Return an attack that requests a path on several connections."""

    async def attack(_: ClientSession, engine: Server) -> None:
        await flood(engine, [get(path, *headers)], connections)

    return attack


async def ask_for_events(session: ClientSession, engine: Server) -> None:
    """Request pages of events with human-readable texts, on four connections."""
    path, _ = await attackers_table(session, engine)
    await flood(engine, [get(f"{path}/events?words=true", "Accept: application/json")], 4)


async def leave_unread(_: ClientSession, engine: Server) -> None:
    """Request documents on 200 connections, and read no response."""
    async with process("tests.bench.attacks.crowding", str(engine.port), "unread", "200") as running:
        await running.wait()


async def listeners_attacked() -> Result:
    """Hold 1,990 streams of a table whose four seats together change their names 80 times a second."""
    return await looks_attacked(f"a table with {STREAMS} streams", change_before_listeners)


async def change_before_listeners(session: ClientSession, engine: Server) -> None:
    """Open the streams, then rename the seats repeatedly."""
    path, tokens = await attackers_table(session, engine)
    crowd = ("tests.bench.attacks.crowding", str(engine.port), "streams", f"{path}/events?words=true", str(STREAMS))
    names = [
        put(f"{path}/seats/{seat}/name", {"name": f"Ospite {seat} {number}"}, token)
        for number in range(NAMES)
        for seat, token in enumerate(tokens)
    ]
    async with process(*crowd):
        await flood(engine, names, len(tokens), RENAMES)


async def events_attacked() -> Result:
    """Measure reads while pages of events with human-readable texts are requested."""
    return await looks_attacked("pages of events in words, 4 connections", ask_for_events)


async def page_attacked() -> Result:
    """Measure reads while the HTML page of the API document is requested."""
    return await looks_attacked("/docs, 8 connections", flooding("/docs", 8))


async def metrics_attacked() -> Result:
    """Measure reads while metrics are requested."""
    return await looks_attacked("/metrics, 4 connections", flooding("/metrics", 4))


async def probes_attacked() -> Result:
    """Measure reads while health checks are requested."""
    return await looks_attacked("/healthz, 200 connections", flooding("/healthz", 200))


async def unread_attacked() -> Result:
    """Measure reads while responses are left unread."""
    return await looks_attacked("200 connections with unread documents", leave_unread)


async def guesses_attacked() -> Result:
    """Measure reads while an attacker guesses the operator's key."""
    wrong = "Authorization: Bearer a-key-that-the-operator-has-not"
    attack = flooding("/v1/admin/tables", 16, wrong)
    return await looks_attacked("guesses at the operator's key, 16 connections", attack, ENGINE_ADMIN_KEY="k" * 32)


ATTACKS = (
    listeners_attacked,
    events_attacked,
    page_attacked,
    metrics_attacked,
    probes_attacked,
    unread_attacked,
    guesses_attacked,
)
