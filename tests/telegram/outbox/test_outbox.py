from collections import Counter
from datetime import timedelta
from itertools import pairwise

import httpx
from telegram.error import RetryAfter

from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Address, Priority
from services.telegram.screens.screen import Screen
from tests.telegram.fakes import FakeApi, FakeClock, FakeListener, calm
from tests.telegram.outbox.post import ANNA, BRUNO, GROUP, HAND, TABLE, Post, lost


async def test_a_message_is_sent_once_and_then_edited(post: Post) -> None:
    post.table("one")
    await calm()
    post.table("two")
    await post.clock.advance(5)
    assert [(call.kind, call.message, call.text) for call in post.api.sent] == [
        ("send", 101, "one"),
        ("edit", 101, "two"),
    ]
    assert post.listener.places == [(TABLE, 101)]


async def test_what_is_shown_already_is_not_sent_again(post: Post) -> None:
    post.table("one")
    await calm()
    post.table("one")
    await post.clock.advance(5)
    assert post.api.texts == ["one"]


async def test_the_table_is_drawn_at_most_every_three_seconds_and_the_latest_state_wins(post: Post) -> None:
    post.table("0")
    await calm()
    for number in range(1, 13):
        post.table(str(number))
        await post.clock.advance(0.5)
    await post.clock.advance(5)
    times = [call.at for call in post.api.sent]
    assert all(later - earlier >= 3 for earlier, later in pairwise(times))
    assert post.api.texts[-1] == "12"
    assert len(post.api.texts) <= 4


async def test_a_chat_hears_about_one_message_a_second_after_a_burst(post: Post) -> None:
    for number in range(10):
        post.outbox.say(Address(ANNA), Screen(str(number)))
    await post.clock.advance(12)
    assert post.api.texts == [str(number) for number in range(10)]
    assert post.api.sent[2].at == post.api.sent[0].at
    assert post.api.sent[9].at - post.api.sent[2].at >= 7


async def test_a_group_never_gets_more_than_twenty_a_minute_sends_and_edits_together(post: Post) -> None:
    for number in range(200):
        post.table(str(number))
        if number % 5 == 0:
            post.outbox.say(Address(GROUP), Screen(f"say {number}"))
        await post.clock.advance(1)
    times = [call.at for call in post.api.sent]
    assert all(sum(start <= time < start + 60 for time in times) <= 20 for start in times)


async def test_drawings_of_the_table_leave_room_for_news(post: Post) -> None:
    for number in range(60):
        post.table(str(number))
        await post.clock.advance(1)
    before = post.clock.now()
    post.outbox.say(Address(GROUP), Screen("news"))
    await post.clock.advance(2)
    assert next(call.at for call in post.api.sent if call.text == "news") - before <= 1


async def test_all_chats_together_stay_below_thirty_a_second(post: Post) -> None:
    for chat in range(1, 101):
        post.outbox.say(Address(chat), Screen("hello"))
    await post.clock.advance(10)
    seconds = Counter(int(call.at * 4) // 4 for call in post.api.sent)
    assert len(post.api.sent) == 100
    assert max(seconds.values()) <= 30


async def test_when_all_is_crowded_hands_go_first_then_news_then_tables_then_pings(post: Post) -> None:
    for chat in range(1000, 1030):
        post.outbox.say(Address(chat), Screen("crowd"), Priority.HAND)
    await calm()
    post.outbox.say(Address(1), Screen("ping"), Priority.PING)
    post.outbox.say(Address(2), Screen("table"), Priority.TABLE)
    post.outbox.say(Address(3), Screen("news"))
    post.outbox.say(Address(4), Screen("hand"), Priority.HAND)
    await post.clock.advance(3)
    assert post.api.texts[-4:] == ["hand", "news", "table", "ping"]


async def test_a_flooded_chat_waits_as_long_as_it_is_told_and_no_other_chat_does(post: Post) -> None:
    post.api.failures["send"].append(RetryAfter(timedelta(seconds=30)))
    post.outbox.say(Address(ANNA), Screen("to Anna"))
    await calm()
    post.outbox.say(Address(BRUNO), Screen("to Bruno"))
    await post.clock.advance(29)
    assert post.api.texts == ["to Bruno"]
    await post.clock.advance(2)
    assert post.api.texts == ["to Bruno", "to Anna"]


async def test_a_fresh_hand_rings_once_however_often_it_is_drawn_before_it_goes(post: Post) -> None:
    post.hand("a", message=7)
    for text in "bcd":
        post.hand(text, fresh=True)
    await post.clock.advance(5)
    assert [call.text for call in post.api.of("send")] == ["d"]


async def test_a_tap_tells_which_message_it_was_whose_id_was_lost(post: Post) -> None:
    post.api.lost["send"].append(lost(httpx.ReadError))
    post.table("one")
    await post.clock.advance(5)
    post.outbox.adopt(TABLE, GROUP, 101)
    post.table("two")
    await post.clock.advance(5)
    assert [(call.kind, call.message) for call in post.api.sent] == [("send", 101), ("edit", 101)]


async def test_of_two_messages_for_one_slot_the_newer_is_kept_up_to_date(post: Post) -> None:
    post.hand("one")
    await post.clock.advance(5)
    older = post.api.sent[0].message
    post.outbox.adopt(HAND, ANNA, older + 50)
    post.outbox.adopt(HAND, ANNA, older)
    post.hand("two")
    await post.clock.advance(5)
    assert [(call.kind, call.message) for call in post.api.sent] == [("send", older), ("edit", older + 50)]


async def test_what_waits_is_delivered_before_the_bot_stops() -> None:
    clock = FakeClock()
    api = FakeApi(clock)
    outbox = Outbox(api, clock=clock)
    async with outbox.delivering(FakeListener()):
        outbox.say(Address(ANNA), Screen("goodbye"))
    assert api.texts == ["goodbye"]


async def test_a_forgotten_table_leaves_nothing_behind(post: Post) -> None:
    post.table("one")
    await post.clock.advance(5)
    post.outbox.forget(TABLE.ref)
    post.table("two")
    await post.clock.advance(5)
    assert [call.kind for call in post.api.sent] == ["send", "send"]
