"""The journal of deliveries: finished ones, and ones that could not be stored."""

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.records import ShownMessage, StoredDeletion, StoredMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.journal import Journal
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, Priority
from tests.telegram.fakes import FakeStore


def answer(text: str = "the rules") -> Message:
    return Message(to=Address(11), wanted=Wanted(Screen(text)), priority=Priority.ANSWER)


async def opened(store: FakeStore) -> Journal:
    journal = Journal(store, SentIds())
    await journal.restore()
    return journal


async def test_what_was_sent_is_deleted() -> None:
    store = FakeStore()
    journal, message = await opened(store), answer()
    journal.note(message)
    await journal.save()
    assert [delivery.text for delivery in store.deliveries.values() if isinstance(delivery, StoredMessage)] == [
        "the rules"
    ]
    message.sent(7, message.wanted)
    journal.note(message)
    await journal.save()
    assert not store.deliveries


async def test_however_much_waits_only_what_has_changed_is_written() -> None:
    store = FakeStore()
    journal = await opened(store)
    for number in range(100):
        journal.note(answer(str(number)))
    await journal.save()
    written = store.written
    journal.note(answer("one more"))
    await journal.save()
    await journal.save()
    assert store.written - written == 1
    assert len(store.deliveries) == 101


async def test_what_could_not_be_stored_is_stored_as_soon_as_the_store_is_back() -> None:
    store = FakeStore()
    journal = await opened(store)
    journal.note(answer())
    store.away = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    store.away = False
    await journal.save()
    assert len(store.deliveries) == 1


async def test_what_was_stored_without_an_answer_is_stored_no_longer_once_it_is_done() -> None:
    store = FakeStore()
    journal = await opened(store)
    journal.note_deletion(11, 7, done=False)
    store.mute = True
    with pytest.raises(RedisConnectionError):
        await journal.save()
    assert set(store.deliveries) == {"delete 11 7"}
    journal.note_deletion(11, 7, done=True)
    store.mute = False
    await journal.save()
    assert not store.deliveries


async def test_what_was_stored_is_delivered_and_what_release_0_1_stored_of_a_table_is_left_to_the_tables_drawing() -> (
    None
):
    stored = StoredMessage(chat=11, text="the rules", priority=2, since=1.5)
    table = StoredMessage(chat=-5, text="the lobby", priority=3, since=1.5, ref="Ab3-Ef_8")
    store = FakeStore(deliveries={"send a": stored, "slot b": table, "delete 11 7": StoredDeletion(11, 7)})
    journal = Journal(store, SentIds())
    _, messages, deletions = await journal.restore()
    assert [(message.to.chat, message.record) for message in messages] == [(11, ShownMessage())]
    assert deletions == [StoredDeletion(11, 7)]
    journal.note(messages[0])
    journal.note_deletion(11, 7, done=False)
    await journal.save()
    assert set(store.deliveries) == {"send a", "delete 11 7"}


async def test_the_newest_message_that_no_table_knows_is_stored_so_that_a_start_looks_for_lost_ones_after_it() -> None:
    store, before, after = FakeStore(), SentIds(), SentIds()
    journal = Journal(store, before)
    await journal.restore()
    before.see_loose(11, 70)
    before.add(12, 71)  # the id of a hand is in its own record
    await journal.save()
    assert store.newest_ids == {0: 70}
    await Journal(store, after).restore()
    assert after.newest(13) == 70
