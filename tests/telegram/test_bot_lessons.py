"""Learning a game in the private chat: explanations as they matter, mistakes, and the deal to its end."""

import pytest

from locanda.games.chat import lines_on_a_phone
from locanda.games.registry import GAME_NAMES
from services.telegram.screens.lessons import COURSES
from services.telegram.screens.screen import PHONE_LINES
from tests.e2e.players import next_tap
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.telegram.harness import BotHarness

TITLES = {"gatto_rosso": "Gatto Rosso", "ramino": "Ramino", "diavoletto": "Diavoletto", "presidente": "Presidente"}
MOST = 400


async def begin(person: Person, game: str) -> Message:
    """Begin a lesson by the buttons."""
    await person.says(person.private, "/impara")
    await person.private.sees(button=TITLES[game])
    await person.taps(person.private, TITLES[game])
    return await person.private.sees("🎓")


async def taps_and_waits(person: Person, lesson: Message, button: InlineButton) -> None:
    """Tap a button of a lesson, and wait until it is drawn again."""
    before = lesson.text, lesson.labels
    await person.taps(person.private, button, message=lesson)
    await person.private.until(lambda _: (lesson.text, lesson.labels) != before)


@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_lesson_explains_all_that_matters_in_one_deal_and_fits_on_a_phone(
    harness: BotHarness, anna: Person, game: str
) -> None:
    lesson = await begin(anna, game)
    explained = set[str]()
    for _ in range(MOST):
        explained |= {line for line in lesson.text.splitlines() if line.startswith("🎓")}
        button = next_tap(lesson)
        if button is None or "smazzata intera" in lesson.text:
            break
        assert lines_on_a_phone(lesson.text) <= PHONE_LINES, lesson.text
        await taps_and_waits(anna, lesson, button)
    assert "adesso sai giocare" in lesson.text
    assert "Ancora una volta" in lesson.labels
    assert len(explained) == len(COURSES[game].topics), explained


async def test_a_mistake_is_explained_and_changes_nothing(harness: BotHarness, anna: Person) -> None:
    lesson = await begin(anna, "gatto_rosso")
    passing = lesson.button("Passo")
    await anna.taps(anna.private, passing, message=lesson)
    await anna.private.sees("🤔")
    assert "Apri tu" in lesson.text


async def test_a_lesson_goes_on_after_a_restart_and_ends_when_one_likes(harness: BotHarness, anna: Person) -> None:
    lesson = await begin(anna, "presidente")
    await harness.restart()
    button = next_tap(lesson)
    assert button is not None
    await taps_and_waits(anna, lesson, button)
    await anna.taps(anna.private, "Per ora basta")
    await anna.private.sees("Per oggi basta così")
    assert (await anna.taps(anna.private, button, message=lesson)).text


async def test_in_a_group_the_bot_says_where_it_teaches(harness: BotHarness, anna: Person, group: Chat) -> None:
    await anna.says(group, "/impara")
    await group.sees("scrivimi /impara")
