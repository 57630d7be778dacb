"""What the journal keeps of deliveries that are done, and of those that could not be stored."""

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.records import LobbySlot, StoredMessage
from services.telegram.screens.screen import Screen
from services.telegram.sending.journal import Journal
from services.telegram.sending.messages import Address, MessageQueue, OutgoingMessage, Priority
from tests.telegram.fakes import FakeDeliveryStore


async def journal_with_a_lobby() -> tuple[FakeDeliveryStore, Journal, OutgoingMessage]:
    store, queue = FakeDeliveryStore(), MessageQueue()
    journal, slot = Journal(store, queue), LobbySlot("Ab3-Ef_8")
    await journal.restore()
    lobby = queue.for_slot(slot, Address(-5), Screen("one seat is taken"), Priority.TABLE)
    lobby.kept = True
    await journal.save()
    return store, journal, lobby


async def test_what_was_sent_is_deleted_and_a_table_that_a_start_draws_again_is_not_stored() -> None:
    store, queue = FakeDeliveryStore(), MessageQueue()
    journal = Journal(store, queue)
    await journal.restore()
    news = queue.add(Address(11), Screen("the rules"), Priority.NEWS)
    queue.for_slot(LobbySlot("Ab3-Ef_8"), Address(-5), Screen("the lobby"), Priority.TABLE)
    await journal.save()
    assert [each.text for each in store.deliveries.values() if isinstance(each, StoredMessage)] == ["the rules"]
    news.message_id, news.shown = 7, news.screen
    await journal.save()
    assert not store.deliveries


async def test_what_is_left_of_a_table_that_no_start_draws_is_stored() -> None:
    store, queue = FakeDeliveryStore(), MessageQueue()
    journal = Journal(store, queue)
    await journal.restore()
    queue.for_slot(LobbySlot("Ab3-Ef_8"), Address(-5), Screen("the lobby"), Priority.TABLE)
    queue.for_slot(LobbySlot("Zb3-Ef_8"), Address(-5), Screen("another"), Priority.TABLE)
    queue.keep_table("Ab3-Ef_8")
    await journal.save()
    assert list(store.deliveries) == ["slot Ab3-Ef_8 lobby"]


async def test_what_could_not_be_stored_is_stored_as_soon_as_the_store_is_back() -> None:
    store, journal, lobby = await journal_with_a_lobby()
    lobby.change(Screen("two seats are taken"))
    store.away = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    store.away = False
    await journal.save()
    (stored,) = store.deliveries.values()
    assert isinstance(stored, StoredMessage)
    assert stored.text == "two seats are taken"
