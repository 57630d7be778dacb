"""Remarks at the table, in a chat."""

import pytest

from services.engine.service import remarks
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, hand, plays_until, plays_until_one_has_one_card, turn_of_somebody
from tests.telegram.lobby_steps import deal


async def say(person: Person, remark: str) -> str:
    """Make a remark with the buttons of a hand; return the answer to the press."""
    await person.taps(person.private, "💬", message=hand(person))
    message = await person.private.sees(button=remark)
    return (await person.taps(person.private, remark, message=message)).text or ""


async def test_what_is_said_from_a_hand_stands_in_the_tables_message_and_the_cards_come_back(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remarks, "REMARK_PAUSE", 600_000)
    await deal([anna, bruno], group)
    messages = len(group.messages)
    other = bruno if await turn_of_somebody([anna, bruno]) is anna else anna
    assert await say(other, "Ben giocata") == "«Ben giocata»"
    await group.sees(f"{other.name}: «Ben giocata»", button="La mia mano")
    assert len(group.messages) == messages, "the table's message is edited"
    await other.private.sees(button="💬")
    assert "Piano piano!" in await say(other, "👏")


async def test_a_person_and_a_group_hide_what_is_said(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    other = bruno if player is anna else anna
    await player.says(player.private, "/impostazioni")
    await player.private.sees(button="Nascondi le parole al tavolo")
    await player.taps(player.private, "Nascondi le parole al tavolo")
    await player.private.sees("Parole al tavolo: no")
    await say(other, "Bella!")
    await group.sees(f"{other.name}: «Bella!»")
    await harness.settle()
    assert "Bella" not in hand(player).text

    await player.taps(player.private, "Mostra le parole al tavolo")
    await player.private.sees(f"{other.name}: «Bella!»", button="Passo")


async def presses(person: Person, label: str) -> str:
    """Press a button on a hand's page of remarks; return the answer to the press."""
    message = await person.private.sees(button=label)
    return (await person.taps(person.private, label, message=message)).text or ""


async def test_a_person_mutes_one_other_beside_what_may_be_said(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    player = await turn_of_somebody(people)
    muted, heard = (chosen for chosen in people if chosen is not player)
    await player.taps(player.private, "💬", message=hand(player))
    assert await presses(player, f"🔇 Zittisci {muted.name}") == f"Le parole di {muted.name} sono nascoste."
    await player.private.sees(button=f"🔊 Ascolta {muted.name}")
    for someone in (muted, heard):
        await say(someone, "👏")
        await group.sees(f"{someone.name}: 👏")
    await presses(player, "Indietro")
    await player.private.sees(f"{heard.name}: 👏", button="Passo")
    assert muted.name not in str(await harness.redis.hgetall(f"bot:person:{player.id}"))
    assert f"{muted.name}: 👏" not in hand(player).text

    await player.taps(player.private, "💬", message=hand(player))
    assert await presses(player, f"🔊 Ascolta {muted.name}") == f"Le parole di {muted.name} si vedono."
    await presses(player, "Indietro")
    await player.private.sees(f"{muted.name}: 👏", button="Passo")


async def test_what_is_said_on_the_page_stands_in_the_tables_message(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    assert harness.context
    (chat_table,) = await harness.context.repositories.chat_tables.of_person(anna.user.id)
    table, token = await harness.context.tables.lookup.view_for(chat_table, anna.user.id)
    assert table.you is not None
    await harness.engine.say(table.id, table.you, token, "applause")
    await group.sees(f"{anna.name}: 👏", button="La mia mano")
    assert (await harness.engine.table(table.id)).version == table.version


async def test_what_is_said_after_the_match_stands_with_its_result(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    result = await group.sees(button="Ci sto")
    await harness.settle()
    messages = len(group.messages)
    await bruno.private.sees(button="Ci sto")
    await bruno.taps(bruno.private, "💬")
    message = await bruno.private.sees(button="Ben giocata")
    assert (await bruno.taps(bruno.private, "Ben giocata", message=message)).text == "«Ben giocata»"
    await group.until(lambda _: "Bruno: «Ben giocata»" in result.text)
    await anna.private.sees("Bruno: «Ben giocata»", button="Ci sto")
    await bruno.private.sees("Bruno: «Ben giocata»", button="Ci sto")
    assert len(group.messages) == messages, "the result is edited"
