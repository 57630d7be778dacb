"""Measures whether hostile own players slow down other people's moves: `python -m tests.bench.own_players`.

People play at some tables all the time, and computer players of level `medium` at other tables. In every second slice
of time there are also hostile tables. All their seats are own players whose answers are late, illegal, huge, slow,
redirects or cut off. The result is the ratio of the 99th percentiles of people's moves in each pair of slices, so that
both have the same noise; their order alternates. Engine and servers are separate processes.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

import aiohttp

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import OpenTable, SitDown
from tests.e2e.processes import ROOT, EngineProcess, running
from tests.engine.http.own_player_servers import PlayerServer, whatever
from tests.redis_server import free_port, running_redis
from tests.waiting import until

CLOCK_TABLES, PEOPLES_TABLES, HOSTILE_TABLES = 4, 4, 8
HOSTILE_PLAYERS = ("ada", "bea", "eva", "ida")
"""Own players that each have their own server, because the engine asks one server for only a few moves at a time."""
LONGEST_SILENCE = 10.0
PAUSE = 0.02
"""Seconds between two moves of a person."""
SETTLED = 1.0
"""Seconds at the beginning of a slice that are not counted."""
REST = 3.2
"""Seconds after a slice with hostile players, for their last late answers."""
RESAMPLED = 5000
KEY = "k3y-of-the-operator"
SETTINGS = {
    "ENGINE_ADMIN_KEY": KEY,
    "ENGINE_TABLES_PER_MINUTE": "0",
    "ENGINE_CLIENT_MB": "0",
    "ENGINE_SEATS_PER_MINUTE": "0",
    "ENGINE_THINK_MS": "60",
    "ENGINE_OUTBOUND_PRIVATE": "127.0.0.1",
    "LOG_LEVEL": "error",
}


async def clock_table(engine: EngineClient, levels: Sequence[str], opened: list[str]) -> None:
    """Let computer players play one match after another, each at a new table."""
    while True:
        host = await engine.open_table(OpenTable("gatto_rosso", "Anna"))
        table, token = host.table.id, host.token or ""
        opened.append(table)
        for number, level in enumerate(levels):
            await engine.sit(table, SitDown(f"Ada {number}", kind="computer", level=level), token)
        await engine.start(table, token)
        await engine.leave(table, 0, token)
        seen = await engine.table(table)
        while seen.status != "over":
            with suppress(EngineError):
                seen = await engine.table(table, after=seen.version, wait=5)


async def peoples_table(engine: EngineClient, seconds: list[float]) -> None:
    """Let two people play matches, and record the duration of each of their moves."""
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


class Load:
    """The moves at an engine. People and computer players move all the time, hostile players only in some slices."""

    def __init__(self, engine: EngineClient, session: aiohttp.ClientSession, address: str) -> None:
        self._engine = engine
        self._session = session
        self._address = address
        self._moves: list[float] = []
        always = [clock_table(engine, ["medium"] * 3, []) for _ in range(CLOCK_TABLES)]
        always += [peoples_table(engine, self._moves) for _ in range(PEOPLES_TABLES)]
        self._always = [asyncio.create_task(work) for work in always]

    async def slice_of(self, seconds: float, *, hostile: bool) -> list[float]:
        """Return the durations of people's moves in a slice of time."""
        opened: list[str] = []
        tables = [self._hostile_table(number, opened) for number in range(HOSTILE_TABLES if hostile else 0)]
        await asyncio.sleep(SETTLED)
        first = len(self._moves)
        await asyncio.sleep(seconds)
        times = self._moves[first:]
        await _ended(tables)
        for table in opened:
            url = f"{self._address}/v1/admin/tables/{table}/close"
            async with self._session.post(url, headers={"Authorization": f"Bearer {KEY}"}):
                pass
        await asyncio.sleep(REST if hostile else 0)
        return times

    def _hostile_table(self, number: int, opened: list[str]) -> "asyncio.Task[None]":
        levels = [f"@{name}" for name in HOSTILE_PLAYERS]
        turned = levels[number % 4 :] + levels[: number % 4]
        return asyncio.create_task(clock_table(self._engine, turned[:3], opened))

    async def end(self) -> None:
        """Stop all players. Raises the error of a task that has failed before."""
        await _ended(self._always)


async def _ended(tasks: Sequence["asyncio.Task[None]"]) -> None:
    """Cancel endless tasks. Raises the error of a task that has failed before."""
    failed = [task.exception() for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for error in filter(None, failed):
        raise error


def percentile(times: Sequence[float], part: float) -> float:
    """Return a percentile in milliseconds."""
    return round(sorted(times)[int(part * (len(times) - 1))] * 1000, 2)


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the median, computed by resampling."""
    random = Random(1)
    medians = sorted(median(random.choices(ratios, k=len(ratios))) for _ in range(RESAMPLED))
    return round(medians[RESAMPLED // 40], 3), round(medians[-RESAMPLED // 40], 3)


async def measure(redis_url: str, directory: Path, pairs: int, seconds: float) -> None:
    """Print the ratio for each pair of slices, and the number of requests to own players."""
    ports = [free_port() for _ in HOSTILE_PLAYERS]
    players = [f"{name}=http://127.0.0.1:{port}/" for name, port in zip(HOSTILE_PLAYERS, ports, strict=True)]
    service = EngineProcess(directory / "engine.log", redis_url, None, **SETTINGS, ENGINE_PLAYERS=",".join(players))
    # The servers run on another core if possible, so that their processor time does not distort the measurement.
    server = await asyncio.create_subprocess_exec(
        *("nice", "-n", "19", sys.executable, "-m", "tests.bench.own_players", "--serve", *map(str, ports)), cwd=ROOT
    )
    ratios = []
    try:
        for port in ports:
            await until(partial(_listens, port))
        async with running(service), aiohttp.ClientSession() as session:
            load = Load(EngineClient(service.url, session), session, service.url)
            for pair in range(pairs):
                order = (True, False) if pair % 2 else (False, True)
                times_by_kind = {hostile: await load.slice_of(seconds, hostile=hostile) for hostile in order}
                without, with_ = (percentile(times_by_kind[hostile], 0.99) for hostile in (False, True))
                ratios.append(with_ / without)
                moves = [len(times_by_kind[hostile]) for hostile in (False, True)]
                print(json.dumps({"p99 in ms without, with": [without, with_], "moves": moves}), flush=True)
            await load.end()
            async with session.get(f"{service.url}/metrics") as answer:
                lines = (await answer.text()).splitlines()
    finally:
        server.kill()
        await server.wait()
    print(json.dumps({"pairs": pairs, "median ratio of p99": round(median(ratios), 3), "95 %": interval(ratios)}))
    wanted = ("locanda_thinking_fallbacks_total", 'locanda_thinking_seconds_count{level="own"')
    print("\n".join(line for line in lines if line.startswith(wanted)))


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def serve(ports: Sequence[int]) -> None:
    """Run the servers of the own players."""
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

    servers = [await asyncio.start_server(connected, "127.0.0.1", port) for port in ports]
    await asyncio.gather(*(server.serve_forever() for server in servers))


def main() -> None:
    """Read the command line, and run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=4, help="of a slice")
    parser.add_argument("--serve", type=int, nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.serve))
        return
    with tempfile.TemporaryDirectory() as name, running_redis(Path(name)) as server:
        asyncio.run(measure(server.url, Path(name), args.pairs, args.seconds))


if __name__ == "__main__":
    main()
