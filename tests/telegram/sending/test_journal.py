"""What the journal keeps of deliveries that are done: nothing that would have its effect twice."""

from services.telegram.records import LobbySlot
from services.telegram.screens.screen import Screen
from services.telegram.sending.journal import Journal
from services.telegram.sending.messages import Address, MessageQueue, Priority
from tests.telegram.fakes import FakeDeliveryStore


async def test_what_was_sent_is_deleted_at_once_where_a_restart_would_send_it_again_and_else_when_tidied() -> None:
    store, queue = FakeDeliveryStore(), MessageQueue()
    journal = Journal(store, queue)
    news = queue.add(Address(11), Screen("the rules"), Priority.NEWS)
    lobby = queue.for_slot(LobbySlot("Ab3-Ef_8"), Address(-5), Screen("the lobby"), Priority.TABLE, None)
    await journal.save()
    assert len(store.deliveries) == 2
    news.shown, lobby.shown = news.screen, lobby.screen
    await journal.save()
    assert list(store.deliveries) == ["slot Ab3-Ef_8 lobby"]
    await journal.save(tidy=True)
    assert not store.deliveries
