"""The operator's actions, as a chat sees them: tables that are ended, and announced maintenance."""

import pytest

from services.engine.service.administration import Operator
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import deal
from tests.waiting import until

BY = Operator("127.0.0.1", "1")


async def table_of(harness: BotHarness) -> str:
    assert harness.context is not None
    chat_tables = harness.context.repositories.chat_tables
    [chat_table] = await chat_tables.all()
    assert chat_table.engine is not None
    return chat_table.engine


@pytest.mark.parametrize("act", ["close", "remove"])
async def test_a_table_that_the_operator_ends_is_closed_in_group_and_hands(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, act: str
) -> None:
    await deal([anna, bruno], group)
    await getattr(harness.administered.tables, act)(await table_of(harness), BY)
    await group.sees("Il tavolo è chiuso")
    await group.until(lambda place: place.shows(button="La mia mano") is None)
    for person in (anna, bruno):
        await person.private.sees("è stato chiuso")

    async def deleted() -> bool:
        return await Repositories(harness.redis).chat_tables.refs() == []

    await until(deleted)


async def test_maintenance_is_said_once_in_each_chat_with_a_table_in_its_language(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    administration = harness.administered.administration
    await administration.announce(20, 30, "Disco nuovo.", BY)
    announcements = harness.announcements()
    for _ in range(2):
        await announcements.look()
    await harness.settle()
    said = "🔧 Manutenzione tra 20 minuti: le partite possono fermarsi, poi continuano. Disco nuovo."
    await group.sees(said)
    assert [message.text for message in group.messages].count(said) == 1

    await administration.end_maintenance(BY)
    await announcements.look()
    await administration.announce(0, None, "", BY)
    await announcements.look()
    await group.sees("🔧 Manutenzione in corso")
