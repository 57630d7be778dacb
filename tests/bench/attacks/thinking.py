"""Attacks on the worker processes of the computer players."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import ClientError

from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.bench.attacks.engine import ATTACKER, SECONDS, Client, Result, engine_and_redis, hard_table, stranger
from tests.bench.attacks.looks import looks
from tests.bench.thinking import counted

HANGS_UP = 0.012
"""Seconds after which the attacker closes the connection of a review request."""


def a_view() -> dict[str, Any]:
    """Return a view of Presidente after a few moves, for a seat on turn that has a choice."""
    game = GAMES["presidente"]
    options = game.options()
    deal = game.deal(options, 4, 0, bytes(32), shuffle, None)
    for _ in range(4):
        deal, _ = game.play(deal, game.moves(deal)[0], shuffle)
    while len(game.moves(deal)) == 1:
        deal, _ = game.play(deal, game.moves(deal)[0], shuffle)
    a_wire_view: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(game.view(deal, deal.turn)))
    return a_wire_view


async def thinking_attacked(
    name: str, attack: Callable[[Client], Awaitable[list[Callable[[], Awaitable[None]]]]]
) -> Result:
    """Let an attacker send requests repeatedly, while others request suggestions and hard players play at a table."""
    async with engine_and_redis() as (engine, _, session):
        attacker = Client(session, engine, ATTACKER)
        acts = await attack(attacker)
        await hard_table(session, engine)
        late = await counted(engine, "thinking_fallbacks_total")
        until = time.monotonic() + SECONDS
        answers: list[tuple[int, float]] = []

        async def repeat(act: Callable[[], Awaitable[None]]) -> None:
            while time.monotonic() < until:
                with suppress(TimeoutError, ClientError):
                    await act()

        async def suggest() -> None:
            began = time.monotonic()
            body = {"view": a_view(), "level": "hard"}
            status, _ = await stranger(session, engine).ask("POST", "/v1/games/presidente/suggest", body)
            answers.append((status, time.monotonic() - began))
            await asyncio.sleep(0.2)

        await asyncio.gather(*map(repeat, acts), repeat(suggest))
        answered = sum(status == 200 for status, _ in answers)
        late = await counted(engine, "thinking_fallbacks_total") - late
        figures = (
            f"{answered} of {len(answers)} suggestions of others answered, the slowest in "
            f"{max(seconds for _, seconds in answers):.1f} s; {late} moves of hard without a search"
        )
        return Result(name, figures, answered == len(answers) and late == 0)


async def reviews_hung_up_on(attacker: Client) -> list[Callable[[], Awaitable[None]]]:
    """Request reviews of four finished matches, and close each connection at once."""
    matches = [await attacker.finished() for _ in range(4)]

    def hang_up(path: str, token: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await attacker.ask("GET", f"{path}/deals/1/review", token=token, seconds=HANGS_UP)

        return act

    return [hang_up(path, token) for path, token in matches]


async def long_suggestions(attacker: Client) -> list[Callable[[], Awaitable[None]]]:
    """Request four searches of 20,000 iterations at a time."""
    body = {"view": a_view(), "level": "hard", "budget": {"iterations": 20_000}}

    async def act() -> None:
        await attacker.ask("POST", "/v1/games/presidente/suggest", body)

    return [act] * 4


async def reviews_attacked() -> Result:
    """Run the attack that requests reviews and hangs up."""
    return await thinking_attacked("reviews that are hung up on", reviews_hung_up_on)


async def suggestions_attacked() -> Result:
    """Run the attack that requests long suggestions."""
    return await thinking_attacked("four long suggestions", long_suggestions)


# --- plans of rounds

PLAN = {"people": [*range(64)], "rounds": 12}
DEAREST_PLAN = PLAN | {
    "most": 6,
    "wanted": 6,
    "played": [[[*range(start, start + 8)] for start in range(0, 64, 8)] for _ in range(64)],
}
STANDING = PLAN | {"standing": PLAN["people"], "played": DEAREST_PLAN["played"]}
PLANS = {"the issue's plan": PLAN, "the dearest plan": DEAREST_PLAN, "a standing": STANDING}
LEAST_PART = 0.5
"""The lowest allowed ratio of reads per second during the attack to those on a quiet engine."""


async def plans_attacked() -> Result:
    """Request four plans at a time, while others read a table."""
    async with engine_and_redis() as (engine, _, session):
        attacker = Client(session, engine, ATTACKER)
        path, _ = await stranger(session, engine).match("gatto_rosso", {}, 2)
        parts: dict[str, float] = {}
        await looks(engine, path, 1)
        for name, plan in PLANS.items():
            before = await looks(engine, path, SECONDS / 2)
            ended = asyncio.Event()
            asking = [asyncio.create_task(_plan_until(ended, attacker, plan)) for _ in range(4)]
            await asyncio.sleep(0.5)
            under = await looks(engine, path, SECONDS / 2)
            ended.set()
            planned = sum(await asyncio.gather(*asking))
            after = await looks(engine, path, SECONDS / 2)
            parts[f"{name} ({planned} made)"] = 2 * under.a_second / (before.a_second + after.a_second)
        figures = ", ".join(f"{name}: {part:.2f}" for name, part in parts.items())
        return Result("four plans at a time", f"part of others' looks: {figures}", min(parts.values()) >= LEAST_PART)


async def _plan_until(ended: asyncio.Event, attacker: Client, plan: dict[str, Any]) -> int:
    """Request plans repeatedly, and return the number of responses."""
    made = 0
    while not ended.is_set():
        status, _ = await attacker.ask("POST", "/v1/rounds", plan)
        made += status == 200
    return made


ATTACKS = (reviews_attacked, suggestions_attacked, plans_attacked)
