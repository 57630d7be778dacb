"""A class of 120 people behind one address, on an engine with its default settings: counts refusals.

`python -m tests.bench.school_class [seconds]` opens 30 tables of four. Every person moves every two seconds. Like a
page, each holds two streams: one of the table, with human-readable texts, and one of the lobby.
"""

import asyncio
import sys
from collections import Counter
from contextlib import suppress

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from tests.bench.attacks.engine import Client, engine_and_redis
from tests.bench.servers import Server, seconds_used

ADDRESS = "192.0.2.1"
TABLES, SEATS = 30, 4
EVERY = 2.0
"""Seconds between two moves of a person."""
GAME = "presidente"


streams: list["asyncio.Task[None]"] = []


async def play(session: ClientSession, engine: Server, statuses: Counter[int], begins: float) -> None:
    """Open a table, follow it like a page, and play one match after another."""
    people, loop = Client(session, engine, ADDRESS), asyncio.get_running_loop()
    await asyncio.sleep(begins)
    path, tokens = await people.match(GAME, {"deals": 10}, SEATS)
    streams.extend(
        asyncio.create_task(follow(session, engine, followed, token, statuses))
        for token in tokens
        for followed in (f"{path}/events?words=true", "/v1/lobby")
    )
    due = loop.time()
    while True:
        due += EVERY / SEATS
        await asyncio.sleep(max(0.0, due - loop.time()))
        status, table = await people.ask("GET", path)
        statuses[status] += 1
        if status == 200 and table["status"] == "over":
            status, _ = await people.stay(path, tokens)
        elif status == 200:
            token = tokens[table["deal"]["turn"]]
            _, seen = await people.ask("GET", path, token=token)
            status, _ = await people.ask("POST", f"{path}/moves", {"move": seen["moves"][0]}, token)
        statuses[status] += 1


async def follow(session: ClientSession, engine: Server, path: str, token: str, statuses: Counter[int]) -> None:
    """Hold a stream open, and read it."""
    headers = {"X-Forwarded-For": ADDRESS, "Accept": "text/event-stream"}
    headers |= {"Authorization": f"Bearer {token}"} if "events" in path else {}
    with suppress(ClientError):
        async with session.get(engine.url + path, headers=headers, timeout=ClientTimeout()) as answer:
            statuses[answer.status] += 1
            async for line in answer.content:
                statuses[-1] += line == b"event: gap\n"


async def main(seconds: float) -> None:
    """Print the statuses of all responses to the class, and the cost."""
    async with engine_and_redis() as (engine, _, _), ClientSession(connector=TCPConnector(limit=0)) as session:
        statuses: Counter[int] = Counter()
        tables = [
            asyncio.create_task(play(session, engine, statuses, number * EVERY / TABLES)) for number in range(TABLES)
        ]
        await asyncio.sleep(3 * EVERY)
        before, used = statuses.copy(), seconds_used(engine.pid)
        await asyncio.sleep(seconds)
        used = seconds_used(engine.pid) - used
        refused, gaps = statuses[429], statuses[-1]
        answers = sum((statuses - before).values())
        for task in (*tables, *streams):
            task.cancel()
        print(
            f"{len(streams)} streams, {answers / seconds:.0f} answers a second, {refused} refused, {gaps} gaps; "
            f"the engine used {used / seconds * 1000:.0f} ms of a core a second; answers: {dict(statuses)}"
        )
        await asyncio.gather(*tables, *streams, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0))
