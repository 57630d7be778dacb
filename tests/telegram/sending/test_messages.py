"""Messages: the next step of each, and the choice of the one to deliver next."""

import pytest

from services.telegram.records import NO_ID, DealEndSlot, MatchEndSlot, ShownMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.messages import (
    Address,
    Message,
    Messages,
    MessageSlot,
    Priority,
    Slot,
    Step,
    choose_next,
)
from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from tests.telegram.samples import ANNA, BRUNO, GROUP, HAND_SLOT, REF, TABLE_SLOT

SUPERGROUP = -1001
NOW = 1000.0


def message(
    chat: int = GROUP,
    priority: Priority = Priority.NEWS,
    *,
    slot: Slot | None = TABLE_SLOT,
    record: ShownMessage | None = None,
    wanted: Wanted | None = None,
    waits_since: float = NOW,
) -> Message:
    return Message(
        to=Address(chat),
        wanted=wanted or Wanted(Screen("news")),
        priority=priority,
        slot=slot,
        record=record or ShownMessage(),
        waits_since=waits_since,
    )


def test_a_message_is_sent_then_recorded_and_edited_when_it_is_to_show_something_else() -> None:
    table, steps = message(), list[Step | None]()
    steps.append(table.step)
    table.sent(7, table.wanted)
    steps.append(table.step)
    table.recorded = True
    steps.append(table.step)
    table.want(Wanted(Screen("later")), table.to)
    assert [*steps, table.step] == [Step.SEND, Step.RECORD, None, Step.EDIT]


def test_a_new_reason_to_notify_is_a_new_message_and_the_one_before_is_to_be_deleted() -> None:
    hand = message(slot=HAND_SLOT, record=ShownMessage(7, "1.1@3"), wanted=Wanted(Screen("mine"), "1.1@9"))
    assert hand.step is Step.SEND
    hand.sent(9, hand.wanted)
    assert hand.record == ShownMessage(9, "1.1@9", replaced=(7,))


def test_what_may_have_been_sent_is_looked_for_before_anything_else_is_done() -> None:
    assert message(record=ShownMessage(begun=6)).step is Step.FIND


@pytest.mark.parametrize("slot", [DealEndSlot(REF, 1, 1), MatchEndSlot(REF, 1)])
def test_an_end_that_was_sent_under_an_unknown_id_is_not_sent_again_and_a_table_is(slot: Slot) -> None:
    assert message(slot=slot, record=ShownMessage(NO_ID)).step is None
    assert message(record=ShownMessage(NO_ID)).step is Step.SEND


def test_a_message_that_is_only_to_be_edited_is_not_sent() -> None:
    assert message(wanted=Wanted(Screen("old"), create=False)).step is None


def test_a_photo_cannot_be_taken_away_so_a_new_message_is_sent() -> None:
    hand = message(slot=HAND_SLOT, record=ShownMessage(7))
    hand.edited(Screen("mine", photo=(("7h",),)))
    hand.want(Wanted(Screen("mine")), hand.to)
    assert hand.step is Step.SEND


def test_in_a_supergroup_what_was_sent_is_new_and_an_end_that_was_read_is_not_sent_again() -> None:
    table, end = message(record=ShownMessage(7)), message(slot=DealEndSlot(REF, 1, 1), record=ShownMessage(7))
    for each in (table, end):
        each.move(Address(SUPERGROUP))
    assert (table.to.chat, table.step, end.step) == (SUPERGROUP, Step.SEND, None)


def test_what_is_done_is_forgotten_but_of_tables() -> None:
    messages = Messages()
    of_table, of_none, waiting = message(), message(slot=MessageSlot(GROUP, 7)), message(slot=MessageSlot(GROUP, 8))
    for each in (of_table, of_none, waiting):
        messages.add(each)
        messages.touch(each, NOW)
    for each in (of_table, of_none):
        each.sent(7, each.wanted)
        each.recorded = True
    assert messages.pending() == [waiting]
    assert messages.find(TABLE_SLOT) is of_table
    assert messages.find(MessageSlot(GROUP, 7)) is None


# --- the choice of the next one


@pytest.fixture
def limiter() -> RateLimiter:
    return RateLimiter(RateLimits())


def test_without_messages_there_is_nothing_to_do(limiter: RateLimiter) -> None:
    assert choose_next([], limiter, NOW) is None


def test_the_highest_priority_is_first(limiter: RateLimiter) -> None:
    ping, table, news, hand = (message(priority=each) for each in reversed(Priority))
    assert choose_next([ping, table, news, hand], limiter, NOW) is hand
    assert choose_next([ping, table, news], limiter, NOW) is news
    assert choose_next([ping, table], limiter, NOW) is table


def test_of_two_with_one_priority_the_one_that_has_waited_longer_is_first(limiter: RateLimiter) -> None:
    later, earlier = message(waits_since=NOW - 1), message(BRUNO, waits_since=NOW - 2)
    assert choose_next([later, earlier], limiter, NOW) is earlier


def test_a_table_that_has_waited_for_twenty_seconds_goes_before_a_new_hand(limiter: RateLimiter) -> None:
    table, hand = message(priority=Priority.TABLE), message(ANNA, Priority.HAND, waits_since=NOW + 20)
    assert choose_next([table, hand], limiter, NOW + 20) is table


def test_a_lower_priority_goes_while_the_chat_of_a_higher_one_is_paused(limiter: RateLimiter) -> None:
    limiter.pause(ANNA, NOW + 30)
    hand, ping = message(ANNA, Priority.HAND), message(GROUP, Priority.PING)
    assert choose_next([hand, ping], limiter, NOW) is ping


def test_with_all_chats_paused_the_result_is_the_earliest_time(limiter: RateLimiter) -> None:
    limiter.pause(ANNA, NOW + 30)
    limiter.pause(BRUNO, NOW + 20)
    assert choose_next([message(ANNA), message(BRUNO)], limiter, NOW) == NOW + 20


def test_a_message_is_not_sent_before_its_time(limiter: RateLimiter) -> None:
    early = message()
    early.not_before = NOW + 3
    assert choose_next([early], limiter, NOW) == NOW + 3
    assert choose_next([early], limiter, NOW + 3) is early


def test_a_ready_message_waits_for_the_limit_of_all_chats_together(limiter: RateLimiter) -> None:
    for _ in range(30):
        limiter.begin_call()
        limiter.end_call(NOW)
    ready = message()
    assert choose_next([ready], limiter, NOW + 0.5) == NOW + 1
    assert choose_next([ready], limiter, NOW + 1) is ready


def test_a_repeated_drawing_of_the_table_leaves_the_groups_reserve(limiter: RateLimiter) -> None:
    for seconds in range(0, 60, 4):
        limiter.count_message(GROUP, NOW + seconds, drawing=True)
    later, record = NOW + 57, ShownMessage(7)
    drawing, first = message(priority=Priority.TABLE, record=record), message(priority=Priority.TABLE)
    assert choose_next([drawing], limiter, later) == NOW + 60
    assert choose_next([drawing, first], limiter, later) is first
    assert choose_next([drawing, news := message()], limiter, later) is news


def test_of_two_tables_in_a_group_each_is_drawn_in_its_turn(limiter: RateLimiter) -> None:
    one = message(priority=Priority.TABLE, record=ShownMessage(7))
    other = message(priority=Priority.TABLE, record=ShownMessage(8), waits_since=NOW + 1)
    limiter.count_message(GROUP, NOW, drawing=True)
    assert choose_next([one, other], limiter, NOW) == NOW + 4
    assert choose_next([one, other], limiter, NOW + 4) is one
    limiter.count_message(GROUP, NOW + 4, drawing=True)
    one.waits_since = NOW + 4
    assert choose_next([one, other], limiter, NOW + 8) is other
