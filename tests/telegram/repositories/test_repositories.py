"""Migration of groups, deletion of a person's data, and concurrent use of one client."""

import asyncio

import pytest
from msgspec import structs
from telegram import User

from services.telegram.evenings.evening import Evening, EveningPlan
from services.telegram.handlers.context import remember_person
from services.telegram.play.dates import WeeklyTime
from services.telegram.records import EveningSlot, ShownMessage
from services.telegram.repositories import personal_data
from services.telegram.repositories.departures import migrate
from services.telegram.repositories.outbox_store import OutboxStore
from services.telegram.repositories.repositories import Repositories
from tests.telegram.samples import ANNA, CHAT_TABLE, GROUP, HAND_SLOT, TABLE_SLOT

SUPERGROUP = -1001500
DAYS = ("20261203", "20261210")


async def test_a_migration_moves_a_groups_settings_tables_and_hands(repositories: Repositories) -> None:
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, thread=3))
    await repositories.messages.record_id(TABLE_SLOT, 7)
    await repositories.messages.record_id(HAND_SLOT, 8)
    await migrate(repositories, GROUP, SUPERGROUP)
    assert await repositories.chats.current_id(GROUP) == SUPERGROUP
    assert (await repositories.chats.chat(SUPERGROUP)).title == "Amici"
    assert await repositories.chat_tables.in_chat(SUPERGROUP) == [CHAT_TABLE.ref]
    assert await repositories.chat_tables.in_chat(GROUP) == []
    chat_table = await repositories.chat_tables.find(CHAT_TABLE.ref)
    assert chat_table is not None
    assert (chat_table.chat, chat_table.thread) == (SUPERGROUP, None)
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {TABLE_SLOT: 0, HAND_SLOT: 8}


async def test_all_messages_of_evenings_are_known_so_that_a_lost_invitation_is_not_taken_for_an_older_one(
    repositories: Repositories,
) -> None:
    first, second = (Evening(f"Abcdef-8{day}", GROUP, None, "gatto_rosso", "UTC", 1.0, 2.0) for day in DAYS)
    await repositories.evenings.save_plan(
        GROUP, EveningPlan("Abcdef-8", None, "gatto_rosso", WeeklyTime(3, 1260), "UTC", weekly=True, since=0.0, seen=3)
    )
    store = OutboxStore(repositories)
    await repositories.evenings.announce(first)
    await repositories.messages.record(EveningSlot(first.ref), ShownMessage(7))
    await repositories.evenings.announce(second)
    assert [message.id for _, message in await store.shown_messages()] == [3, 7]
    await repositories.evenings.close(first)
    assert [message.id for _, message in await store.shown_messages()] == [7]


async def test_a_migration_moves_the_leaderboard_from_which_a_person_can_still_be_removed(
    repositories: Repositories,
) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0})
    await migrate(repositories, GROUP, SUPERGROUP)
    assert [standing.wins for standing in await repositories.leaderboards.standings(SUPERGROUP, "gatto_rosso")] == [1]
    assert await repositories.leaderboards.standings(GROUP, "gatto_rosso") == []
    await repositories.leaderboards.hide(ANNA)
    assert await repositories.leaderboards.standings(SUPERGROUP, "gatto_rosso") == []


@pytest.mark.parametrize(
    "part",
    ["messages.forget_ids", "chat_tables.save", "chats.forget", "leaderboards.forget", "chat_tables.forget_chat"],
)
async def test_a_migration_cut_short_is_resumed(
    repositories: Repositories, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.messages.record_id(TABLE_SLOT, 7)
    subject, act = part.split(".")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(repositories, subject), act, _killed)
        with pytest.raises(RuntimeError):
            await migrate(repositories, GROUP, SUPERGROUP)
    assert not await _has_moved(repositories)

    await migrate(repositories, GROUP, SUPERGROUP)

    assert await _has_moved(repositories)
    assert (await repositories.chats.chat(SUPERGROUP)).title == "Amici"
    assert await repositories.chat_tables.in_chat(SUPERGROUP) == [CHAT_TABLE.ref]
    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {TABLE_SLOT: 0}


async def test_a_supergroup_that_is_said_to_have_moved_to_itself_loses_nothing(repositories: Repositories) -> None:
    await repositories.chats.remember(SUPERGROUP, "Amici", "", "it")
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, chat=SUPERGROUP))
    await migrate(repositories, SUPERGROUP, SUPERGROUP)
    assert (await repositories.chats.chat(SUPERGROUP)).language == "it"
    assert await repositories.chat_tables.in_chat(SUPERGROUP) == [CHAT_TABLE.ref]


async def test_a_second_migration_leaves_messages_sent_after_the_first(repositories: Repositories) -> None:
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, chat=SUPERGROUP))
    await repositories.messages.record_id(TABLE_SLOT, 9)
    await repositories.chat_tables.save(CHAT_TABLE)
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, chat=SUPERGROUP))

    await migrate(repositories, GROUP, SUPERGROUP)

    assert await repositories.messages.by_slot(CHAT_TABLE.ref) == {TABLE_SLOT: 9}
    assert await _has_moved(repositories)


async def test_a_resumed_migration_leaves_settings_changed_after_the_move(
    repositories: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    await repositories.chats.remember(GROUP, "Amici", "", "it")
    await repositories.chat_tables.save(CHAT_TABLE)
    with monkeypatch.context() as patch:
        patch.setattr(repositories.messages, "forget_ids", _killed)
        with pytest.raises(RuntimeError):
            await migrate(repositories, GROUP, SUPERGROUP)
    await repositories.chats.update_settings(SUPERGROUP, language="en")

    await migrate(repositories, GROUP, SUPERGROUP)

    assert (await repositories.chats.chat(SUPERGROUP)).language == "en"


async def _killed(*_: object) -> None:
    raise RuntimeError("killed")


async def test_nothing_is_stored_of_a_forgotten_person(repositories: Repositories) -> None:
    await repositories.people.remember(ANNA, "Anna", "it")
    await repositories.seats.save(CHAT_TABLE.ref, ANNA, "token")
    await repositories.leaderboards.count(CHAT_TABLE, 1, {ANNA: 0})
    await personal_data.forget(repositories, ANNA)
    assert await repositories.people.person(ANNA) is None
    assert await repositories.seats.tables_of(ANNA) == []
    assert await repositories.leaderboards.standings(GROUP, "gatto_rosso") == []


async def test_a_new_client_serves_many_calls_at_once(repositories: Repositories) -> None:
    people = await asyncio.gather(*(repositories.people.remember(user, "Anna", "it") for user in range(50)))
    assert [person.user for person in people] == list(range(50))


@pytest.mark.parametrize(("called", "name"), [("\u202eAn\u2060na", "Anna"), ("\u3164", "?"), ("\ud800Anna", "Anna")])
async def test_a_person_is_remembered_by_a_name_that_all_can_see(
    repositories: Repositories, called: str, name: str
) -> None:
    user = User(ANNA, called, is_bot=False)
    assert (await remember_person(repositories.people, user, private=True)).name == name
    person = await repositories.people.person(ANNA)
    assert person
    assert person.name == name


async def _has_moved(repositories: Repositories) -> bool:
    """Return whether the group's data and all its tables have moved to the supergroup."""
    moved = await repositories.chats.current_id(GROUP) == SUPERGROUP
    return moved and not await repositories.chat_tables.in_chat(GROUP)
