"""Commands: the menus, an unknown command, and /leave."""

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, cards
from tests.telegram.lobby_steps import deal, open_lobby, sit


def offered(telegram: Emulator, person: Person, chat: Chat) -> set[str]:
    """Return the commands in the menu of a person in a chat."""
    return {command["command"] for command in telegram.commands_for(person, chat)}


async def test_each_place_offers_the_commands_that_make_sense_there(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    assert {"gioca", "lascia", "dimenticami", "impostazioni"} <= offered(telegram, anna, anna.private)
    assert not {"classifica", "chiudi"} & offered(telegram, anna, anna.private)
    assert {"gioca", "lascia", "classifica", "chiudi"} <= offered(telegram, bruno, group)
    assert not {"dimenticami", "impostazioni"} & offered(telegram, bruno, group)
    assert offered(telegram, anna, group) - offered(telegram, bruno, group) == {"impostazioni"}


async def test_an_unknown_command_is_answered_in_private_and_left_alone_in_a_group(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await anna.says(group, "/giocare")
    await anna.says(anna.private, "/giocare")
    await anna.private.sees("Questo comando non lo conosco. Con /aiuto vedi che cosa so fare.")
    assert group.shows("Questo comando") is None


async def test_the_command_frees_a_seat_before_the_match(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await bruno.says(group, "/lascia")
    await group.sees("Qui non siedi a nessun tavolo.")
    await sit(bruno, group)
    await bruno.says(group, "/lascia")
    await group.sees("Hai lasciato il tavolo.")
    await group.until(lambda place: place.shows("👤 Bruno") is None)


async def test_the_command_asks_in_private_before_a_match_is_left(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await bruno.says(group, "/leave")
    await group.sees("Ti ho chiesto in privato se vuoi davvero.")
    await bruno.private.sees("Vuoi lasciare il tavolo?")
    await bruno.taps(bruno.private, "No, resto")
    await bruno.private.until(lambda place: place.shows("Vuoi lasciare il tavolo?") is None)
    assert bruno.private.shows(button="Lascio il tavolo") is not None
    await bruno.says(bruno.private, "/lascia")
    await bruno.private.sees("Amici", button="Sì, me ne vado")
    await bruno.taps(bruno.private, "Sì, me ne vado")
    await bruno.private.sees("Hai lasciato il tavolo in Amici")
    await group.sees("Bruno 🤖")
    await harness.settle()
    assert not any(cards(message) for message in bruno.private.messages)
    assert bruno.private.shows("Vuoi lasciare il tavolo?") is None
