"""Plays a match over the API alone: one player at each seat, who sees his own cards and picks any legal move.

With `make run` in another terminal:

    .venv/bin/python -m examples.play_a_match ramino
"""

import argparse
import asyncio
import random

import msgspec

from shared import messages, verify
from shared.client import EngineClient
from shared.games.registry import GAME_NAMES

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Irene", "Luca")


async def match(engine: EngineClient, game: str, players: int) -> messages.Table:
    """Gather the players at a table and let them play; return the table once the match is over."""
    host = await engine.open_table(messages.OpenTable(game=game, name=NAMES[0]))
    table = host.table.id
    guests = [await engine.sit(table, messages.SitDown(name=name)) for name in NAMES[1:players]]
    tokens = [seated.token for seated in (host, *guests) if seated.token]
    await engine.start(table, tokens[0])
    ends = await asyncio.gather(*(play(engine, table, token) for token in tokens))
    return ends[0]


async def play(engine: EngineClient, table: str, token: str) -> messages.Table:
    """Follow the table from one seat, and move whenever it is on turn."""
    async for event in engine.events(table, token):
        if event.table.status == "over":
            return event.table
        if event.table.moves:
            move = random.choice(event.table.moves)  # noqa: S311  (not a secret)
            await engine.play(table, token, move, version=event.table.version)
    raise AssertionError("unreachable: the events of a table go on until it is over")


async def tell(engine: EngineClient, over: messages.Table) -> None:
    """Print how the match ended, and whether each of its deals was dealt as it had been committed."""
    ranking = over.match.result.ranking if over.match.result else ()
    for place, seats in enumerate(ranking, 1):
        print(f"{place}.", ", ".join(f"{over.seats[seat].name} ({over.match.points[seat]})" for seat in seats))
    for deal in range(1, over.match.deal + 1):
        proof = msgspec.json.decode(msgspec.json.encode(await engine.proof(over.id, deal)))
        faults = list(verify.faults(proof))
        print(f"Deal {deal}, {len(proof['moves'])} moves:", "; ".join(faults) or "dealt as committed")


async def main() -> None:
    """Play the game that the command line names."""
    parser = argparse.ArgumentParser(description="Play a match over the API.")
    parser.add_argument("game", choices=GAME_NAMES)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    asked = parser.parse_args()
    async with EngineClient.connect(asked.url) as engine:
        await tell(engine, await match(engine, asked.game, asked.players))


if __name__ == "__main__":
    asyncio.run(main())
