"""Attacks by automatic moves: one client starts the maximum of matches between computers, while others read tables."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.bench.attacks.engine import ATTACKER, SECONDS, TOO_MANY, Client, Result, engine_and_redis, stranger
from tests.bench.attacks.looks import looks
from tests.bench.servers import seconds_used

TABLES = 300
"""The number of tables that a client may open in a minute."""
AT_ONCE = 16
REST = 0.005
"""Seconds between two reads on a connection, so that they do not saturate the engine."""
MOST_TIMES = 2.0
"""The highest allowed ratio of read times during the attack to those on a quiet engine."""


async def insistently(client: Client, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """Send a request, and repeat it while the client is over a limit. Return the body of the response."""
    while True:
        status, answer = await client.ask(method, path, body, token)
        if status != TOO_MANY:
            return answer
        await asyncio.sleep(0.5)


async def begun(client: Client, game: str, seats: list[dict[str, Any]], *, leave: bool, **table: Any) -> None:
    """Open a table, fill its seats and start the match. On request, leave the table to computer players."""
    opened = await insistently(client, "POST", "/v1/tables", {"game": game, "name": "Anna"} | table)
    path, token = f"/v1/tables/{opened['table']['id']}", opened["token"]
    for seat in seats:
        await insistently(client, "POST", f"{path}/seats", seat, token if seat.get("kind") == "computer" else "")
    await insistently(client, "POST", f"{path}/start", token=token)
    if leave:
        await insistently(client, "DELETE", f"{path}/seats/0", token=token)


async def attacked(name: str, begin: Callable[[Client], Awaitable[None]], tables: int = TABLES) -> Result:
    """Start tables within a client's limits, and compare other clients' read times before and during the attack."""
    async with engine_and_redis() as (engine, _, session):
        attacker, places = Client(session, engine, ATTACKER), asyncio.Semaphore(AT_ONCE)
        path, _ = await stranger(session, engine).match("gatto_rosso", {}, 2)

        async def one() -> None:
            async with places:
                await begin(attacker)

        await looks(engine, path, 2, rest=REST)
        quiet = await looks(engine, path, SECONDS, rest=REST)
        await asyncio.gather(*(one() for _ in range(tables)))
        await asyncio.sleep(2)
        used = seconds_used(engine.pid)
        under = await looks(engine, path, 2 * SECONDS, rest=REST)
        used = (seconds_used(engine.pid) - used) / (2 * SECONDS)
        figures = f"{under} (quiet: {quiet}); {used:.2f} of a core"
        return Result(name, figures, under.p95 <= MOST_TIMES * quiet.p95)


MEDIUM = {"name": "Robot", "kind": "computer", "level": "medium"}
HARD = {"name": "Robot", "kind": "computer", "level": "hard"}


async def computers_alone() -> Result:
    """Leave tables to computer players, which play among themselves."""

    async def begin(client: Client) -> None:
        await begun(client, "diavoletto", [MEDIUM], leave=True)

    return await attacked("300 tables of computers alone", begin)


async def beside_somebody_idle() -> Result:
    """Sit idle at tables with three hard players and the shortest turns."""

    async def begin(client: Client) -> None:
        seats = [HARD | {"name": f"Robot {number}"} for number in range(3)]
        await begun(client, "ramino", seats, leave=False, turn_seconds=5, substitute_level="hard")

    return await attacked("160 tables of three hard players and somebody idle", begin, 160)


async def turns_that_time_out() -> Result:
    """Let people's turns time out until computer players take over their hands."""

    async def begin(client: Client) -> None:
        people = [{"name": f"Ospite {number}"} for number in range(3)]
        await begun(client, "presidente", people, leave=False, turn_seconds=5, substitute_level="medium")

    return await attacked("200 tables of people who do not move", begin, 200)


async def short_matches() -> Result:
    """Let computer players finish short matches. No person stays for a rematch."""

    async def begin(client: Client) -> None:
        await begun(client, "gatto_rosso", [MEDIUM], leave=True, options={"deals": 1})

    return await attacked("300 short matches that end by themselves", begin)


ATTACKS = (computers_alone, beside_somebody_idle, turns_that_time_out, short_matches)
