"""The link with which people sit down, and the hands of those who have left."""

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, cards
from tests.telegram.lobby_steps import deal, open_lobby, sit


async def seat_link(person: Person, group: Chat) -> str:
    """Return the link for a person whom the bot cannot write to."""
    url = (await person.taps(group, "Siediti")).url
    assert url is not None
    return url


async def test_who_is_not_in_the_group_cannot_sit_by_a_forwarded_link(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    link = await seat_link(bruno, group)
    dora = telegram.person("Dora", language="it")
    await dora.opens(link)
    await dora.private.sees("entra nel gruppo, poi riapri il link")
    assert group.shows("👤 Dora") is None
    await dora.joins(group)
    await dora.opens(link)
    await group.sees("👤 Dora")


async def test_where_telegram_does_not_tell_who_is_in_the_group_nobody_sits_by_a_link(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    link = await seat_link(bruno, group)
    telegram.fail_next("getChatMember")
    await bruno.opens(link)
    await bruno.private.sees("Telegram non mi dice se fai parte del gruppo")
    assert group.shows("👤 Bruno") is None
    await bruno.taps(group, "Siediti")
    await group.sees("👤 Bruno")


async def test_membership_is_asked_once_a_minute_and_again_of_one_who_has_left(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    link = await seat_link(bruno, group)
    for _ in range(2):
        await bruno.opens(link)
        await group.sees("👤 Bruno")
        await bruno.taps(group, "Alzati")
        await group.until(lambda place: place.shows("👤 Bruno") is None)
    assert len(telegram.journal.of("getChatMember")) == 1
    await bruno.leaves(group)
    await bruno.opens(link)
    await bruno.private.sees("entra nel gruppo, poi riapri il link")


async def test_a_seat_link_says_that_the_match_has_begun_and_what_to_do(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    link = await seat_link(bruno, group)
    await sit(carla, group)
    await anna.taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    await bruno.opens(link)
    await bruno.private.sees("Quando finisce, siediti al prossimo")


async def test_the_hand_of_one_who_has_left_the_group_says_so_and_how_to_come_back(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await carla.leaves(group)
    await carla.private.sees("Non sei più in Amici")
    await anna.removes(group, bruno)
    await bruno.private.sees("torna nel gruppo e siediti al prossimo tavolo")
    await harness.settle()
    assert not any(cards(message) for person in (bruno, carla) for message in person.private.messages)


async def test_the_hand_of_one_who_is_forgotten_is_gone(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await bruno.says(bruno.private, "/dimenticami")
    await bruno.private.sees("Che cosa devo dimenticare?")
    await bruno.taps(bruno.private, "Tutto: lascio anche i miei tavoli")
    await bruno.private.sees("Hai lasciato il tavolo in Amici")
    await harness.settle()
    assert not any(cards(message) for message in bruno.private.messages)
