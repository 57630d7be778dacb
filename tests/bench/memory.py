"""Checks whether an engine's memory grows under odd requests, dropped streams and finished tables.

`python -m tests.bench.memory` runs one engine in a separate process, on a real Redis. Each round repeats the same load
and prints the engine's memory and open files. Caches fill in the first rounds; growth in the last ones is a leak.
"""

import argparse
import asyncio
import json
import random
import tempfile
from pathlib import Path

import aiohttp

from locanda.client import EngineClient
from locanda.messages import OpenTable, SitDown
from tests.e2e.processes import EngineProcess, running
from tests.engine.http.body_mutations import AROUND, UNUSUAL_VALUES, BodyMutation, mutated
from tests.redis_server import running_redis

AT_ONCE = 32
LEFT_OPEN = {
    "ENGINE_TABLES_PER_MINUTE": "0",
    "ENGINE_CLIENT_MB": "0",
    "ENGINE_SEATS_PER_MINUTE": "0",
    "ENGINE_STREAMS": "0",
    "LOG_LEVEL": "error",
}
BODY = {"game": "gatto_rosso", "name": "Anna", "options": {"deals": 1}, "listed": False}


async def odd_requests(session: aiohttp.ClientSession, url: str, count: int, rng: random.Random) -> None:
    """Send bodies, paths and headers that are mostly wrong."""

    async def send() -> None:
        value, how = rng.choice(UNUSUAL_VALUES), rng.choice(["put", *AROUND])
        body = mutated(BodyMutation(rng.randrange(9), value, how, rng.random()), BODY)
        path = rng.choice(["/v1/tables", "/v1/games/ramino/deals", f"/v1/tables/{rng.randbytes(11).hex()}/moves"])
        headers = {"Content-Type": "application/json", "X-Request-ID": rng.randbytes(8).hex()}
        async with session.post(url + path, data=body, headers=headers) as answer:
            await answer.read()

    for _ in range(count // AT_ONCE):
        await asyncio.gather(*(send() for _ in range(AT_ONCE)))


async def dropped_streams(session: aiohttp.ClientSession, url: str, table: str, count: int) -> None:
    """Open streams and abort their connections."""

    async def open_and_drop() -> None:
        async with session.get(f"{url}/v1/tables/{table}/events") as stream:
            await stream.content.readline()

    for _ in range(count // AT_ONCE):
        await asyncio.gather(*(open_and_drop() for _ in range(AT_ONCE)))


async def finished_tables(engine: EngineClient, count: int) -> None:
    """Play matches to their end."""

    async def play() -> None:
        anna = await engine.open_table(OpenTable(game="gatto_rosso", name="Anna", options={"deals": 1}))
        bruno = await engine.sit(anna.table.id, SitDown(name="Bruno"))
        tokens = [anna.token or "", bruno.token or ""]
        table = await engine.start(anna.table.id, tokens[0])
        while table.status == "playing" and table.deal is not None and table.deal.turn is not None:
            token = tokens[table.deal.turn]
            move = (await engine.moves(table.id, token)).moves[0]
            table = (await engine.play(table.id, token, move)).table

    for _ in range(count // AT_ONCE):
        await asyncio.gather(*(play() for _ in range(AT_ONCE)))


async def held(session: aiohttp.ClientSession, url: str) -> tuple[float, int]:
    """Return the engine's resident memory in MB, and its number of open files."""
    async with session.get(f"{url}/metrics") as answer:
        lines = dict(line.rsplit(" ", 1) for line in (await answer.text()).splitlines() if not line.startswith("#"))
    return float(lines["process_resident_memory_bytes"]) / 1e6, int(float(lines["process_open_fds"]))


async def measure(redis_url: str, directory: Path, rounds: int, size: int) -> None:
    """Print the engine's memory and open files after each round."""
    rng = random.Random(1)
    service = EngineProcess(directory / "engine.log", redis_url, None, **LEFT_OPEN)
    connector = aiohttp.TCPConnector(limit=AT_ONCE * 2)
    async with running(service), aiohttp.ClientSession(connector=connector) as session:
        engine = EngineClient(service.url, session)
        table = (await engine.open_table(OpenTable(game="gatto_rosso", name="Anna"))).table.id
        print(json.dumps({"round": 0, "MB": (await held(session, service.url))[0]}))
        for number in range(1, rounds + 1):
            await odd_requests(session, service.url, size, rng)
            await dropped_streams(session, service.url, table, size // 10)
            await finished_tables(engine, size // 40)
            megabytes, files = await held(session, service.url)
            print(json.dumps({"round": number, "MB": round(megabytes, 1), "open files": files}), flush=True)


def main() -> None:
    """Read the command line, and run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--size", type=int, default=2_000, help="odd requests a round; a tenth as many streams")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, running_redis(Path(name)) as server:
        asyncio.run(measure(server.url, Path(name), args.rounds, args.size))


if __name__ == "__main__":
    main()
