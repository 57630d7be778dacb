"""Reminders: while others wait, the hand is sent again as a new message."""

import pytest

from services.telegram.play import turns
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal


def reminders_to(telegram: Emulator, person: Person) -> list[str]:
    """Return the texts of the reminders that were sent to a person."""
    sent = telegram.journal.of("sendMessage", chat=person.private.id)
    return [call.payload for call in sent if "⏰" in call.payload]


async def test_who_lets_a_turn_wait_is_reminded_once_over_restarts_unless_they_do_not_want_it(
    harness: BotHarness,
    telegram: Emulator,
    anna: Person,
    bruno: Person,
    group: Chat,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "SHARE", 1.02)  # reminder after two seconds of two minutes
    await deal([anna, bruno], group)
    slow = await turn_of_somebody([anna, bruno])
    quick = bruno if slow is anna else anna
    await quick.says(quick.private, "/impostazioni")
    await quick.private.sees(button="Spegni i promemoria")
    await quick.taps(quick.private, "Spegni i promemoria")
    await quick.private.sees(button="Accendi i promemoria")
    first = hand(slow)
    await slow.private.sees("⏰ Il tuo tempo sta per finire!", button="Passo")
    await slow.private.until(lambda place: first not in place.messages)
    await harness.kill()
    await harness.open()
    await harness.settle()
    assert len(reminders_to(telegram, slow)) == 1
    monkeypatch.setattr(turns, "SHARE", 1)  # reminder at once
    await plays(slow)
    await quick.private.until(lambda _: "Tocca a te" in hand(quick).text)
    await harness.settle()
    assert reminders_to(telegram, quick) == []


async def test_a_game_over_days_reminds_each_day_though_the_bot_was_restarted(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "DAY", 1.5)
    assert harness.context
    await harness.context.repositories.chats.update_settings(group.id, seconds=0)
    await deal([anna, bruno], group)
    slow = await turn_of_somebody([anna, bruno])
    await slow.private.sees("⏰ Ti aspettano da 1 giorno.")
    await harness.restart()
    await slow.private.until(
        lambda place: any("Ti aspettano da" in m.text and "giorni" in m.text for m in place.messages)
    )
