"""The next step of a message, from its wanted content and its known state."""

import pytest

from services.telegram.records import NO_ID, DealEndSlot, MatchEndSlot, ShownMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.messages import (
    Address,
    Message,
    Priority,
    Slot,
    Step,
)
from tests.telegram.samples import GROUP, HAND_SLOT, REF, TABLE_SLOT

SUPERGROUP = -1001


def message(
    chat: int = GROUP,
    priority: Priority = Priority.ANSWER,
    *,
    slot: Slot | None = TABLE_SLOT,
    record: ShownMessage | None = None,
    wanted: Wanted | None = None,
) -> Message:
    return Message(
        to=Address(chat),
        wanted=wanted or Wanted(Screen("news")),
        priority=priority,
        slot=slot,
        record=record or ShownMessage(),
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
    for shown in (table, end):
        shown.move(Address(SUPERGROUP))
    assert (table.to.chat, table.step, end.step) == (SUPERGROUP, Step.SEND, None)
