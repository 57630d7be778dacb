"""An empty lobby keeps its table at the engine; people and chats may open a limited number of tables."""

import time
from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from services.telegram.following.housekeeping import Housekeeping
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables import seating
from services.telegram.tables.bounds import A_MINUTE, OF_EVENINGS_A_MINUTE, Openings
from services.telegram.tables.lookup import ActionRefusedError
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import ENGINE_SETTINGS, BotHarness, bot_harness
from tests.telegram.lobby_steps import deal, open_lobby
from tests.waiting import until

EMPTY = "10 posti liberi"


@pytest.fixture
async def harness(telegram: Emulator, anna: Person, bruno: Person) -> AsyncIterator[BotHarness]:
    """A bot whose engine lets it open two tables a minute."""
    settings = structs.replace(ENGINE_SETTINGS, engine_tables_per_minute=2)
    async with bot_harness(telegram, engine_settings=settings) as opened:
        for person in (anna, bruno):
            await person.starts()
            await person.private.sees("Benvenuti alla locanda")
        yield opened


async def get_up(person: Person, group: Chat) -> None:
    """Take a seat in an empty lobby, and give it up again."""
    await person.taps(group, "Siediti")
    await group.sees(f"👤 {person.name}")
    await person.taps(group, "Alzati")
    await group.sees(EMPTY)


async def only_table(harness: BotHarness) -> ChatTable:
    [chat_table] = await Repositories(harness.redis).chat_tables.all()
    return chat_table


@pytest.mark.usefixtures("harness")
async def test_who_sits_down_and_gets_up_again_and_again_takes_no_table_from_others(
    telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    await anna.taps(group, "Alzati")
    for _ in range(3):
        await get_up(anna, group)
        await get_up(bruno, group)
    await anna.taps(group, "Siediti")
    await group.sees("👤 Anna")
    await anna.says(group, "/lascia")
    await group.sees(EMPTY)
    await get_up(bruno, group)
    others = telegram.supergroup("Vicini", [bruno, carla])
    await open_lobby(bruno, others)
    await others.sees("👤 Bruno")


async def test_who_sits_down_in_an_emptied_lobby_hosts_a_table_with_what_was_chosen_meanwhile(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees(button="+ Computer")
    await anna.taps(group, "+ Computer")
    await group.sees("🤖 Ugo")
    await anna.taps(group, "Alzati")
    lobby = await group.sees(EMPTY)
    assert "🤖" not in lobby.text
    await anna.taps(group, "Opzioni")
    await group.sees(button="Smazzate: 1")
    await anna.taps(group, "+")
    await group.sees(button="Smazzate: 2")
    await anna.taps(group, "Indietro")
    await group.sees(button="Siediti")
    await bruno.taps(group, "Siediti")
    await group.sees("👤 Bruno")
    await harness.settle()
    lobby = await group.sees("👤 Bruno")
    assert lobby.text.count("👤") == 1
    assert "🤖" not in lobby.text
    await bruno.taps(group, "+ Computer")
    await group.sees("🤖 Ugo")
    await bruno.taps(group, "Si comincia")
    await group.sees("smazzata 1 di 2")


async def test_what_an_emptied_lobby_keeps_is_given_up_after_a_while_and_when_it_is_closed(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    context, followers = harness.context, harness.followers
    assert context is not None
    assert followers is not None
    for ends in ("given up", "closed"):
        await open_lobby(anna, group)
        await group.sees("👤 Anna")
        await anna.taps(group, "Alzati")
        await group.sees(EMPTY)
        kept = (await only_table(harness)).kept
        assert kept is not None
        assert [seat.name for seat in (await harness.engine.table(kept.engine)).seats] == ["Ugo"]
        if ends == "given up":
            housekeeping = Housekeeping(harness.engine, context.repositories, context.tables, followers)
            await housekeeping.sweep(time.time() + seating.KEPT_SECONDS + 1)
            assert (await only_table(harness)).kept is None
        await anna.says(group, "/chiudi")
        await until(lambda: group.shows(button="Siediti") is None)
        await harness.settle()
        table = await harness.engine.table(kept.engine)
        assert (table.status, table.host) == ("over", None)


@pytest.mark.usefixtures("harness")
async def test_a_person_with_too_many_unfinished_tables_is_told_so(
    monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, group: Chat
) -> None:
    monkeypatch.setattr(seating, "OF_A_PERSON", 1)
    await deal([anna, bruno], group)
    question = await anna.says(group, "/gioca")
    offer = await group.sees("A che cosa giochiamo?", after=question)
    answer = await anna.taps(group, "Gatto Rosso", message=offer)
    assert answer.text == "Ci sono troppi tavoli non finiti: prima finiscine o lasciane uno."


def test_a_person_and_a_chat_open_so_many_tables_a_minute_and_an_evening_more() -> None:
    now = 0.0
    openings = Openings(lambda: now)
    table = ChatTable("ref", -1, None, "A", "presidente", 11)
    for _ in range(A_MINUTE):
        openings.count(table, 11)
    for other, user in ((table, 12), (structs.replace(table, chat=-2), 11)):
        with pytest.raises(ActionRefusedError):
            openings.count(other, user)
    openings.count(structs.replace(table, chat=-2), 12)
    for _ in range(OF_EVENINGS_A_MINUTE):
        openings.count(structs.replace(table, evening="an evening"), 11)
    now = 60.0
    openings.count(table, 11)
