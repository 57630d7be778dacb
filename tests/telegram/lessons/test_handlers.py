"""A lesson in the private chat: the script's moves, mistakes, and the deal to its end."""

import pytest

from locanda.games.lessons import Step, is_same_move, scripts
from locanda.games.registry import GAME_NAMES
from locanda.texts.chat import lines_on_a_phone
from services.telegram.callback_data import MakeMove, PickCard, unpack
from services.telegram.move_codes import move_of
from services.telegram.screens.screen import PHONE_LINES
from tests.e2e.players import next_tap
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.telegram.harness import BotHarness

TITLES = {game: game.replace("_", " ").title() for game in GAME_NAMES}
"""A part of the label of each game's button."""
MOST_TAPS = 25


async def begin(person: Person, game: str) -> Message:
    """Begin a lesson with the buttons; return its message."""
    await person.says(person.private, "/impara")
    await person.private.sees(button=TITLES[game])
    await person.taps(person.private, TITLES[game])
    return await person.private.sees("🎓")


async def taps_and_waits(person: Person, lesson: Message, button: InlineButton) -> None:
    """Tap a button of a lesson, and wait until the lesson is drawn again."""
    before = lesson.text, lesson.labels
    await person.taps(person.private, button, message=lesson)
    await person.private.until(lambda _: (lesson.text, lesson.labels) != before)


def tap_for(lesson: Message, step: Step, game: str) -> InlineButton:
    """Return the button that makes the move of a step, or selects the move's next card."""
    buttons = [(button, unpack(button.callback_data or "")) for row in lesson.rows for button in row]
    for button, data in buttons:
        if isinstance(data, MakeMove) and is_same_move(step.move, move_of(game, data.code), game):
            return button
    wanted = next(line for line in lesson.text.splitlines() if line.startswith("👉"))
    cards = [button for button, data in buttons if isinstance(data, PickCard) and data.up]
    return next(button for button in cards if button.text.split(" (")[0] in wanted)


@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_lesson_is_played_to_the_end_of_its_deal_in_few_taps_and_fits_on_a_phone(
    harness: BotHarness, anna: Person, game: str
) -> None:
    lesson = await begin(anna, game)
    explained, taps = list[str](), 0
    for step in scripts()[game].steps:
        before, selected = lesson.text, 0
        while "👉" in lesson.text:
            assert lines_on_a_phone(lesson.text) <= PHONE_LINES, lesson.text
            button = tap_for(lesson, step, game)
            makes_the_move = isinstance(unpack(button.callback_data or ""), MakeMove)
            explained += [line for line in lesson.text.splitlines() if line.startswith("🎓") and not selected]
            await taps_and_waits(anna, lesson, button)
            taps, selected = taps + 1, selected + 1
            if makes_the_move:
                break
        assert lesson.text != before
    assert "adesso sai giocare" in lesson.text
    assert "Ancora una volta" in lesson.labels
    assert taps <= MOST_TAPS
    assert len(explained) == len(set(explained)) == sum(bool(step.text) for step in scripts()[game].steps)


async def test_a_mistake_is_explained_and_changes_nothing(harness: BotHarness, anna: Person) -> None:
    lesson = await begin(anna, "gatto_rosso")
    passing = lesson.button("Passo")
    for _ in range(2):
        answer = await anna.taps(anna.private, passing, message=lesson)
        assert "🤔" in (answer.text or ""), "the lesson stays as it is the second time"
    await anna.private.sees("🤔")
    assert "Apri tu" in lesson.text
    other = lesson.button("K♣")
    await taps_and_waits(anna, lesson, other)
    assert "Si può fare anche questo" in lesson.text
    assert "👉 5♥" in lesson.text


async def test_selected_cards_that_make_no_move_are_explained_as_in_a_match(harness: BotHarness, anna: Person) -> None:
    lesson = await begin(anna, "presidente")
    for card in ("9♥", "K♦"):
        await taps_and_waits(anna, lesson, lesson.button(card))
    assert "Insieme non si possono calare: 9♥ K♦." in lesson.text


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
    await group.sees("Chiedimelo in privato")
