"""The queue of outgoing messages, and the choice of the one to deliver next."""

import pytest

from services.telegram.records import NO_ID, DealEndSlot, LobbySlot, MatchEndSlot, ShownMessage
from services.telegram.screens.screen import Screen
from services.telegram.sending.messages import (
    Address,
    MessageQueue,
    MessageSlot,
    OutgoingMessage,
    Priority,
    Slot,
    choose_next,
)
from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from tests.telegram.samples import ANNA, BRUNO, GROUP, HAND_SLOT, REF, TABLE_SLOT

SUPERGROUP = -1001


def put(queue: MessageQueue, slot: Slot = TABLE_SLOT, chat: int = GROUP, message: int | None = None) -> OutgoingMessage:
    return queue.for_slot(slot, Address(chat), Screen("table"), Priority.TABLE, ShownMessage(message))


def deliver(message: OutgoingMessage, message_id: int = 7) -> None:
    message.message_id, message.shown = message_id, message.screen


def test_a_slot_has_one_message_and_the_id_counts_for_a_new_one_only() -> None:
    queue = MessageQueue()
    message = put(queue, message=7)
    assert put(queue, message=8) is message
    assert message.message_id == 7


@pytest.mark.parametrize("slot", [DealEndSlot(REF, 1, 1), MatchEndSlot(REF, 1)])
def test_an_end_that_was_sent_under_an_unknown_id_is_not_sent_again_and_a_table_is(slot: Slot) -> None:
    queue = MessageQueue()
    put(queue, slot, message=NO_ID)
    table = put(queue, message=NO_ID)
    assert list(queue.pending()) == [table]
    assert table.is_new


def test_an_end_whose_id_a_button_press_tells_is_edited() -> None:
    queue = MessageQueue()
    end = put(queue, MatchEndSlot(REF, 1), message=NO_ID)
    queue.adopt(MatchEndSlot(REF, 1), GROUP, 9)
    assert list(queue.pending()) == [end]
    assert not end.is_new


def test_a_delivered_message_is_not_pending_until_it_changes() -> None:
    queue = MessageQueue()
    message = put(queue)
    deliver(message)
    assert list(queue.pending()) == []
    message.change(Screen("another"))
    assert list(queue.pending()) == [message]


def test_one_message_at_a_time_is_delivered_to_a_chat() -> None:
    queue = MessageQueue()
    queue.add(Address(GROUP), Screen("first"), Priority.NEWS)
    queue.add(Address(ANNA), Screen("to Anna"), Priority.NEWS)
    queue.busy_chats.add(GROUP)
    assert [message.screen.text for message in queue.deliverable()] == ["to Anna"]
    assert len(list(queue.pending())) == 2


def test_a_slot_adopts_a_newer_message_and_no_older_one() -> None:
    queue = MessageQueue()
    message = put(queue, message=7)
    queue.adopt(TABLE_SLOT, GROUP, 9)
    queue.adopt(TABLE_SLOT, GROUP, 8)
    assert message.message_id == 9


def test_a_slot_with_a_pending_replacement_adopts_no_message() -> None:
    queue = MessageQueue()
    message = put(queue, message=7)
    message.ring = "1.1@7"
    queue.adopt(TABLE_SLOT, GROUP, 9)
    assert message.message_id == 7


def test_in_a_supergroup_pending_messages_are_new_and_delivered_ones_are_dropped() -> None:
    queue = MessageQueue()
    delivered, waiting = put(queue, LobbySlot("one")), put(queue, message=7)
    deliver(delivered)
    queue.changed.clear()
    queue.move_chat(GROUP, SUPERGROUP)
    assert [(message.to.chat, message.is_new) for message in queue.pending()] == [(SUPERGROUP, True)]
    assert put(queue, chat=SUPERGROUP) is waiting
    assert put(queue, LobbySlot("one"), SUPERGROUP) is not delivered
    assert queue.changed.is_set()


def test_an_end_that_the_group_has_read_is_not_sent_again_in_its_supergroup() -> None:
    queue = MessageQueue()
    put(queue, DealEndSlot(REF, 1, 1), message=7)
    unsent = put(queue, DealEndSlot(REF, 1, 2))
    queue.move_chat(GROUP, SUPERGROUP)
    assert list(queue.pending()) == [unsent]


def test_a_forgotten_table_keeps_its_pending_messages() -> None:
    queue = MessageQueue()
    delivered, waiting = put(queue), put(queue, HAND_SLOT, ANNA)
    deliver(delivered)
    queue.forget_table(TABLE_SLOT.ref)
    assert put(queue) is not delivered
    assert put(queue, HAND_SLOT, ANNA) is waiting


def test_removing_delivered_messages_keeps_slots_of_tables_and_pending_messages() -> None:
    queue = MessageQueue()
    of_table, of_none, waiting = put(queue), put(queue, MessageSlot(7)), put(queue, MessageSlot(8))
    deliver(of_table)
    deliver(of_none)
    queue.remove_delivered()
    assert put(queue) is of_table
    assert put(queue, MessageSlot(7)) is not of_none
    assert put(queue, MessageSlot(8)) is waiting


NOW = 1000.0


def outgoing(
    chat: int = GROUP, priority: Priority = Priority.NEWS, *, sequence: int = 1, message_id: int | None = None
) -> OutgoingMessage:
    return OutgoingMessage(
        to=Address(chat), screen=Screen("news"), priority=priority, sequence=sequence, message_id=message_id
    )


@pytest.fixture
def limiter() -> RateLimiter:
    return RateLimiter(RateLimits())


def spent(limiter: RateLimiter, chat: int, messages: int) -> None:
    for _ in range(messages):
        limiter.count_message(chat, NOW)


def test_an_empty_queue_gives_no_message_and_no_time(limiter: RateLimiter) -> None:
    assert choose_next([], limiter, NOW) is None


def test_the_highest_priority_is_first_whatever_the_sequence(limiter: RateLimiter) -> None:
    ping, table, news, hand = (outgoing(priority=each, sequence=-each) for each in reversed(Priority))
    assert choose_next([ping, table, news, hand], limiter, NOW) is hand
    assert choose_next([ping, table, news], limiter, NOW) is news
    assert choose_next([ping, table], limiter, NOW) is table


def test_of_two_with_one_priority_the_lower_sequence_is_first(limiter: RateLimiter) -> None:
    later, earlier = outgoing(sequence=2), outgoing(BRUNO, sequence=1)
    assert choose_next([later, earlier], limiter, NOW) is earlier


def test_a_lower_priority_goes_while_the_chat_of_a_higher_one_is_paused(limiter: RateLimiter) -> None:
    limiter.pause(ANNA, NOW + 30)
    hand, ping = outgoing(ANNA, Priority.HAND), outgoing(GROUP, Priority.PING)
    assert choose_next([hand, ping], limiter, NOW) is ping


def test_with_all_chats_paused_the_result_is_the_earliest_time(limiter: RateLimiter) -> None:
    limiter.pause(ANNA, NOW + 30)
    limiter.pause(BRUNO, NOW + 20)
    assert choose_next([outgoing(ANNA), outgoing(BRUNO)], limiter, NOW) == NOW + 20


def test_a_message_is_not_sent_before_its_time(limiter: RateLimiter) -> None:
    early = outgoing()
    early.not_before = NOW + 3
    assert choose_next([early], limiter, NOW) == NOW + 3
    assert choose_next([early], limiter, NOW + 3) is early


def test_a_ready_message_waits_for_the_limit_of_all_chats_together(limiter: RateLimiter) -> None:
    for _ in range(30):
        limiter.begin_call()
        limiter.end_call(NOW)
    ready = outgoing()
    assert choose_next([ready], limiter, NOW + 0.5) == NOW + 1
    assert choose_next([ready], limiter, NOW + 1) is ready


def test_a_repeated_drawing_of_the_table_leaves_the_groups_reserve(limiter: RateLimiter) -> None:
    for seconds in range(0, 60, 4):
        limiter.count_message(GROUP, NOW + seconds, drawing=True)
    later = NOW + 57
    drawing, first_drawing = outgoing(priority=Priority.TABLE, message_id=7), outgoing(priority=Priority.TABLE)
    assert choose_next([drawing], limiter, later) == NOW + 60
    assert choose_next([drawing, first_drawing], limiter, later) is first_drawing
    assert choose_next([drawing, news := outgoing()], limiter, later) is news


def test_of_two_tables_in_a_group_each_is_drawn_in_its_turn(limiter: RateLimiter) -> None:
    one = outgoing(priority=Priority.TABLE, message_id=7)
    other = outgoing(priority=Priority.TABLE, message_id=8, sequence=2)
    limiter.count_message(GROUP, NOW, drawing=True)
    assert choose_next([one, other], limiter, NOW) == NOW + 4
    assert choose_next([one, other], limiter, NOW + 4) is one
    limiter.count_message(GROUP, NOW + 4, drawing=True)
    one.sequence = 3
    assert choose_next([one, other], limiter, NOW + 8) is other
