"""A reproducible evening of a group in a chat, from its announcement to its result, with a round at two tables.

People play over the API, as on the page, so the chat shows only the evening itself: who comes, who sits where, how each
match ended. The private chat of one person is shown too, with their cards.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from types import SimpleNamespace
from unittest.mock import patch

from locanda.translations import Language
from services.telegram.evenings import following, handlers
from services.telegram.play.dates import WeeklyTime, on_day, zones
from services.telegram.records import EveningSlot, LastChoice
from services.telegram.repositories.repositories import Repositories
from tests.demo.matches import GROUP, MATCHES, PATIENCE, PLAY, button_of, does, without_chance
from tests.demo.transcript import Transcript
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.evenings.rounds import dealt, play_at
from tests.telegram.harness import BotHarness, bot_harness
from tests.waiting import until

GAME = "gatto_rosso"
NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
LATE = "Gigi"
"""The person who arrives for the second round."""
FIX: dict[Language, str] = {"it": "/serata giovedì alle 21", "en": "/evening thursday at 9 pm Europe/Rome"}
TUESDAY, WEDNESDAY, THURSDAY = (date(2026, 3, day) for day in (3, 4, 5))
"""Dates in the past, because matches end by the real clock, which must be after the announcement."""


class _Clock:
    """The evening's clock."""

    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        return self.now


def _moment(day: date, clock: str) -> float:
    hour, minute = map(int, clock.split(":"))
    return on_day(day, WeeklyTime(day.weekday(), 60 * hour + minute), "Europe/Rome")


async def play(language: Language, write: Callable[[str], None], seed: int = 1) -> None:
    """Play an evening to its end and return its transcript. The seating depends on the plan's id, which is a token."""
    clock = _Clock()
    await asyncio.to_thread(zones)
    with ExitStack() as stack:
        stack.enter_context(without_chance(seed))
        stack.enter_context(patch.object(following, "time", SimpleNamespace(time=clock.time)))
        stack.enter_context(patch.object(handlers, "time", clock.time))
        stack.enter_context(patch.object(handlers, "token_urlsafe", lambda size: "a" * (4 * size // 3)))
        async with Emulator() as telegram, bot_harness(telegram) as harness:
            people = [telegram.person(name, language=language) for name in (*NAMES, LATE)]
            group = telegram.supergroup(GROUP[language], people)
            for person in people:
                await person.starts()
                await person.private.sees(PLAY[language])
            choice = LastChoice(MATCHES[GAME].options, 0)
            await Repositories(harness.redis).chats.remember_choice(group.id, GAME, choice)
            transcript = Transcript(people, group, write, private=people[:1])
            await _Evening(harness, people, group, transcript, clock).play(language)


class _Evening:
    """An evening in progress, and its transcript."""

    def __init__(
        self, harness: BotHarness, people: list[Person], group: Chat, transcript: Transcript, clock: _Clock
    ) -> None:
        self._harness = harness
        self._people = people
        self._group = group
        self._transcript = transcript
        self._clock = clock

    async def play(self, language: Language) -> None:
        """Fix the evening, let people sit down, play two rounds, and end it."""
        anna, bruno, carla, dino, *_, late = self._people
        self._it_is(TUESDAY, "18:00")
        await anna.says(self._group, FIX[language])
        self._transcript.says(anna, FIX[language])
        await self._press(anna, does("fix", f'"{GAME}",true'))
        await self._shows(does("drop"))
        self._it_is(WEDNESDAY, "21:00")
        for person in (anna, dino, bruno, carla, *self._people[4:-1]):
            await self._press(person, does("come", "true"))
            await self._reads("🪑", person.name)
        await self._press(late, does("come", "false"))
        await self._reads("🛋", late.name)
        self._it_is(THURSDAY, "20:30")
        await self._is_shown("reminder")
        self._it_is(THURSDAY, "21:00")
        await self._round(1)
        await self._press(late, does("come", "true"))
        await self._press(anna, does("round"))
        await self._round(2)
        await self._press(bruno, does("end"))
        await self._group.sees("🌙", timeout=PATIENCE)
        await self._group.until(lambda chat: not any(button_of(message, does("round")) for message in chat.messages))
        await self._look()

    async def _round(self, number: int) -> None:
        """Play a round, table by table, to its end."""
        for chat_table in await dealt(self._harness):
            await self._is_shown(f"round {number}")
            await play_at(self._harness, chat_table)
        await self._shows(does("round", f'",{number}'))

    def _it_is(self, day: date, clock: str) -> None:
        """Set the clock."""
        self._clock.now = _moment(day, clock)
        self._transcript.time(day, clock)
        assert self._harness.followers is not None
        self._harness.followers.evenings.look_again()

    async def _is_shown(self, ring: str) -> None:
        """Wait until the evening's message is shown with this reason, and write down the chats."""
        assert self._harness.context is not None
        outbox, evenings = self._harness.context.outbox, self._harness.context.repositories.evenings

        async def shown() -> bool:
            return any(outbox.is_shown(EveningSlot(ref), ring) for ref in await evenings.refs())

        await until(shown)
        await self._look()

    async def _reads(self, *words: str) -> None:
        """Wait until the evening's message has a line with these words, and write down the chats."""
        await self._group.until(
            lambda chat: any(
                all(word in line for word in words) for message in chat.messages for line in message.text.splitlines()
            ),
            timeout=PATIENCE,
        )
        await self._look()

    async def _look(self) -> None:
        await self._harness.settle()
        self._transcript.look()

    async def _shows(self, wanted: Callable[[InlineButton], bool]) -> None:
        """Wait for a button, and write down the chats."""
        await self._group.until(
            lambda chat: any(button_of(message, wanted) for message in chat.messages), timeout=PATIENCE
        )
        await self._look()

    async def _press(self, person: Person, wanted: Callable[[InlineButton], bool]) -> None:
        await self._shows(wanted)
        message = next(shown for shown in reversed(self._group.messages) if button_of(shown, wanted))
        button = button_of(message, wanted)
        assert button is not None
        self._transcript.taps(person, button, await person.taps(self._group, button, message=message))
