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
    lobby = queue.for_slot(slot, Address(-5), Screen("one seat is taken"), Priority.TABLE, None)
    await journal.save()
    return store, journal, lobby


async def test_what_was_sent_is_deleted_at_once_where_a_restart_would_send_it_again_and_else_when_tidied() -> None:
    store, queue = FakeDeliveryStore(), MessageQueue()
    journal = Journal(store, queue)
    await journal.restore()
    news = queue.add(Address(11), Screen("the rules"), Priority.NEWS)
    lobby = queue.for_slot(LobbySlot("Ab3-Ef_8"), Address(-5), Screen("the lobby"), Priority.TABLE, None)
    await journal.save()
    assert len(store.deliveries) == 2
    news.shown, lobby.shown = news.screen, lobby.screen
    await journal.save()
    assert list(store.deliveries) == ["slot Ab3-Ef_8 lobby"]
    await journal.save(tidy=True)
    assert not store.deliveries


async def test_a_screen_that_was_delivered_is_not_left_where_a_newer_one_has_followed() -> None:
    store, journal, lobby = await journal_with_a_lobby()
    lobby.shown = lobby.screen
    lobby.change(Screen("two seats are taken"), replace=False, create=True)
    lobby.shown = lobby.screen  # delivered before it could be stored
    await journal.save()
    assert not store.deliveries


async def test_what_could_not_be_stored_is_stored_as_soon_as_the_store_is_back() -> None:
    store, journal, lobby = await journal_with_a_lobby()
    lobby.change(Screen("two seats are taken"), replace=False, create=True)
    store.away = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    store.away = False
    await journal.save()
    (stored,) = store.deliveries.values()
    assert isinstance(stored, StoredMessage)
    assert stored.text == "two seats are taken"
