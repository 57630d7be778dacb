"""Compares boardgame.io and the engine under the same load, in turns.

`python -m tests.bench.peer_rounds [rounds] [seconds]` lets both serve 50 matches of two people. Each person follows the
match on a separate connection, and moves as soon as they are on turn. The server has a core of its own. boardgame.io
keeps its state in memory, the engine in a Redis with an append-only file. On a shared machine, single rounds differ by
half, so the medians count.
"""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import msgspec

from tests.bench.load import Outcome
from tests.bench.report import Rate, write_into_page
from tests.bench.servers import OTHERS, SERVER, pin, seconds_used
from tests.bench.service import FOLLOWED, FOLLOWED_GAMES, Bench
from tests.redis_server import free_port, running_redis

PEER = Path(__file__).parent / "peer"
MARKS = ("<!-- peer -->", "<!-- end of peer -->")
ENVIRONMENT = os.environ | {"NODE_ENV": "production"}


async def peer(seconds: float) -> Rate:
    """Measure boardgame.io in one round, and return its figures."""
    async with AsyncExitStack() as stack:
        port = str(free_port())
        server = await asyncio.create_subprocess_exec(
            "node", "server.cjs", port, cwd=PEER, env=ENVIRONMENT, stdout=PIPE, stderr=DEVNULL
        )
        stack.push_async_callback(server.wait)
        stack.callback(server.kill)
        pin(server.pid, SERVER)
        assert server.stdout is not None
        await server.stdout.readline()
        arguments = ("players.cjs", port, str(FOLLOWED), str(seconds))
        players = await asyncio.create_subprocess_exec("node", *arguments, cwd=PEER, env=ENVIRONMENT, stdout=PIPE)
        pin(players.pid, OTHERS)
        assert players.stdout is not None
        await players.stdout.readline()  # the players print this line after the warm-up
        before = seconds_used(server.pid)
        outcome = msgspec.json.decode(await players.stdout.readline(), type=Outcome)
        used = (seconds_used(server.pid) - before) / outcome.answers
        await players.wait()
        return Rate(outcome.rate, used * 1e6, outcome.p50, outcome.p99)


async def measure(rounds: int, seconds: float) -> tuple[list[Rate], dict[str, list[Rate]]]:
    """Return the figures of each round, of boardgame.io and of each game of the engine."""
    peers: list[Rate] = []
    ours: dict[str, list[Rate]] = {game: [] for game in FOLLOWED_GAMES}
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(running_redis(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        pin(redis.pid, OTHERS)
        bench = Bench(stack, seconds)
        engine = await bench.engine(redis)
        for number in range(rounds):
            peers.append(await peer(seconds))
            for game, rates in ours.items():
                rates.append(await bench.followed_game(engine, redis, game))
            print(
                number + 1,
                round(peers[-1].rate),
                {game: round(rates[-1].rate) for game, rates in ours.items()},
                flush=True,
            )
    return peers, ours


def as_markdown(peers: list[Rate], ours: dict[str, list[Rate]]) -> str:
    """Return the ratios as Markdown: the median, the minimum and the maximum of all rounds."""
    lines = ["| the engine ÷ boardgame.io | moves a second | moves for a second of the server's core | p99 |"]
    lines.append("| --- | ---: | ---: | ---: |")
    for game, rates in ours.items():
        pairs = list(zip(rates, peers, strict=True))
        ratios = (
            [our.rate / their.rate for our, their in pairs],
            [their.used / our.used for our, their in pairs],
            [our.p99 / their.p99 for our, their in pairs],
        )
        cells = (f"{median(each):.2f} ({min(each):.2f} to {max(each):.2f})" for each in ratios)
        lines.append(f"| {game} | {' | '.join(cells)} |")
    when = f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {len(peers)} rounds in turns"
    rate, p99 = median(each.rate for each in peers), median(each.p99 for each in peers)
    peer_rate = f"boardgame.io made {rate:,.0f} moves a second, with a p99 of {p99:.0f} ms."
    return "\n".join((f"Measured on {when}: the median, and the least and the most. {peer_rate}", "", *lines))


def main() -> None:
    """Measure, print the ratios, and write them into docs/benchmarks.md."""
    numbers = [float(text) for text in sys.argv[1:]]
    text = as_markdown(*asyncio.run(measure(int(numbers[0]) if numbers else 10, numbers[1] if numbers[1:] else 4.0)))
    print(text)
    write_into_page(text, MARKS)


if __name__ == "__main__":
    main()
