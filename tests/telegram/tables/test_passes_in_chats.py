"""Passing in a chat: the bot passes for people who can play nothing, or they press the button."""

from collections.abc import AsyncIterator

import pytest

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.harness import SUITS, BotHarness, bot_harness, plays_until
from tests.telegram.lobby_steps import deal


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A running bot that passes for people."""
    async with bot_harness(telegram, passes=True) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


def playable(people: list[Person]) -> tuple[Person, InlineButton] | None:
    """Return a person with a highlighted card, and the first such card; None if nobody has one."""
    for person in people:
        for message in reversed(person.private.messages):
            bright = [key for row in message.rows for key in row if key.raw.get("style") == "primary"]
            for button in bright:
                if button.text[-1] in SUITS:
                    return person, button
    return None


@pytest.mark.costly
async def test_who_can_play_nothing_need_not_tap(harness: BotHarness, anna: Person, bruno: Person, group: Chat) -> None:
    people = [anna, bruno]
    await deal(people, group)
    while not group.shows(button="Ci sto"):
        await group.until(lambda place: place.shows(button="Ci sto") or playable(people))
        person_and_button = playable(people)
        if person_and_button is not None:
            person, button = person_and_button
            await person.taps(person.private, button)
    assert any("passa" in call.payload for call in harness.telegram.journal.of("editMessageText"))


async def test_who_wants_to_pass_by_themselves_does_so_by_the_button(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    for person in (anna, bruno):
        await person.starts()
        await person.private.sees("Benvenuti")
        await person.says(person.private, "/impostazioni")
        await person.private.sees("Passo automatico: solo se obbligato", button="Mai")
        await person.taps(person.private, "Mai")
        await person.private.sees("Passo automatico: mai", button="● Mai")
    await deal([anna, bruno], group)
    await plays_until(
        [anna, bruno],
        lambda: any("devi passare" in message.text for person in (anna, bruno) for message in person.private.messages),
    )
