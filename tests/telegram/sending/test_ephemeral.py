"""“My hand” in the group, as a message for one person only, if the server supports that."""

from collections.abc import AsyncIterator

import pytest

from services.telegram.sending import ephemeral
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import Message
from tests.telegram.harness import BotHarness, cards, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal
from tests.waiting import until


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
        answer = await person.taps(group, "La mia mano")  # the first tap probes the server
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
    monkeypatch.setattr(ephemeral, "SHOWN_SECONDS", 0.0)
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


CAN = pytest.mark.parametrize("telegram", [True], indirect=True, ids=["a server that can"])


async def knows(harness: BotHarness, person: Person, group: Chat) -> None:
    """Tap once, after which the bot knows that the server supports messages for one person."""
    await person.taps(group, "La mia mano")
    await harness.settle()


@CAN
async def test_a_turn_is_played_in_the_group_in_a_message_that_its_player_alone_sees(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    await knows(harness, player, group)
    assert not (await player.taps(group, "La mia mano")).text
    message = await player.sees(group, "Tocca a te")
    assert message.only_for is player.user
    held = cards(hand(player))
    assert [card.text for card in cards(message)] == [card.text for card in held]

    for button in [*cards(message), message.button("Passo")]:
        answer = await player.taps(group, button, message=message)
        if not answer.text:
            break

    await turn_is_over(player, message)
    assert not message.rows
    assert await turn_of_somebody([anna, bruno]) is not player


async def turn_is_over(player: Person, message: Message) -> None:
    """Wait until a hand message in the group says that the player is no longer on turn."""
    await until(lambda: "Tocca a te" not in message.text)


@CAN
async def test_an_outdated_card_in_the_group_is_refused_and_the_hand_drawn_again(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    await knows(harness, player, group)
    await player.taps(group, "La mia mano")
    message = await player.sees(group, "Tocca a te")
    await plays(player)
    assert (await player.taps(group, cards(message)[0])).text
    await turn_is_over(player, message)
    assert not message.rows


@CAN
async def test_the_command_shows_the_hand_in_the_group_where_the_bot_is_an_administrator(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.promotes_bot(group)
    await deal([anna, bruno], group)
    await knows(harness, anna, group)
    question = await bruno.says(group, "/mano", ephemeral=True)
    message = await bruno.sees(group, "La tua mano", after=question)
    assert message.only_for is bruno.user
    assert all(card.text in message.text for card in cards(hand(bruno)))


async def test_where_it_cannot_be_shown_in_the_group_the_command_sends_the_hand_anew_in_private(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await harness.settle()
    before = hand(bruno)
    await bruno.says(group, "/mano")
    await group.sees("La tua mano è nella nostra chat privata.")
    await harness.settle()
    assert hand(bruno).id > before.id
    assert before.deleted
