"""Rematches: one that is asked for while the bot ends to follow the match before, and under which names one sits."""

import pytest

from services.telegram.records import ChatTable
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import Message
from tests.telegram.harness import BotHarness, on_turn, plays_until, plays_until_one_has_one_card
from tests.telegram.lobby_steps import deal


async def test_a_rematch_that_is_pressed_while_the_match_is_stored_as_over_is_drawn(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    assert harness.context
    chat_tables = harness.context.repositories.chat_tables
    save, pressed, results = chat_tables.save, False, list[Message]()

    async def press_and_save(chat_table: ChatTable) -> None:
        nonlocal pressed
        if chat_table.over and not pressed:
            pressed = True
            result = await group.sees(button="Rivincita")
            await anna.taps(group, "Rivincita")
            results.append(result)
        await save(chat_table)

    monkeypatch.setattr(chat_tables, "save", press_and_save)
    await plays_until(people, lambda: results)
    await group.sees(button="La mia mano", after=results[0])


async def test_at_a_rematch_everybody_has_the_name_that_they_have_now_and_a_computer_that_of_a_computer(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await bruno.taps(bruno.private, "Lascio il tavolo")
    await bruno.private.sees(button="Sì, me ne vado")
    await bruno.taps(bruno.private, "Sì, me ne vado")
    await group.sees("Bruno 🤖")
    await plays_until_one_has_one_card(harness, [anna, carla])
    await plays_until([anna, carla], lambda: group.shows(button="Rivincita"))
    result = await group.sees(button="Rivincita")
    anna.user.first_name = "Annamaria"
    await anna.taps(group, "Rivincita")
    table = await group.sees("Annamaria", button="La mia mano", after=result)
    assert "Ugo 🤖" in table.text
    assert "Bruno" not in table.text
    await plays_until([anna], lambda: on_turn([carla]))
    hand = await carla.private.sees("Annamaria")
    assert "Bruno" not in hand.text
