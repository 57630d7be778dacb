"""Closing a table during a match: a question to the players, and their votes."""

import pytest

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import deal, open_lobby, practise


@pytest.fixture
def dora(telegram: Emulator) -> Person:
    return telegram.person("Dora", language="it")


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person, carla: Person, dora: Person) -> Chat:
    """A group whose one administrator, Dora, does not play."""
    return telegram.supergroup("Amici", [dora, anna, bruno, carla])


async def ask(person: Person, group: Chat) -> None:
    """Ask the players to vote on closing the table."""
    await person.says(group, "/chiudi")
    await group.sees("Chiudo il tavolo?", button="No")


async def test_a_match_is_closed_once_all_who_play_agree_the_host_too(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    """Otherwise one losing player, or two of three, could end a match that another is about to win."""
    await deal([anna, bruno, carla], group)
    await ask(anna, group)
    await anna.taps(group, "Sì, chiudilo")
    assert "tutti quelli che giocano" in (await group.sees("👍 Anna")).text
    await carla.taps(group, "Sì, chiudilo")
    await group.sees("👍 Anna e Carla")
    assert group.shows(button="La mia mano") is not None
    await bruno.taps(group, "Sì, chiudilo")
    await group.sees("hanno chiuso il tavolo.")
    await group.until(lambda place: place.shows(button="La mia mano") is None)


async def test_one_who_does_not_agree_keeps_the_match_and_who_asked_does_not_ask_again(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await ask(bruno, group)
    await bruno.taps(group, "Sì, chiudilo")
    await group.sees("👍 Bruno")
    await carla.taps(group, "No")
    await group.sees("La partita continua.")
    assert group.shows(button="La mia mano") is not None
    await bruno.says(group, "/chiudi")
    await group.sees("già chiesto in questa partita")
    await ask(carla, group)
    await carla.taps(group, "Sì, chiudilo")
    assert "👍 Bruno" not in (await group.sees("👍 Carla")).text


async def test_an_administrator_who_does_not_play_decides_at_once(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, dora: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await ask(bruno, group)
    await dora.taps(group, "Sì, chiudilo")
    await group.sees("Dora ha chiuso il tavolo.")
    await group.until(lambda place: place.shows(button="La mia mano") is None)


async def test_who_does_not_play_has_no_vote(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await ask(bruno, group)
    assert (await carla.taps(group, "Sì, chiudilo")).text == "Può farlo solo chi è seduto qui."
    assert group.shows(button="La mia mano") is not None


async def test_of_several_tables_the_bot_asks_which_one(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await open_lobby(anna, group)
    await anna.says(group, "/chiudi")
    await group.sees("Quale tavolo chiudo?")
    await anna.taps(group, "Gatto Rosso Gatto Grigio · tavolo A")
    await group.sees("Chiudo il tavolo A?", button="No")


async def test_a_waiting_table_is_closed_at_once_where_it_is_the_only_one(
    harness: BotHarness, anna: Person, carla: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await carla.says(group, "/chiudi")
    await group.sees("Può farlo solo chi è seduto qui.")
    await anna.says(group, "/chiudi")
    await group.sees("Anna ha chiuso il tavolo.")


async def test_who_plays_alone_is_asked_and_ends_the_match_by_a_command(harness: BotHarness, anna: Person) -> None:
    await practise(anna, "facile × 1")
    await anna.private.sees(button="Passo")
    await anna.says(anna.private, "/chiudi")
    await anna.private.sees("Chiudo il tavolo? La partita finisce qui, senza risultato.")
    await anna.taps(anna.private, "No")
    await anna.private.sees("La partita continua.")
    await anna.says(anna.private, "/chiudi")
    await anna.private.sees(button="Sì, chiudilo")
    await anna.taps(anna.private, "Sì, chiudilo")
    await anna.private.sees("Hai lasciato il tavolo.")
    assert anna.private.shows(button="Passo") is None
