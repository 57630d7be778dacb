"""Messages that people have deleted come back, and those that cannot be edited are replaced."""

import pytest

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal, open_lobby, sit


@pytest.mark.parametrize("command", ["/start", "/sollecita", "La mia mano", "the other's nudge", "its own button"])
async def test_a_deleted_hand_comes_back_however_one_asks(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, command: str
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    other = bruno if player is anna else anna
    deleted = hand(player)
    await player.deletes(deleted)
    match command:
        case "/start" | "/sollecita":
            await player.says(player.private, command)
        case "La mia mano":
            assert (await player.taps(group, "La mia mano")).alert
        case "the other's nudge":
            await other.says(group, "/sollecita")
        case _:
            await player.taps(player.private, deleted.rows[0][0])
            if player.private.shows("Tocca a te") is None:
                return  # the press has made the move
    await player.private.sees("Tocca a te", button="Passo")
    await plays(player)


async def test_start_brings_the_hand_to_the_end_of_the_chat(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    old = hand(player)
    command = await player.starts()
    await player.private.sees(button="Passo", after=command)
    await player.private.until(lambda _: old.deleted)


async def test_a_deleted_hand_of_a_match_that_is_over_does_not_come_back(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.taps(group, "+ Computer")
    await group.sees(button="Si comincia")
    await anna.taps(group, "Si comincia")
    await anna.private.sees(button="Passo")
    await anna.says(group, "/chiudi")
    await group.sees(button="Sì, chiudilo")
    await anna.taps(group, "Sì, chiudilo")
    await anna.private.sees("ha chiuso il tavolo in")
    sent = len(telegram.journal.of("sendMessage"))
    command = await anna.starts()
    await anna.private.sees("Benvenuti alla locanda", after=command)
    assert len(telegram.journal.of("sendMessage")) == sent + 1


async def test_a_deleted_lobby_and_a_deleted_table_come_back_when_somebody_nudges(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.deletes(await group.sees(button="Siediti"))
    await bruno.says(group, "/sollecita")
    await group.sees(button="Siediti")
    await anna.taps(group, "+ Computer")
    await group.sees(button="Si comincia")
    await anna.taps(group, "Si comincia")
    await anna.deletes(await group.sees(button="La mia mano"))
    await bruno.says(group, "/sollecita")
    await group.sees(button="La mia mano")


async def test_a_table_that_cannot_be_edited_is_replaced_and_leaves_no_second_one_with_a_turn(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    old = await group.sees(button="La mia mano")
    await harness.settle()
    telegram.fail_next("editMessageText", 400, "Bad Request: message can't be edited", chat=group)
    await plays(await turn_of_somebody(people))
    await group.until(lambda _: old.deleted)
    assert len([message for message in group.messages if "La mia mano" in message.labels]) == 1


async def test_a_lobby_that_cannot_be_edited_is_deleted_once_its_match_has_begun(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    lobby = await group.sees(button="Si comincia")
    await harness.settle()
    telegram.fail_next("editMessageText", 400, "Bad Request: message can't be edited", chat=group)
    await anna.taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    await group.until(lambda _: lobby.deleted)
    assert group.shows(button="Siediti") is None
