"""`python -m tests.bench.own_players`: do hostile own players make others' moves slower?

People play at tables of their own, while the clock plays at others: by turns with `medium` there, and with own players
whose server is late, illegal, huge, slow, redirecting or dying. Engine and server are processes of their own.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import aiohttp

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import OpenTable, SitDown
from tests.e2e.processes import ROOT, EngineProcess, running
from tests.engine.http.own_player_servers import PlayerServer, whatever
from tests.redis_server import free_port, running_redis

CLOCK_TABLES, PEOPLES_TABLES = 12, 4
LONGEST_SILENCE = 10.0
PAUSE = 0.02
"""Seconds between two moves of a person."""
SETTINGS = {
    "ENGINE_TABLES_PER_MINUTE": "0",
    "ENGINE_SEATS_PER_MINUTE": "0",
    "ENGINE_THINK_MS": "60",
    "ENGINE_OUTBOUND_PRIVATE": "127.0.0.1",
    "LOG_LEVEL": "error",
}


async def clock_table(engine: EngineClient, level: str) -> None:
    """Let computer players play matches among themselves, one table after the other."""
    while True:
        host = await engine.open_table(OpenTable("gatto_rosso", "Anna"))
        table, token = host.table.id, host.token or ""
        for number in range(3):
            await engine.sit(table, SitDown(f"Ada {number}", kind="computer", level=level), token)
        await engine.start(table, token)
        await engine.leave(table, 0, token)
        seen = await engine.table(table)
        while seen.status != "over":
            with suppress(EngineError):
                seen = await engine.table(table, after=seen.version, wait=5)


async def peoples_table(engine: EngineClient, seconds: list[float]) -> None:
    """Let two people play matches, and note how long each of their moves takes."""
    while True:
        host = await engine.open_table(OpenTable("gatto_rosso", "Anna"))
        guest = await engine.sit(host.table.id, SitDown("Bruno"))
        tokens = [host.token or "", guest.token or ""]
        seen = await engine.start(host.table.id, tokens[0])
        while seen.deal is not None and seen.deal.turn is not None:
            token = tokens[seen.deal.turn]
            move = (await engine.moves(seen.id, token)).moves[0]
            began = time.perf_counter()
            seen = (await engine.play(seen.id, token, move)).table
            seconds.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)


async def round_of(engine: EngineClient, level: str, seconds: float) -> list[float]:
    """Return how long people's moves took while players of a level play elsewhere."""
    found: list[float] = []
    playing = [clock_table(engine, level) for _ in range(CLOCK_TABLES)]
    playing += [peoples_table(engine, found) for _ in range(PEOPLES_TABLES)]
    tasks = [asyncio.create_task(each) for each in playing]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
    return found


def percentile(found: Sequence[float], part: float) -> float:
    """Return a percentile in milliseconds."""
    return round(sorted(found)[int(part * (len(found) - 1))] * 1000, 2)


async def measure(redis_url: str, directory: Path, rounds: int, seconds: float) -> None:
    """Print the times of people's moves, and how often own players were asked."""
    port = free_port()
    settings = SETTINGS | {"ENGINE_PLAYERS": f"ada=http://127.0.0.1:{port}/"}
    service = EngineProcess(directory / "engine.log", redis_url, None, **settings)
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.own_players", "--serve", str(port)), cwd=ROOT
    )
    found: dict[str, list[float]] = {"medium": [], "@ada": []}
    try:
        async with running(service), aiohttp.ClientSession() as session:
            engine = EngineClient(service.url, session)
            for number in range(2 * rounds):
                level = ("medium", "@ada", "@ada", "medium")[number % 4]
                found[level] += await round_of(engine, level, seconds)
            async with session.get(f"{service.url}/metrics") as answer:
                lines = (await answer.text()).splitlines()
    finally:
        server.kill()
        await server.wait()
    for level, times in found.items():
        line = {name: percentile(times, part) for name, part in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))}
        print(json.dumps({"players": level, "moves of people": len(times)} | line))
    asked = [
        line for line in lines if line.startswith(("locanda_thinking_fallbacks", "locanda_thinking_seconds_count"))
    ]
    print("\n".join(asked))


async def serve(port: int) -> None:
    """Be the server of the own players."""
    player, serving = PlayerServer(whatever()), set[asyncio.Task[None]]()

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            await asyncio.wait_for(player.serve(reader, writer), LONGEST_SILENCE)
        player.asked.clear()
        writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(once(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    await (await asyncio.start_server(connected, "127.0.0.1", port)).serve_forever()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="of each kind")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve))
        return
    with tempfile.TemporaryDirectory() as name, running_redis(Path(name)) as server:
        asyncio.run(measure(server.url, Path(name), given.rounds, given.seconds))


if __name__ == "__main__":
    main()
