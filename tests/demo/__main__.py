"""`make demo`: three people play a deal in a make-believe Telegram group, by pressing the buttons that the bot renders.

The engine, the bot and Redis are the real ones; only Telegram is played by the emulator of `tests/emulator/`.
"""

import asyncio
import re
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

import msgspec

from shared import logs, verify
from shared.client import EngineClient
from tests.demo.screen import Screen
from tests.e2e.house import House, opened, playable
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.redis_server import running_redis

NAMES = ("Anna", "Bruno", "Carla")


async def sit_down(group: Chat, people: list[Person]) -> None:
    """Anna asks for a game in the group; each takes a seat by following the bot into the private chat."""
    await people[0].says(group, "/gioca")
    await group.sees(button="Gatto Rosso")
    await people[0].taps(group, "Gatto Rosso")
    await group.sees(button="Siediti")
    for person in people:
        answer = await person.taps(group, "Siediti")
        if answer.url:
            await person.opens(answer.url)
        await group.sees(person.name, button="Siediti")


async def play(group: Chat, people: list[Person], pause: float) -> None:
    """Whoever is on turn taps the first card that stands out in his hand, until the result is there."""
    await people[0].taps(group, "Si comincia")
    tapped = None
    while not group.shows(button="Rivincita"):
        for person in people:
            key = playable(person)
            if key and key.callback_data != tapped:
                await asyncio.sleep(pause)
                tapped = key.callback_data
                await person.taps(person.private, key)
        await asyncio.sleep(0.02)


async def check_the_shuffle(house: House, group: Chat) -> str:
    """Deal the cards again from what the table had promised, as anybody can who reads the result."""
    result = await group.sees(button="Rivincita")
    table = re.search(r"(?<![\w-])[\w-]{22}(?![\w-])", result.text)
    assert table is not None
    async with EngineClient.connect(house.engine_url) as engine:
        proof = await engine.proof(table[0], 1)
    faults = list(verify.faults(msgspec.json.decode(msgspec.json.encode(proof))))
    return "\n".join(faults) or "The shuffle was checked: the cards dealt are the ones that were promised."


async def main(redis_url: str, pause: float) -> None:
    """Play a deal."""
    async with Emulator() as telegram:
        people = [telegram.person(name, language="it") for name in NAMES]
        group = telegram.group("Amici del venerdì", people)
        screen = Screen(sys.stdout, group.id)
        telegram.watch(screen.show)
        async with opened(telegram, redis_url) as house:
            await sit_down(group, people)
            await play(group, people, pause)
            screen.say(await check_the_shuffle(house, group))


if __name__ == "__main__":
    parser = ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--pause", type=float, default=0.7 if sys.stdout.isatty() else 0.0, help="seconds before a tap")
    logs.configure("error", "console")
    with tempfile.TemporaryDirectory() as directory, running_redis(Path(directory)) as redis:
        asyncio.run(main(redis.url, parser.parse_args().pause))
