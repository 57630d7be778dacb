"""“My hand” in the group, as a message that one person alone sees: where the server can, and never otherwise."""

from collections.abc import AsyncIterator

import pytest

from services.telegram.handlers import table as table_module
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, cards, hand
from tests.telegram.lobby_steps import deal


@pytest.fixture(params=[True, False], ids=["a server that can", "an old server"])
async def telegram(request: pytest.FixtureRequest) -> AsyncIterator[Emulator]:
    async with Emulator(ephemeral=request.param) as telegram:
        yield telegram


async def test_the_hand_comes_in_a_message_of_its_own_once_the_server_has_proved_that_it_can(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    before = len(group.messages)
    for person in (anna, bruno):
        answer = await person.taps(group, "La mia mano")  # the first tap shows whether the server can
        if person is anna or not telegram.world.behaviour.ephemeral:
            assert answer.alert
        else:
            assert not answer.text
            message = await bruno.sees(group, "La tua mano")
            assert all(card.text in message.text for card in cards(hand(bruno)))
            assert message.only_for is bruno.user
    assert [message for message in group.messages[before:] if message.only_for is None and not message.deleted] == []
    await harness.restart()
    probes = len([call for call in telegram.journal.of("sendMessage") if call.params["text"] == "🂠"])
    await anna.taps(group, "La mia mano")
    assert len([call for call in telegram.journal.of("sendMessage") if call.params["text"] == "🂠"]) == probes == 1


async def test_what_one_person_sees_goes_again(
    harness: BotHarness,
    telegram: Emulator,
    anna: Person,
    bruno: Person,
    group: Chat,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_module, "SHOWN_SECONDS", 0.0)
    await deal([anna, bruno], group)
    await anna.taps(group, "La mia mano")
    await bruno.taps(group, "La mia mano")
    await telegram.until(lambda: all(message.deleted for message in group.messages if message.only_for is not None))
    assert group.shows(button="La mia mano") is not None


async def test_where_telegram_does_not_answer_the_hand_comes_as_an_alert(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.taps(group, "La mia mano")
    await harness.settle()
    telegram.fail_next("sendMessage", 500, chat=group)
    assert (await bruno.taps(group, "La mia mano")).alert


async def test_a_server_that_shows_the_probe_to_all_is_asked_once_even_if_the_probe_cannot_be_deleted(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    telegram.world.behaviour.ephemeral = False
    await deal([anna, bruno], group)
    telegram.fail_next("deleteMessage", 400, "Bad Request: message can't be deleted", chat=group)
    for person in (anna, bruno):
        assert (await person.taps(group, "La mia mano")).alert
    assert len([call for call in telegram.journal.of("sendMessage") if call.params["text"] == "🂠"]) == 1
