"""Plays a match over the API: each seat has its own client, which plays random legal moves.

With `make run` in another terminal:

    .venv/bin/python -m examples.play_a_match ramino [http://127.0.0.1:8080/]
"""

import argparse
import asyncio
import random
from secrets import token_urlsafe

from locanda import messages, verify
from locanda.client import EngineClient
from locanda.games.registry import GAME_NAMES
from locanda.shuffle_check import match_errors

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Irene", "Luca")


async def match(engine: EngineClient, game: str, players: int) -> tuple[messages.Table, verify.Published]:
    """Let players play a match at a new table. Return the final table, the commitment and the client seeds."""
    seeds = [token_urlsafe(12) for _ in range(players)]
    host = await engine.open_table(messages.OpenTable(game=messages.GameName(game), name=NAMES[0]))
    table = host.table.id
    tokens = [host.token or ""]
    await engine.give_seed(table, 0, tokens[0], messages.GiveSeed(seeds[0]))
    for name, seed in zip(NAMES[1:players], seeds[1:], strict=True):
        guest = await engine.sit(table, messages.SitDown(name=name, client_seed=seed))
        tokens.append(guest.token or "")
    await engine.start(table, tokens[0])
    ends = await asyncio.gather(*(play(engine, table, token) for token in tokens))
    return ends[0], verify.Published(host.table.match.commitment, {seat: [seed] for seat, seed in enumerate(seeds)})


async def play(engine: EngineClient, table: str, token: str) -> messages.Table:
    """Follow the table from one seat and play whenever it is on turn; return the table once the match is over."""
    async for event in engine.events(table, token):
        if event.table.status == "over":
            return event.table
        if event.table.moves:
            move = random.choice(event.table.moves)  # noqa: S311  (not a secret)
            await engine.play(table, token, move, version=event.table.version)
    raise AssertionError("unreachable: the events of a table go on until it is over")


async def report(engine: EngineClient, over: messages.Table, published: verify.Published) -> None:
    """Print the ranking, and whether the cards agree with the commitment."""
    ranking = over.match.result.ranking if over.match.result else ()
    for place, seats in enumerate(ranking, 1):
        print(f"{place}.", ", ".join(f"{over.seats[seat].name} ({over.match.points[seat]})" for seat in seats))
    errors = await match_errors(engine, over, published.commitment or "", published.client_seeds)
    for line in errors or [f"Deal {deal}: dealt as committed" for deal in range(1, over.match.deal + 1)]:
        print(line)


async def main() -> None:
    """Play a match of the game that the command line names."""
    parser = argparse.ArgumentParser(description="Play a match over the API.")
    parser.add_argument("game", choices=GAME_NAMES)
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8080/")
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    async with EngineClient.connect(args.address) as engine:
        over, published = await match(engine, args.game, args.players)
        await report(engine, over, published)


if __name__ == "__main__":
    asyncio.run(main())
