"""Reproducible matches in a chat: friends in a group, or one person with computer players."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

from msgspec import Struct

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from locanda.translations import Language
from services.engine.service import computers, tokens
from services.telegram.records import LastChoice
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.tables import match, seating
from tests.demo.transcript import Transcript
from tests.e2e.players import next_tap
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.telegram.harness import BotHarness, bot_harness

PATIENCE = 120.0
PLAY: dict[Language, str] = {"it": "/gioca", "en": "/play"}
CLOSE: dict[Language, str] = {"it": "/chiudi", "en": "/close"}
GROUP: dict[Language, str] = {"it": "Amici del venerdì", "en": "Friday friends"}


class Match(Struct, frozen=True):
    """A match that is short enough to read."""

    people: int
    options: JsonObject = {}


MATCHES = {
    "gatto_rosso": Match(3),
    "ramino": Match(3, {"target": 20}),
    "diavoletto": Match(2, {"mazzetto_size": 13, "no_progress_turns": 10}),
    "presidente": Match(3),
}
"""The matches of the built-in games in the transcripts."""
PEOPLE = ("Anna", "Bruno", "Carla", "Dario")


def match_of(game: str) -> Match:
    """Return the match for a game. A packaged game has default options, and three players if its rules allow it."""
    players = GAMES[game].players
    return MATCHES.get(game) or Match(3 if 3 in players else min(players))


@contextmanager
def without_chance(seed: int) -> Iterator[None]:
    """Make secrets, tokens and the choices of computer players reproducible."""
    numbers, chance = count(), Random(seed)

    def token(size: int = 32) -> str:
        return hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()[: max(16, size)]

    with ExitStack() as stack:
        for where, name, drawn in (
            (tokens, "new_secret", lambda: chance.randbytes(32)),
            (computers, "secrets", SimpleNamespace(token_bytes=chance.randbytes)),
            (seating, "token_urlsafe", token),
            (match, "token_urlsafe", token),
        ):
            stack.enter_context(patch.object(where, name, drawn))
        yield


async def play(
    game: str, language: Language, *, alone: bool, write: Callable[[str], None], pause: float = 0.0, seed: int = 1
) -> None:
    """Play a match to its end and return its transcript."""
    with without_chance(seed):
        async with Emulator() as telegram, bot_harness(telegram) as harness:
            chosen = match_of(game)
            names = PEOPLE[: 1 if alone else chosen.people]
            people = [telegram.person(name, language=language) for name in names]
            group = None if alone else telegram.supergroup(GROUP[language], people)
            for person in people:
                await person.starts()
                await person.private.sees(PLAY[language])
            table = _Played(harness, people, group, Transcript(people, group, write), pause)
            await ChatRepository(RememberedRedis(harness.redis)).remember_choice(
                (group or people[0].private).id, game, LastChoice(chosen.options, 0)
            )
            await table.begin(game, language)
            await table.play_on()
            if group is not None:
                await table.begin_again()
                await table.close(group, language)


class _Played:
    """A match in progress, and its transcript."""

    def __init__(
        self, harness: BotHarness, people: list[Person], group: Chat | None, transcript: Transcript, pause: float
    ) -> None:
        self._harness = harness
        self._people = people
        self._group = group
        self._transcript = transcript
        self._pause = pause

    @property
    def _place(self) -> Chat:
        """The chat in which the table is."""
        return self._people[0].private if self._group is None else self._group

    async def begin(self, game: str, language: Language) -> None:
        """Open a table, sit down and start."""
        host = self._people[0]
        await host.says(self._place, PLAY[language])
        self._transcript.says(host, PLAY[language])
        await self._press(host, self._place, lambda button: f'"{game}"' in (button.callback_data or ""))
        if self._group is None:
            await self._press(host, self._place, lambda button: '"easy"' in (button.callback_data or ""))
            return
        for person in self._people[1:]:
            await self._press(person, self._group, does("sit"))
        await self._press(host, self._group, does("start"))

    async def play_on(self) -> None:
        """Play until the result is shown."""
        while not self._over():
            await self._people[0].private.until(lambda _: self._over() or self._next(), timeout=PATIENCE)
            await self._harness.settle()
            self._transcript.look()
            next_button = self._next()
            if next_button is not None and not self._over():
                person, button, message = next_button
                await self._tap(person, person.private, button, message)
        await self._place.until(
            lambda _: "✅" in (self._end() or ""), timeout=PATIENCE
        )  # the text of the bot's check of the shuffle
        await self._harness.settle()
        self._transcript.look()

    async def begin_again(self) -> None:
        """Begin the rematch."""
        for person in reversed(self._people):
            await self._press(person, self._place, does("again"))
        await self._place.until(lambda _: self._next(), timeout=PATIENCE)
        await self._harness.settle()
        self._transcript.look()

    async def close(self, group: Chat, language: Language) -> None:
        """Close the table by a vote of all players. The person who asks for it agrees first."""
        *_, asking = self._people
        await asking.says(group, CLOSE[language])
        self._transcript.says(asking, CLOSE[language])
        for person in reversed(self._people):
            await self._press(person, group, lambda button: (button.callback_data or "").endswith(",true]"))
        await group.until(lambda place: not any(button_of(message, does("hand")) for message in place.messages))
        await self._harness.settle()
        self._transcript.look()

    def _over(self) -> bool:
        return self._end() is not None

    def _end(self) -> str | None:
        """Return the text of the match's result, once it is shown."""
        return next((message.text for message in self._place.messages if button_of(message, does("again"))), None)

    def _next(self) -> tuple[Person, InlineButton, Message] | None:
        for person in self._people:
            for message in reversed(person.private.messages):
                if "👉" in message.text and (button := next_tap(message)) is not None:
                    return person, button, message
        return None

    async def _press(self, person: Person, place: Chat, wanted: Callable[[InlineButton], bool]) -> None:
        """Wait for the wanted button and press it."""
        await place.until(lambda chat: any(button_of(message, wanted) for message in chat.messages), timeout=PATIENCE)
        await self._harness.settle()
        self._transcript.look()
        message = next(shown for shown in reversed(place.messages) if button_of(shown, wanted))
        button = button_of(message, wanted)
        assert button is not None
        await self._tap(person, place, button, message)

    async def _tap(self, person: Person, place: Chat, button: InlineButton, message: Message) -> None:
        await asyncio.sleep(self._pause)
        self._transcript.taps(person, button, await person.taps(place, button, message=message))
        if self._group is None:  # the next step must not depend on the speed of computer players
            await self._harness.settle()


def button_of(message: Message, wanted: Callable[[InlineButton], bool]) -> InlineButton | None:
    """Return the wanted button of a message, or None."""
    return next((button for row in message.rows for button in row if wanted(button)), None)


def does(tag: str, more: str = "") -> Callable[[InlineButton], bool]:
    """Return a filter for buttons whose callback data has this tag, and this text in the rest of the data."""
    return lambda button: (data := button.callback_data or "").startswith(f'2["{tag}"') and more in data
