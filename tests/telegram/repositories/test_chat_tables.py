"""Repositories of tables, seats and messages."""

import time

from msgspec import structs

from services.telegram.records import ShownMessage
from services.telegram.repositories import keys
from services.telegram.repositories.chat_tables import new_ref
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, BRUNO, CHAT_TABLE, GROUP, LOBBY_SLOT


async def test_each_table_of_a_chat_or_topic_gets_the_first_free_letter(repositories: Repositories) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    assert await repositories.chat_tables.free_letter(GROUP, None) == "B"
    assert await repositories.chat_tables.free_letter(GROUP, 7) == "A"
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, over=True))
    assert await repositories.chat_tables.free_letter(GROUP, None) == "A"


async def test_a_deleted_table_is_deleted_everywhere(repositories: Repositories) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.seats.save(CHAT_TABLE.ref, ANNA, "token")
    await repositories.messages.record_id(LOBBY_SLOT, 7)
    await repositories.chat_tables.delete(CHAT_TABLE)
    assert await repositories.chat_tables.find(CHAT_TABLE.ref) is None
    assert await repositories.chat_tables.in_chat(GROUP) == await repositories.chat_tables.refs() == []
    assert await repositories.seats.tables_of(ANNA) == []
    assert await repositories.seats.tokens(CHAT_TABLE.ref) == {}
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {}


async def test_idle_tables_are_found(repositories: Repositories) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    assert await repositories.chat_tables.refs(idle_since=time.time() - 60) == []
    assert await repositories.chat_tables.refs(idle_since=time.time() + 60) == [CHAT_TABLE.ref]


def test_a_new_reference_has_8_characters() -> None:
    assert all(len(new_ref()) == 8 for _ in range(20))


async def test_a_seat_belongs_to_a_person_and_a_table(repositories: Repositories) -> None:
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.seats.save(CHAT_TABLE.ref, ANNA, "token")
    assert await repositories.seats.token(CHAT_TABLE.ref, ANNA) == "token"
    assert await repositories.seats.token(CHAT_TABLE.ref, BRUNO) is None
    assert await repositories.seats.tables_of(ANNA) == [CHAT_TABLE.ref]
    await repositories.seats.forget(CHAT_TABLE.ref, ANNA)
    assert await repositories.seats.tokens(CHAT_TABLE.ref) == {}
    assert await repositories.seats.tables_of(ANNA) == []


async def test_selected_cards_are_for_one_version_of_the_table_and_one_person(
    repositories: Repositories,
) -> None:
    await repositories.seats.select(CHAT_TABLE.ref, ANNA, 17, frozenset({2, 5}))
    assert await repositories.seats.selected(CHAT_TABLE.ref, ANNA, 17) == {2, 5}
    assert await repositories.seats.selected(CHAT_TABLE.ref, ANNA, 18) == frozenset()
    assert await repositories.seats.selected(CHAT_TABLE.ref, BRUNO, 17) == frozenset()
    await repositories.seats.forget(CHAT_TABLE.ref, ANNA)
    assert await repositories.seats.selected(CHAT_TABLE.ref, ANNA, 17) == frozenset()


async def test_a_message_is_stored_only_while_its_table_exists(repositories: Repositories) -> None:
    await repositories.messages.record(LOBBY_SLOT, ShownMessage(7))
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {}
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.messages.record(LOBBY_SLOT, ShownMessage(8))
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {LOBBY_SLOT: 8}


async def test_a_second_nudge_at_once_is_not_allowed(repositories: Repositories) -> None:
    assert await repositories.messages.may_nudge(CHAT_TABLE.ref, "update-1", 7)
    assert not await repositories.messages.may_nudge(CHAT_TABLE.ref, "update-2", 7)
    assert await repositories.messages.may_nudge(CHAT_TABLE.ref, "update-1", 7)  # twice, as after a kill


async def test_as_long_as_a_table_stays_as_it_is_three_nudge(repositories: Repositories) -> None:
    for number in range(4):
        for _ in range(2):  # twice, as after a kill
            assert await repositories.messages.may_nudge(CHAT_TABLE.ref, f"update-{number}", 7) == (number < 3)
        await repositories.redis.delete(keys.nudged(CHAT_TABLE.ref))
    assert await repositories.messages.may_nudge(CHAT_TABLE.ref, "update-4", 8)
