"""Rematches: a request while the bot is still finishing the last match, and the names of seats."""

import pytest

from locanda.messages import AnswerRematch
from services.engine.table import rematch
from services.telegram import app
from services.telegram.records import ChatTable
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import Message
from tests.telegram.harness import (
    BotHarness,
    all_stay,
    on_turn,
    plays_until,
    plays_until_one_has_one_card,
    turn_of_somebody,
)
from tests.telegram.lobby_steps import deal
from tests.waiting import until


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
            result = await group.sees(button="Ci sto")
            await all_stay(people, group)
            results.append(result)
        await save(chat_table)

    monkeypatch.setattr(chat_tables, "save", press_and_save)
    await plays_until(people, lambda: results)
    await group.sees(button="La mia mano", after=results[0])


async def test_a_rematch_that_is_begun_on_the_page_alone_is_drawn(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    assert harness.context
    context = harness.context
    (ref,) = await context.repositories.chat_tables.in_chat(group.id)

    async def stored_as_over() -> bool:
        chat_table = await context.repositories.chat_tables.find(ref)
        return chat_table is not None and chat_table.over

    await until(stored_as_over)
    for person in people:
        table, token = await context.tables.lookup.view_for(await context.tables.lookup.chat_table(ref), person.user.id)
        assert table.you is not None
        await harness.engine.answer_rematch(table.id, table.you, token, AnswerRematch(stays=True))
    await group.sees(button="La mia mano", after=result)
    assert not await stored_as_over()


@pytest.mark.parametrize("played", [False, True], ids=["begun", "played"])
async def test_a_rematch_on_the_page_is_drawn_though_the_bot_has_restarted_and_follows_the_table_no_more(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch, *, played: bool
) -> None:
    monkeypatch.setattr(app, "REMATCH_SECONDS", 0.05)
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    await harness.settle()
    assert harness.context
    [chat_table] = await harness.context.repositories.chat_tables.of_person(anna.id)
    tokens = (await harness.context.repositories.seats.tokens(chat_table.ref)).values()
    await harness.close()
    engine, ref = harness.engine, chat_table.engine
    assert ref
    for token in tokens:
        seat = (await engine.table(ref, token)).you
        assert seat is not None
        await engine.answer_rematch(ref, seat, token, AnswerRematch(stays=True))
    by_seat = {(await engine.table(ref, token)).you: token for token in tokens}
    table = await engine.table(ref)
    while played and table.deal is not None and table.status == "playing":
        token = by_seat[table.deal.turn]
        table = (await engine.play(ref, token, (await engine.table(ref, token)).moves[0])).table
    await harness.open()
    await group.sees(button="Ci sto" if played else "La mia mano", after=result)


async def test_at_a_rematch_everybody_has_the_name_that_they_have_now_and_a_computer_that_of_a_computer(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await bruno.taps(bruno.private, "Lascio il tavolo")
    await bruno.private.sees(button="Sì, me ne vado")
    await bruno.taps(bruno.private, "Sì, me ne vado")
    await group.sees("Bruno 🤖")
    await plays_until_one_has_one_card(harness, [anna, carla])
    await plays_until([anna, carla], lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    anna.user.first_name = "Annamaria"
    await all_stay([anna, carla], group)
    table = await group.sees("Annamaria", button="La mia mano", after=result)
    assert "Ugo 🤖" in table.text
    assert "Bruno" not in table.text
    await plays_until([anna], lambda: on_turn([carla]))
    hand = await carla.private.sees("Annamaria")
    assert "Bruno" not in hand.text


async def test_another_match_begins_with_those_who_stay_and_a_newcomer(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    newest = group.messages[-1]
    assert "mancano le risposte" in ((await anna.taps(group, "Ci sto")).text or "")
    await group.until(lambda _: "Ci sta Anna." in result.text and "Aspettiamo Bruno." in result.text)
    assert "chi non risponde in tempo resta fuori" in result.text
    link = (await carla.taps(group, "Ci sto")).url
    assert link is not None
    await carla.opens(link)
    await group.until(lambda _: "Ci stanno Anna e Carla." in result.text)
    await bruno.private.sees("Aspettiamo Bruno.", button="Basta")
    assert group.messages[-1] is newest
    await bruno.taps(bruno.private, "Basta")
    table = await group.sees("Anna", button="La mia mano", after=result)
    assert "Carla" in table.text
    assert "Bruno" not in table.text
    await turn_of_somebody([anna, carla])


async def test_the_match_begins_after_a_minute_though_the_bot_was_away(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rematch, "REMATCH_MS", 1500)
    await deal([anna, bruno, carla], group)
    await plays_until_one_has_one_card(harness, [anna, bruno, carla])
    await plays_until([anna, bruno, carla], lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    await harness.settle()
    await anna.taps(group, "Ci sto")
    await bruno.taps(group, "Ci sto")
    await harness.restart()
    table = await group.sees("Anna", button="La mia mano", after=result)
    assert "Carla" not in table.text
    await group.until(lambda _: not result.labels)
    hand = await carla.private.sees("si va avanti senza di te")  # replaces the list of awaited people
    assert not hand.labels
