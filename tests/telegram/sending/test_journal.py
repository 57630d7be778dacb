"""What the journal keeps of deliveries that are done, and of those that could not be stored."""

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.records import LobbySlot, ShownMessage, StoredDeletion, StoredMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.journal import Journal
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, Messages, Priority
from tests.telegram.fakes import FakeStore


def add(messages: Messages, slot: LobbySlot | None = None) -> Message:
    message = Message(to=Address(11), wanted=Wanted(Screen("the rules")), priority=Priority.NEWS, slot=slot)
    messages.add(message)
    messages.touch(message, 0.0)
    return message


async def test_what_was_sent_is_deleted_and_a_table_which_a_start_draws_is_not_stored() -> None:
    store, messages = FakeStore(), Messages()
    journal = Journal(store, messages, SentIds())
    await journal.restore()
    news = add(messages)
    add(messages, LobbySlot("Ab3-Ef_8"))
    await journal.save()
    assert [each.text for each in store.deliveries.values() if isinstance(each, StoredMessage)] == ["the rules"]
    news.sent(7, news.wanted)
    await journal.save()
    assert not store.deliveries


async def test_what_could_not_be_stored_is_stored_as_soon_as_the_store_is_back() -> None:
    store, messages = FakeStore(), Messages()
    journal = Journal(store, messages, SentIds())
    await journal.restore()
    add(messages)
    store.away = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    store.away = False
    await journal.save()
    assert len(store.deliveries) == 1


async def test_what_was_stored_without_an_answer_is_stored_no_longer_once_it_is_done() -> None:
    store, messages = FakeStore(), Messages()
    journal = Journal(store, messages, SentIds())
    await journal.restore()
    journal.deletions.add((11, 7))
    store.mute = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    assert set(store.deliveries) == {"delete 11 7"}
    journal.deletions.clear()
    store.mute = False
    await journal.save()
    assert not store.deliveries


async def test_what_was_stored_is_delivered_and_what_release_0_1_stored_of_a_table_is_left_to_the_tables_drawing() -> (
    None
):
    stored = StoredMessage(chat=11, text="the rules", priority=2, since=1.5)
    table = StoredMessage(chat=-5, text="the lobby", priority=3, since=1.5, ref="Ab3-Ef_8")
    store = FakeStore(deliveries={"send a": stored, "slot b": table, "delete 11 7": StoredDeletion(11, 7)})
    messages = Messages()
    journal = Journal(store, messages, SentIds())
    await journal.restore()
    assert [(message.to.chat, message.record) for message in messages.pending()] == [(11, ShownMessage())]
    assert journal.deletions == {(11, 7)}
    await journal.save()
    assert set(store.deliveries) == {"send a", "delete 11 7"}


async def test_the_newest_message_that_no_table_knows_is_stored_so_that_a_start_looks_for_lost_ones_after_it() -> None:
    store, before, after = FakeStore(), SentIds(), SentIds()
    journal = Journal(store, Messages(), before)
    await journal.restore()
    before.see_loose(11, 70)
    before.add(12, 71)  # a hand, whose record tells it
    await journal.save()
    assert store.newest_ids == {0: 70}
    await Journal(store, Messages(), after).restore()
    assert after.newest(13) == 70
