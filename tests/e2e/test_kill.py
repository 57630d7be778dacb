"""Kill -9 in the middle of a deal: both services come back, and every confirmed tap is exactly one move."""

import asyncio
import random
import re
from pathlib import Path

import pytest

from locanda.client import EngineClient
from locanda.messages import Proof
from tests.e2e.players import GroupPlayers
from tests.e2e.processes import ForkedBot, ForkedEngine, ServiceProcess, running
from tests.emulator import Emulator
from tests.emulator.chats import PATIENCE
from tests.redis_server import RedisServer
from tests.sampling import WHOLE

SUITS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}
DEATHS = 6 if WHOLE else 3
"""The number of kills. They alternate between the engine, the bot, and both."""


async def kill_and_start_again(services: list[ServiceProcess]) -> None:
    """Kill one service or both a moment after a tap, then start them again."""
    await asyncio.sleep(random.uniform(0, 0.03))
    await asyncio.gather(*(service.kill() for service in services))
    await asyncio.gather(*(service.start() for service in services))


def labels_of(proof: Proof, names: list[str]) -> list[tuple[str, str]]:
    """Return each move as the player's name and the label of the tapped button."""
    made = []
    for played in proof.moves:
        card = played.move.get("card")
        made.append((names[played.seat], f"{card[0]}{SUITS[card[1]]}" if card else "Passo"))
    return made


Made = list[tuple[str, str]]


def without(played: Made, confirmed: Made, unconfirmed: Made) -> tuple[Made, Made]:
    """Return the moves that nobody tapped, and the confirmed taps that were not played."""
    strange, left, perhaps = [], list(confirmed), list(unconfirmed)
    for move in played:
        if left and move == left[0]:
            left.pop(0)
        elif move in perhaps:
            perhaps.remove(move)
        else:
            strange.append(move)
    return strange, left


@pytest.mark.costly
async def test_engine_and_bot_killed_in_the_middle_of_a_deal_lose_and_double_nothing(
    telegram: Emulator, players: GroupPlayers, redis_server: RedisServer, tmp_path: Path
) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", redis_server.url)
    bot = ForkedBot(tmp_path / "bot.log", telegram, engine.url, redis_server.url)
    victims: list[list[ServiceProcess]] = [[engine], [bot], [engine, bot]]
    confirmed: Made = []
    unconfirmed: Made = []
    async with running(engine, bot):
        await players.begin()
        taps = 0
        while turn := await players.turn_or_end():
            person, key = turn
            tap = person.presses(person.private, key)
            taps += 1
            if taps % 4 == 0 and taps <= 4 * DEATHS:
                await kill_and_start_again(victims[taps // 4 % len(victims)])
            answer = await tap.answer(timeout=PATIENCE)
            if answer.text:  # the bot reports a failure: the move is not confirmed, and the person taps again
                unconfirmed.append((person.name, key.text))
                continue
            confirmed.append((person.name, key.text))
            await players.redrawn(person, key)
        await players.group.sees(button="Ci sto", timeout=PATIENCE)
        keys = await asyncio.to_thread(redis_server.ask, "KEYS locanda:*:table")
        table = re.search(r":([\w-]{22}):table", keys)
        assert table is not None
        async with EngineClient.connect(engine.url) as client:
            proof = await client.proof(table[1], 1)
            names = [seat.name for seat in (await client.table(table[1])).seats]
    strange, lost = without(labels_of(proof, names), confirmed, unconfirmed)
    # The bot passes for people who cannot play any card, unless they have turned this off.
    assert ([move for move in strange if move[1] != "Passo"], lost) == ([], [])
    assert telegram.token not in await engine.log() + await bot.log()
