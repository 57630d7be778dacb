"""`make demo`: three people play a deal in an emulated Telegram group, by tapping the buttons that the bot renders.

The engine, the bot and Redis are real; `tests/emulator/` takes the place of Telegram.
"""

import asyncio
import re
import sys
import tempfile
import textwrap
from argparse import ArgumentParser
from pathlib import Path
from typing import TextIO

import msgspec

from locanda import verify
from locanda.client import EngineClient
from services.common import logs
from tests.e2e.engine_and_bot import EngineAndBot, running_engine_and_bot
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.emulator.chats import bubble
from tests.emulator.journal import ChatEvent
from tests.redis_server import running_redis

PRIVATE_INDENT = " " * 10
BOLD, DIM, GREEN, CYAN, YELLOW, PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[36m", "\033[33m", "\033[0m"


class ChatPrinter:
    """Prints what happens in the chats: the group at the left margin, private chats indented, with their owner."""

    def __init__(self, out: TextIO, group: int) -> None:
        self._out = out
        self._group = group
        self._colours = out.isatty()
        self._last: dict[int, str] = {}
        """By chat: its last printed message."""
        self._lines: dict[tuple[int, int], frozenset[str]] = {}
        """By chat and message: the lines that it had when it was printed last."""

    def note(self, text: str) -> None:
        """Print a line that is in no chat."""
        self._print(f"\n✔ {text}", BOLD + GREEN)

    def show(self, event: ChatEvent) -> None:
        """Print an event that changed something visible."""
        private = event.chat_id != self._group
        if event.kind in {"sent", "edited"} and event.message is not None:
            self._show_message(event, private=private)
        elif event.kind == "said":
            self._print(f"\n{PRIVATE_INDENT if private else ''}{event.who}: {event.text}", BOLD)
        elif event.kind == "tapped":
            self._print(f"{PRIVATE_INDENT if private else ''}👆 {event.who} taps {event.text}", BOLD + YELLOW)
        elif event.kind in {"toast", "alert"} and event.text:
            self._print(f"{PRIVATE_INDENT}» {event.who} alone reads: {event.text}", DIM)

    def _show_message(self, event: ChatEvent, *, private: bool) -> None:
        """Print a new message, or what an edit has changed in a message of the group; an edited hand adds little."""
        message = event.message
        if message is None or (private and event.kind == "edited"):
            return
        text = bubble(message)
        if self._last.get(event.chat_id) == text:
            return
        self._last[event.chat_id] = text
        place = (event.chat_id, message.id)
        before, self._lines[place] = self._lines.get(place, frozenset()), frozenset(text.splitlines())
        changed = [line for line in text.splitlines() if line not in before]
        if private:
            holder = event.title.partition(" ")[0]
            self._print(textwrap.indent(f"\n🔒 only {holder} sees this\n{text}", PRIVATE_INDENT), CYAN)
        else:
            changed_text = "\n".join(changed)
            self._print(f"\n── {event.title} {'─' * (74 - len(event.title))}\n{changed_text}", "")

    def _print(self, text: str, colour: str) -> None:
        print(f"{colour}{text}{PLAIN}" if self._colours and colour else text, file=self._out, flush=True)


async def play(players: GroupPlayers, pause: float) -> None:
    """Let the person on turn tap the first card that may be played, until the result of the match is shown."""
    while turn := await players.turn_or_end():
        person, button = turn
        await asyncio.sleep(pause)
        await person.taps(person.private, button)
        await players.redrawn(person, button)


async def shown_commitment(players: GroupPlayers) -> str:
    """Return the commitment that the lobby shows."""
    lobby = await players.group.sees("Impronta della mescolata")
    commitment = re.search(r"\b[0-9a-f]{64}\b", lobby.text)
    assert commitment is not None
    return commitment[0]


async def check_the_shuffle(engine_and_bot: EngineAndBot, players: GroupPlayers, commitment: str) -> str:
    """Verify the deal against the commitment that was shown before it, and return the outcome as a sentence."""
    result = await players.group.sees("✅ Concorda")
    table = re.search(r"(?<![\w-])[\w-]{22}(?![\w-])", result.text)
    assert table is not None
    async with EngineClient.connect(engine_and_bot.engine_url) as engine:
        proof = await engine.proof(table[0], 1)
    published = verify.Published(commitment)
    report = verify.examine(msgspec.json.decode(msgspec.json.encode(proof)), published, rules=verify.ImportedRules())
    return "\n".join(report.errors) or "The shuffle was checked: the cards dealt are the ones that were promised."


async def main(redis_url: str, pause: float) -> None:
    """Play a deal and print the chats."""
    async with Emulator() as telegram:
        players = GroupPlayers(telegram, "Amici del venerdì")
        printer = ChatPrinter(sys.stdout, players.group.id)
        telegram.watch(printer.show)
        async with running_engine_and_bot(telegram, redis_url) as engine_and_bot:
            await players.begin()
            commitment = await shown_commitment(players)
            await play(players, pause)
            printer.note(await check_the_shuffle(engine_and_bot, players, commitment))


if __name__ == "__main__":
    parser = ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--pause", type=float, default=0.7 if sys.stdout.isatty() else 0.0, help="seconds before a tap")
    logs.configure("error", "console")
    with tempfile.TemporaryDirectory() as directory, running_redis(Path(directory)) as redis:
        asyncio.run(main(redis.url, parser.parse_args().pause))
