"""Repositories of people and of chats."""

from services.telegram.records import LastChoice
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, GROUP


async def test_a_person_is_stored_as_telegram_describes_them(repositories: Repositories) -> None:
    assert await repositories.people.person(ANNA) is None
    await repositories.people.remember(ANNA, "Anna", "it-IT", reachable=True)
    anna = await repositories.people.person(ANNA)
    assert anna is not None
    assert (anna.name, anna.language, anna.reachable) == ("Anna", "it", True)


async def test_a_chosen_language_has_precedence_over_the_phones(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.update(ANNA, language="en", chosen=True)
    assert (await repositories.people.remember(ANNA, "Anna", "it")).language == "en"


async def test_a_button_press_in_a_group_leaves_reachable_as_it_is(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it", reachable=True)
    assert (await repositories.people.remember(ANNA, "Anna", "it")).reachable
    await repositories.people.update(ANNA, reachable=False)
    assert not (await repositories.people.remember(ANNA, "Anna", "it")).reachable


async def test_a_person_stays_muted_under_another_name_and_a_guest_under_theirs(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.people.mute(ANNA, "Bruno", BRUNO, on=True)
    await repositories.people.mute(ANNA, "Ospite", None, on=True)
    anna = await repositories.people.person(ANNA)
    assert anna is not None
    assert anna.mutes("Bruna", BRUNO)
    assert anna.mutes("Ospite", None)
    assert not anna.mutes("Bruno", None)
    await repositories.people.mute(ANNA, "Bruna", BRUNO, on=False)
    anna = await repositories.people.person(ANNA)
    assert anna is not None
    assert not anna.mutes("Bruno", BRUNO)


async def test_a_group_has_the_language_of_the_first_caller_until_it_is_set(repositories: Repositories) -> None:
    assert (await repositories.chats.remember(GROUP, "Amici", "", "it")).language == "it"
    assert (await repositories.chats.remember(GROUP, "Amici", "", "en")).language == "it"
    await repositories.chats.update_settings(GROUP, language="en", seconds=60, hosts="admins", nudges=False)
    chat = await repositories.chats.chat(GROUP)
    assert (chat.title, chat.language, chat.seconds, chat.hosts, chat.nudges) == ("Amici", "en", 60, "admins", False)


async def test_the_last_choice_of_a_game_is_stored(repositories: Repositories) -> None:
    choice = LastChoice({"cats": True}, 60)
    await repositories.chats.remember_choice(GROUP, "gatto_rosso", choice)
    assert await repositories.chats.last_choice(GROUP, "gatto_rosso") == choice
    assert await repositories.chats.last_choice(GROUP, "ramino") is None
