"""Checks which information the times of moves give to spectators."""

import asyncio
import time
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientTimeout

from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.bench.attacks.engine import Result, engine_and_redis, hard_table, stranger
from tests.bench.servers import Server

WATCHED_TABLES = 8
WATCHED_SECONDS = 60.0
MOST_DISTINGUISHED = 0.55
"""The highest allowed probability that a spectator guesses which of two passes was forced."""
FAST_THOUGHTS = {"ENGINE_THINK_MS": "500", "ENGINE_THINK_CPU_MS": "50"}


async def passes_timed() -> Result:
    """Watch tables of hard players, and try to tell forced passes from others by their times."""
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
        return Result("the time of passes", figures, right <= MOST_DISTINGUISHED)


async def move_times(session: ClientSession, engine: Server, path: str) -> list[float | None]:
    """Return the seconds between each move and the event before it; None for the first move."""
    times: list[float | None] = []
    before = None
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "1"}
    async with session.get(engine.url + path + "/events", headers=headers, timeout=ClientTimeout()) as answer:
        async for line in answer.content:
            if line.startswith(b"data: {"):
                now, table = time.monotonic(), msgspec.json.decode(line[6:])
                if any(event["type"] in ("played", "passed") for event in table["events"]):
                    times.append(None if before is None else now - before)
                before = now
                if table["status"] == "over":
                    break
    return times


def choices(proof: Any) -> list[tuple[bool, bool]]:
    """Return for each move of a deal whether it was the only legal one, and whether it was a pass."""
    game = GAMES["presidente"]
    deal, alone_and_pass = game.from_wire(msgspec.convert(proof["start"], game.wire_type)), []
    for line in proof["moves"]:
        alone_and_pass.append((len(game.moves(deal)) == 1, line["move"]["type"] == "pass"))
        deal, _ = game.play(deal, msgspec.convert(line["move"], game.move_type), shuffle)
    return alone_and_pass


def distinguished(first: list[float], second: list[float]) -> float:
    """Return the probability of telling a time of one list from a time of the other (the area under the ROC curve)."""
    wins = sum((one < other) + 0.5 * (one == other) for one in first for other in second)
    right = wins / (len(first) * len(second))
    return max(right, 1 - right)


ATTACKS = (passes_timed,)
