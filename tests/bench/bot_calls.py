"""Counts calls of the Bot API and taps for each move, over whole matches in a group of two to four people.

The moves are those of the level `medium`. A person makes each with the hand's buttons: the button of the move, or its
cards until there is such a button. Calls are sends, edits, deletions and answers to presses.
There are no rate limits, so every state is drawn; with limits, quick moves share drawings of the group's table.
`python -m tests.bench.bot_calls [game …]`
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec

from locanda.games.choosing import choose_quickly
from locanda.games.players import Situation
from locanda.games.registry import GAME_NAMES, WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.messages import JsonObject, Table
from locanda.texts.selection import cards_of_moves
from locanda.translations import translations_in
from services.common import logs
from services.telegram import callback_data
from services.telegram.callback_data import CallbackData, MakeMove, PickCard
from services.telegram.move_codes import move_of
from services.telegram.play.cards import cards_of_hand
from services.telegram.repositories.repositories import Repositories
from tests.e2e.players import newest_hand
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.harness import BotHarness, bot_harness

MATCHES = 3
TITLES = {"gatto_rosso": "Gatto Rosso", "ramino": "Ramino", "diavoletto": "Diavoletto", "presidente": "Presidente"}
CALLS: tuple[str, ...] = ("sendMessage", "sendPhoto", "editMessageText", "editMessageCaption", "editMessageMedia")
CALLS += ("editMessageReplyMarkup", "deleteMessage", "answerCallbackQuery")


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


def shown(person: Person) -> Iterator[tuple[InlineButton, CallbackData]]:
    """Yield the buttons of a person's hand, each with its callback data."""
    message = newest_hand(person)
    assert message is not None, person.private.render()
    for key in (key for row in message.rows for key in row):
        data = callback_data.unpack(key.callback_data or "")
        if data is not None:
            yield key, data


def alike(table: Table, card: str) -> str:
    """Return a card's identity: its rank if suits do not matter, else its code."""
    return card if getattr(WIRE_TYPES[table.game], "SUITS_MATTER", True) else card[:-1]


def taken(table: Table, move: JsonObject) -> list[tuple[str, str]]:
    """Return the piles and cards that a move takes. Equal cards give the same result."""
    assert table.deal is not None
    [takes] = cards_of_moves(table.game, [move], table.deal)
    return sorted((card.pile, alike(table, card.card)) for card in takes.cards)


def makes(table: Table, code: str, move: JsonObject) -> bool:
    """Return whether a button's code stands for a move, with the same cards or with equal ones."""
    coded = move_of(table.game, code)
    others = [
        {name: value for name, value in arguments.items() if name not in {"card", "cards"}}
        for arguments in (coded, move)
    ]
    return others[0] == others[1] and taken(table, coded) == taken(table, move)


def next_tap(person: Person, table: Table, move: JsonObject) -> InlineButton:
    """Return the next button to tap for a move: the move's own button, or else one of its cards."""
    keys, held = [*shown(person)], cards_of_hand(table, translations_in("it"))
    for key, data in keys:
        if isinstance(data, MakeMove) and makes(table, data.code, move):
            return key
    picks = [(key, data.up, held[data.place]) for key, data in keys if isinstance(data, PickCard)]
    left = Counter(taken(table, move))
    left.subtract((card.pile, alike(table, card.card)) for _, up, card in picks if not up)
    for key, up, card in picks:
        if up and left[(card.pile, alike(table, card.card))] > 0:
            return key
    raise AssertionError(f"{move} cannot be made by\n{person.private.render()}")


async def play(harness: BotHarness, people: list[Person], rng: Random) -> Counter[str]:
    """Play a match to its end; return the numbers of moves and taps."""
    engine, counted = harness.engine, Counter[str]()
    [chat_table] = [candidate for candidate in await Repositories(harness.redis).chat_tables.all() if candidate.engine]
    tokens = await Repositories(harness.redis).seats.tokens(chat_table.ref)
    ref = chat_table.engine
    assert ref is not None
    by_seat = {(await engine.table(ref, tokens[player.id])).you: player for player in people}
    while (table := await engine.table(ref)).status == "playing":
        assert table.deal is not None
        person = by_seat[table.deal.turn]
        seen = await engine.table(ref, tokens[person.id])
        choice = choose_quickly(GAMES[chat_table.game], Situation(seen.deal, None), "medium", rng)
        move: JsonObject = msgspec.to_builtins(choice.move)
        while (await engine.table(ref)).version == seen.version:
            key = next_tap(person, seen, move)
            await person.taps(person.private, key, message=key.message)
            await harness.settle()
            counted["taps"] += 1
        counted["moves"] += 1
    return counted


async def measure(game: str) -> None:
    """Play whole matches of a game and print the cost of a move."""
    counted, seats = Counter[str](), 2 if game == "diavoletto" else 4
    for number in range(MATCHES):
        async with Emulator() as telegram, bot_harness(telegram) as harness:
            people = [telegram.person(name, language="it") for name in ("Anna", "Bruno", "Carla", "Dora")[:seats]]
            group = telegram.supergroup("Amici", people)
            await start(harness, game, people, group)
            before = {method: len(telegram.journal.of(method)) for method in CALLS}
            counted += await play(harness, people, Random(number))
            counted += Counter({method: len(telegram.journal.of(method)) - before[method] for method in CALLS})
    moves = counted["moves"]
    calls = sum(counted[method] for method in CALLS)
    per_move = ", ".join(f"{method} {counted[method] / moves:.2f}" for method in CALLS if counted[method])
    print(f"{game}: {counted['taps'] / moves:.2f} taps, {calls / moves:.2f} calls a move ({moves} moves): {per_move}")


if __name__ == "__main__":
    logs.configure("error", "console")
    for name in sys.argv[1:] or GAME_NAMES:
        asyncio.run(measure(name))
