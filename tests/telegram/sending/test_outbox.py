"""The outbox as a whole: edits, rate limits, priorities, replacements, and its stop."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from telegram.error import RetryAfter

from services.telegram.records import DealEndSlot, MatchEndSlot, ShownMessage, StoredMessage, TableSlot
from services.telegram.screens.screen import TEXT_LIMIT, Button, Screen, Wanted, units
from services.telegram.sending.answers import ASKER_ANSWERS, CHAT_ANSWERS
from services.telegram.sending.http_request import LostAnswerError
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox
from services.telegram.sending.rate_limits import RateLimits
from tests.telegram.fakes import FakeApi, FakeClock, FakeStore, OutboxHarness, calm
from tests.telegram.samples import ANNA, BRUNO, GROUP, HAND_SLOT, TABLE_SLOT


async def test_a_message_is_sent_once_and_then_edited(outbox_harness: OutboxHarness) -> None:
    outbox_harness.table("one")
    await calm()
    outbox_harness.table("two")
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message, call.text) for call in outbox_harness.api.sent] == [
        ("send", 101, "one"),
        ("edit", 101, "two"),
    ]
    assert outbox_harness.store.places == [(TABLE_SLOT, 101)]


async def test_a_screen_that_is_shown_is_not_sent_again(outbox_harness: OutboxHarness) -> None:
    outbox_harness.table("one")
    await calm()
    outbox_harness.table("one")
    await outbox_harness.clock.advance(5)
    assert outbox_harness.api.texts == ["one"]


DEAL_OVER = DealEndSlot(TABLE_SLOT.ref, 1, 1)


async def test_the_message_of_a_deal_is_edited_into_its_result_and_stored_as_that(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.table("one")
    await calm()
    outbox_harness.show(DEAL_OVER, Wanted(Screen("over"), takes=TABLE_SLOT))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.text) for call in outbox_harness.api.sent] == [("send", "one"), ("edit", "over")]
    assert {slot: record.id for slot, record in outbox_harness.store.records.items()} == {DEAL_OVER: 101}


async def test_a_result_for_which_phones_ring_replaces_the_message_of_its_deal(outbox_harness: OutboxHarness) -> None:
    result = MatchEndSlot(TABLE_SLOT.ref, 1)
    outbox_harness.table("one")
    await calm()
    outbox_harness.show(result, Wanted(Screen("over"), "over", takes=TABLE_SLOT))
    await outbox_harness.clock.advance(5)
    calls = [(call.kind, call.message, call.silent) for call in outbox_harness.api.sent]
    assert calls == [("send", 101, False), ("send", 102, False), ("delete", 101, False)]
    assert {slot: record.id for slot, record in outbox_harness.store.records.items()} == {result: 102}


@pytest.mark.parametrize("stored", [{TABLE_SLOT}, {TABLE_SLOT, DEAL_OVER}])
async def test_after_a_kill_in_between_the_message_of_a_deal_shows_its_result(
    outbox_harness: OutboxHarness, stored: set[TableSlot]
) -> None:
    shown = {slot: ShownMessage(7) for slot in stored}
    outbox_harness.store.records |= shown
    outbox_harness.outbox.show(Address(GROUP), {DEAL_OVER: Wanted(Screen("over"), takes=TABLE_SLOT)}, shown)
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("edit", 7)]
    assert set(outbox_harness.store.records) == {DEAL_OVER}


async def test_what_is_too_long_for_one_message_goes_on_in_another_with_the_buttons(
    outbox_harness: OutboxHarness,
) -> None:
    text = "<i>" + "\n".join(f"line {number:04}" for number in range(700)) + "</i>"
    outbox_harness.outbox.send(Address(ANNA), Screen(text))
    await outbox_harness.clock.advance(5)
    first, second = outbox_harness.api.texts
    assert all(units(part) <= TEXT_LIMIT for part in (first, second))
    assert f"{first.removesuffix('</i>')}\n{second.removeprefix('<i>')}" == text


async def test_what_was_deleted_is_not_deleted_again_after_a_restart(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("mine", ring="1")
    await calm()
    outbox_harness.hand("mine", ring="2")
    await outbox_harness.clock.advance(5)
    assert [call.message for call in outbox_harness.api.of("delete")] == [101]
    assert outbox_harness.store.records[HAND_SLOT] == ShownMessage(102, "2")


async def test_of_answers_in_a_group_only_those_ring_that_ask_something(outbox_harness: OutboxHarness) -> None:
    question = Screen("sure?", ((Button("Yes", url="https://example.org"),),))
    for screen in (Screen("done"), question):
        outbox_harness.outbox.send(Address(GROUP), screen)
        outbox_harness.outbox.send(Address(ANNA), screen)
    await outbox_harness.clock.advance(5)
    assert {(call.chat, call.text) for call in outbox_harness.api.sent if call.silent} == {(GROUP, "done")}


async def test_in_quick_play_the_group_sees_every_state_within_four_seconds_and_the_last_one(
    outbox_harness: OutboxHarness,
) -> None:
    number = 0
    for number in range(360):
        outbox_harness.table(str(number))
        if number % 30 == 29:
            outbox_harness.outbox.send(Address(GROUP), Screen("the deal is over"))
        await outbox_harness.clock.advance(0.5)
    await outbox_harness.clock.advance(4)
    drawings = [call for call in outbox_harness.api.sent if call.text.isdecimal()]
    assert max(later.at - earlier.at for earlier, later in pairwise(drawings)) <= 4
    assert drawings[-1].text == str(number)


async def test_a_chat_gets_about_one_message_a_second_after_a_burst(outbox_harness: OutboxHarness) -> None:
    for number in range(10):
        outbox_harness.outbox.send(Address(ANNA), Screen(str(number)))
    await outbox_harness.clock.advance(12)
    assert outbox_harness.api.texts == [str(number) for number in range(10)]
    assert outbox_harness.api.sent[2].at == outbox_harness.api.sent[0].at
    assert outbox_harness.api.sent[9].at - outbox_harness.api.sent[2].at >= 7


async def test_a_group_never_gets_more_than_twenty_a_minute_sends_and_edits_together(
    outbox_harness: OutboxHarness,
) -> None:
    for number in range(200):
        outbox_harness.table(str(number))
        if number % 5 == 0:
            outbox_harness.outbox.send(Address(GROUP), Screen(f"say {number}"))
        await outbox_harness.clock.advance(1)
    times = [call.at for call in outbox_harness.api.sent]
    assert all(sum(start <= time < start + 60 for time in times) <= 20 for start in times)


async def test_repeated_drawings_of_the_table_do_not_delay_other_messages(outbox_harness: OutboxHarness) -> None:
    for number in range(60):
        outbox_harness.table(str(number))
        await outbox_harness.clock.advance(1)
    before = outbox_harness.clock.now()
    outbox_harness.outbox.send(Address(GROUP), Screen("news"))
    await outbox_harness.clock.advance(2)
    assert next(call.at for call in outbox_harness.api.sent if call.text == "news") - before <= 1


async def test_all_chats_together_stay_below_thirty_a_second(outbox_harness: OutboxHarness) -> None:
    for chat in range(1, 101):
        outbox_harness.outbox.send(Address(chat), Screen("hello"))
    await outbox_harness.clock.advance(10)
    times = [call.at for call in outbox_harness.api.sent]
    assert len(times) == 100
    assert all(later - earlier >= 1 for earlier, later in zip(times, times[30:], strict=False))


async def test_answers_to_presses_take_no_messages_place(outbox_harness: OutboxHarness) -> None:
    for press in range(30):
        outbox_harness.outbox.answer(str(press), "Played.")
    outbox_harness.outbox.send(Address(ANNA), Screen("hello"))
    await calm()
    assert outbox_harness.api.texts == ["hello"]


async def test_at_the_limit_hands_go_first_then_tables_then_answers_then_pings(
    outbox_harness: OutboxHarness,
) -> None:
    for chat in range(1000, 1030):
        outbox_harness.outbox.send(Address(chat), Screen("crowd"), Priority.PLAY)
    await calm()
    outbox_harness.outbox.send(Address(1), Screen("ping"), Priority.PING)
    outbox_harness.outbox.send(Address(2), Screen("table"), Priority.TABLE)
    outbox_harness.outbox.send(Address(3), Screen("answer"))
    outbox_harness.outbox.send(Address(4), Screen("hand"), Priority.PLAY)
    await outbox_harness.clock.advance(3)
    assert outbox_harness.api.texts[-4:] == ["hand", "table", "answer", "ping"]


async def test_a_rate_limited_chat_waits_for_retry_after_and_other_chats_do_not(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].append(RetryAfter(timedelta(seconds=30)))
    outbox_harness.outbox.send(Address(ANNA), Screen("to Anna"))
    await calm()
    outbox_harness.outbox.send(Address(BRUNO), Screen("to Bruno"))
    await outbox_harness.clock.advance(29)
    assert outbox_harness.api.texts == ["to Bruno"]
    await outbox_harness.clock.advance(2)
    assert outbox_harness.api.texts == ["to Bruno", "to Anna"]


async def test_a_hand_is_replaced_once_however_often_it_is_drawn_before_delivery(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("a", record=ShownMessage(7))
    for text in "bcd":
        outbox_harness.hand(text, ring=f"1.1@{ord(text)}")
    await outbox_harness.clock.advance(5)
    assert [call.text for call in outbox_harness.api.of("send")] == ["d"]


async def test_of_two_messages_in_one_slot_the_newer_is_edited(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("one")
    await outbox_harness.clock.advance(5)
    older = outbox_harness.api.sent[0].message
    await outbox_harness.outbox.adopt(HAND_SLOT, older + 50)
    await outbox_harness.outbox.adopt(HAND_SLOT, older)
    outbox_harness.hand("two")
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("send", older), ("edit", older + 50)]


async def test_a_message_that_is_about_to_be_replaced_gives_way_to_no_other(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("my turn", ring="1.1@7", record=ShownMessage(7))
    await outbox_harness.outbox.adopt(HAND_SLOT, 9)
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("send", 101), ("delete", 7)]


async def test_a_press_on_a_message_that_is_looked_for_tells_which_it_is(outbox_harness: OutboxHarness) -> None:
    outbox_harness.outbox.see(ANNA, 100)
    outbox_harness.api.lost["send"].append(LostAnswerError("ServerDisconnectedError"))
    outbox_harness.hand("my turn", ring="1.1@7", record=ShownMessage(7))
    await calm()
    await outbox_harness.outbox.adopt(HAND_SLOT, 101)
    await outbox_harness.clock.advance(5)
    assert [call.message for call in outbox_harness.api.of("send")] == [101]
    assert [call.message for call in outbox_harness.api.of("delete")] == [7]


async def test_no_table_waits_for_ever_while_there_are_always_hands_to_send(outbox_harness: OutboxHarness) -> None:
    outbox_harness.table("table")
    for second in range(40):
        for chat in range(1, 41):
            outbox_harness.outbox.send(Address(chat), Screen(f"hand {second}"), Priority.PLAY)
        await outbox_harness.clock.advance(1)
    began, table = outbox_harness.api.sent[0].at, next(c for c in outbox_harness.api.sent if c.text == "table")
    assert table.at - began < 30


async def test_pending_messages_are_delivered_before_the_bot_stops() -> None:
    clock = FakeClock()
    api = FakeApi(clock)
    outbox = Outbox(api, FakeStore(), clock=clock)
    async with outbox.delivering():
        outbox.send(Address(ANNA), Screen("goodbye"))
    assert api.texts == ["goodbye"]


async def test_a_forgotten_table_has_no_message_to_edit(outbox_harness: OutboxHarness) -> None:
    outbox_harness.table("one")
    await outbox_harness.clock.advance(5)
    outbox_harness.outbox.forget_table(TABLE_SLOT.ref)
    outbox_harness.table("two")
    await outbox_harness.clock.advance(5)
    assert [call.kind for call in outbox_harness.api.sent] == ["send", "send"]


async def test_the_first_message_after_a_start_is_found_too_where_its_answer_was_lost() -> None:
    clock = FakeClock()
    api = FakeApi(clock)
    api.lost["send"].append(LostAnswerError("ServerDisconnectedError"))
    store = FakeStore(recorded=[(BRUNO, ShownMessage(api.numbers))])
    outbox = Outbox(api, store, clock=clock)
    async with outbox.delivering():
        OutboxHarness(outbox, api, clock, store).hand("mine")
        await clock.advance(5)
    assert [call.kind for call in api.sent] == ["send", "edit"]
    assert store.places == [(HAND_SLOT, 101)]


async def test_what_was_begun_before_a_kill_is_looked_for(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("mine", record=ShownMessage(begun=100))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("edit", 101)]
    assert outbox_harness.store.places == [(HAND_SLOT, 101)]


async def test_a_replacement_that_had_arrived_before_a_kill_replaces_the_older_one_though_it_is_edited_only(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("not my turn", ring="1.1@3", record=ShownMessage(7, "1.1@3", begun=100))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("edit", 101), ("delete", 7)]


async def test_what_was_begun_before_a_kill_is_not_taken_for_a_message_of_the_table_that_is_recorded() -> None:
    clock = FakeClock()
    api, store = FakeApi(clock), FakeStore(recorded=[(ANNA, ShownMessage(message_id)) for message_id in (100, 101)])
    outbox = Outbox(api, store, clock=clock)
    async with outbox.delivering():
        OutboxHarness(outbox, api, clock, store).hand("mine", record=ShownMessage(begun=100))
        await clock.advance(5)
    assert [(call.kind, call.message) for call in api.sent] == [("edit", 102)]


async def test_a_message_that_was_replaced_before_a_kill_is_deleted_after_the_start() -> None:
    clock = FakeClock()
    api, store = FakeApi(clock), FakeStore(recorded=[(ANNA, ShownMessage(101, "1.1@3", replaced=(7,)))])
    async with Outbox(api, store, clock=clock).delivering():
        await clock.advance(5)
    assert [(call.kind, call.message) for call in api.sent] == [("delete", 7)]
    assert not store.deliveries


async def test_a_record_forgets_the_messages_that_were_deleted_after_the_start() -> None:
    clock, left = FakeClock(), ShownMessage(101, "1.1@3", replaced=(7,))
    api, store = FakeApi(clock), FakeStore(recorded=[(ANNA, left)], records={HAND_SLOT: left})
    outbox = Outbox(api, store, clock=clock)
    async with outbox.delivering():
        await clock.advance(5)
        OutboxHarness(outbox, api, clock, store).hand("mine", ring="1.1@3", record=left)
        await clock.advance(5)
    assert store.records[HAND_SLOT] == ShownMessage(101, "1.1@3")
    assert [call.kind for call in api.sent] == ["delete", "edit"]


async def test_a_send_is_recorded_before_it_begins_with_the_message_and_the_turn_of_before(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("first", ring="1.1@3")
    await outbox_harness.clock.advance(5)
    outbox_harness.hand("my turn", ring="1.1@7")
    await outbox_harness.clock.advance(5)
    assert outbox_harness.store.begun == [(HAND_SLOT, ShownMessage(101, "1.1@3", begun=101))]


async def test_what_the_handling_of_an_update_says_waits_until_the_update_is_forgotten_and_comes_once(
    outbox_harness: OutboxHarness,
) -> None:
    outbox, store = outbox_harness.outbox, outbox_harness.store
    with outbox.holding(7):
        outbox.send(Address(GROUP), Screen("the rules"))
        await outbox.save()
        await calm()
        assert [*store.deliveries] == ["send 7.0"]
        assert outbox_harness.api.texts == []
    await calm()
    assert outbox_harness.api.texts == ["the rules"]
    assert store.deliveries == {}


async def test_what_an_update_has_said_before_a_kill_is_not_said_again_when_it_is_handled_again() -> None:
    said = StoredMessage(chat=GROUP, text="the rules", priority=Priority.ANSWER, since=1.0)
    api, clock, store = FakeApi(FakeClock()), FakeClock(), FakeStore(deliveries={"send 7.0": said})
    outbox = Outbox(api, store, clock=clock)
    async with outbox.delivering():
        await calm()
        with outbox.holding(7):
            outbox.send(Address(GROUP), Screen("the rules"))
        await calm()
    assert api.texts == ["the rules"]


async def test_an_answer_that_says_the_same_takes_the_place_of_the_one_that_waits(
    outbox_harness: OutboxHarness,
) -> None:
    outbox, again = outbox_harness.outbox, Button("again", url="https://example.org/2")
    outbox_harness.api.failures["send"].append(RetryAfter(timedelta(seconds=30)))
    outbox.send(Address(GROUP), Screen("first"))
    await calm()
    for number in range(100):
        with outbox.holding(number, ANNA):
            outbox.send(Address(GROUP), Screen("the games", ((again,),) if number == 99 else ()))
    await outbox.save()
    assert len(outbox_harness.store.deliveries) == 2
    await outbox_harness.clock.advance(60)
    assert outbox_harness.api.texts == ["first", "the games"]


async def test_what_one_handling_says_twice_comes_twice(outbox_harness: OutboxHarness) -> None:
    with outbox_harness.outbox.holding(1, ANNA):
        for _ in range(2):
            outbox_harness.outbox.send(Address(GROUP), Screen("Do you want to leave?"))
    await outbox_harness.clock.advance(5)
    assert len(outbox_harness.api.sent) == 2


async def test_a_person_has_so_many_answers_that_wait_and_others_in_the_chat_have_theirs(
    outbox_harness: OutboxHarness,
) -> None:
    outbox = outbox_harness.outbox

    def asks(person: int, number: int, priority: Priority = Priority.ANSWER) -> bool:
        with outbox.holding(f"{person} {number} {priority}", person):
            return outbox.send(Address(GROUP), Screen(f"{person}: {number}"), priority)

    assert [asks(ANNA, number) for number in range(12)] == [True] * ASKER_ANSWERS + [False] * 2
    assert [asks(ANNA, number, Priority.PING) for number in range(20, 22)] == [True, False]
    assert asks(BRUNO, 1)
    await outbox_harness.clock.advance(60)
    assert len(outbox_harness.api.sent) == ASKER_ANSWERS + 2
    assert asks(ANNA, 30)


async def test_a_chat_has_so_many_answers_that_wait_whoever_has_asked(outbox_harness: OutboxHarness) -> None:
    sent = 0
    for person in range(1, 100):
        with outbox_harness.outbox.holding(person, person):
            sent += outbox_harness.outbox.send(Address(GROUP), Screen(f"for {person}"))
    assert sent == CHAT_ANSWERS


async def test_of_what_a_process_before_has_left_of_a_flood_a_chat_gets_no_more_than_may_wait() -> None:
    stored = {
        f"send {number}": StoredMessage(chat=GROUP, text=str(number), priority=Priority.ANSWER, since=1.0)
        for number in range(2900)
    }
    clock, store = FakeClock(), FakeStore(deliveries={**stored})
    api = FakeApi(clock)
    async with Outbox(api, store, clock=clock).delivering():
        await clock.advance(120)
    assert len(api.sent) == CHAT_ANSWERS
    assert not store.deliveries


async def test_a_flood_of_one_person_in_own_chats_delays_neither_a_hand_nor_anothers_answer(
    outbox_harness: OutboxHarness,
) -> None:
    outbox, flooder, since = outbox_harness.outbox, 666, 0.0
    for second in range(20):
        for number in range(50):
            with outbox.holding(f"{second} {number}", flooder):
                outbox.send(Address(-1000 - number), Screen(f"answer {second}"))
        if second == 10:
            outbox_harness.hand("mine")
            with outbox.holding("mine", BRUNO):
                outbox.send(Address(BRUNO), Screen("for Bruno"))
            since = outbox_harness.clock.now()
        await outbox_harness.clock.advance(1)
    waits = {call.text: call.at - since for call in outbox_harness.api.sent if call.text in {"mine", "for Bruno"}}
    assert waits == {"mine": 0.0, "for Bruno": 0.0}


async def test_what_is_sent_without_the_outbox_keeps_the_limits_of_its_chat_and_delays_no_other(
    outbox_harness: OutboxHarness,
) -> None:
    outbox = outbox_harness.outbox
    assert sum(outbox.admits(GROUP) for _ in range(1000)) == RateLimits().chat_burst
    edits = [asyncio.create_task(outbox.admitted(GROUP, "Anna's hand")) for _ in range(50)]
    await calm()
    outbox.send(Address(BRUNO), Screen("for Bruno"))
    await calm()
    assert outbox_harness.api.texts == ["for Bruno"]
    await outbox_harness.clock.advance(5)
    assert sum([await edit for edit in edits]) == 1
