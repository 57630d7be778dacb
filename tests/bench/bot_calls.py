"""How many calls of the Bot API, and how many taps, a move costs, in a group of four (two in Diavoletto).

Rate limits are off, so that every state is drawn: with them, quick moves share drawings of the group's table.
`python -m tests.bench.bot_calls [game …]`
"""

import asyncio
import sys
from collections import Counter

from locanda.games.registry import GAME_NAMES
from services.common import logs
from tests.e2e.players import tap_of
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, bot_harness

MOVES = 40
TITLES = {"gatto_rosso": "Gatto Rosso", "ramino": "Ramino", "diavoletto": "Diavoletto", "presidente": "Presidente"}
SENDS = ("sendMessage", "editMessageText", "deleteMessage")
ANSWERS = "answerCallbackQuery"
MOVE = '2["m"'
"""How the callback data of a move begins."""


async def start(harness: BotHarness, game: str, people: list[Person], group: Chat) -> None:
    """Seat everybody at a table of a game and start the match."""
    for person in people:
        await person.starts()
        await person.private.sees("/gioca")
    await people[0].says(group, "/gioca")
    await group.sees(button=TITLES[game])
    await people[0].taps(group, TITLES[game])
    await group.sees(f"👤 {people[0].name}")
    for person in people[1:]:
        await person.taps(group, "Siediti")
        await group.sees(f"👤 {person.name}")
    await people[0].taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    await harness.settle()


async def measure(game: str) -> None:
    """Play moves of a game and print what they cost."""
    async with Emulator() as telegram, bot_harness(telegram) as harness:
        names = ("Anna", "Bruno", "Carla", "Dora")[: 2 if game == "diavoletto" else 4]
        people = [telegram.person(name, language="it") for name in names]
        group = telegram.supergroup("Amici", people)
        await start(harness, game, people, group)
        before = {method: len(telegram.journal.of(method)) for method in (*SENDS, ANSWERS)}
        taps: Counter[bool] = Counter()
        while taps[True] < MOVES and group.shows(button="Ci sto") is None:
            person, button = next((each, key) for each in people if (key := tap_of(each)))
            await person.taps(person.private, button, message=button.message)
            taps[(button.callback_data or "").startswith(MOVE)] += 1
            await harness.settle()
        calls = {method: len(telegram.journal.of(method)) - count for method, count in before.items()}
    moves = taps[True]
    sends = sum(calls[method] for method in SENDS)
    each = ", ".join(f"{method} {calls[method] / moves:.2f}" for method in calls)
    print(f"{game}: {sends / moves:.2f} sends a move ({moves} moves), {taps.total() / moves:.2f} taps: {each}")


if __name__ == "__main__":
    logs.configure("error", "console")
    for name in sys.argv[1:] or GAME_NAMES:
        asyncio.run(measure(name))
