from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

import httpx
import pytest
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TimedOut

from services.telegram.api import Address
from services.telegram.outbox import Outbox, Priority, Slot
from services.telegram.screens.screen import Screen
from tests.telegram.fakes import FakeApi, FakeClock, FakeListener, calm

GROUP, ANNA, BRUNO = -500, 11, 12
TABLE = Slot("Ab3-Ef_8", "table:1.1")
HAND = Slot("Ab3-Ef_8", "hand:11")


@dataclass
class Post:
    """An outbox with everything around it."""

    outbox: Outbox
    api: FakeApi
    clock: FakeClock
    listener: FakeListener

    def table(self, text: str, *, message: int | None = None, chat: int = GROUP, anew: bool = True) -> None:
        self.outbox.show(TABLE, Address(chat), Screen(text), message=message, anew=anew)

    def hand(self, text: str, *, fresh: bool = False, message: int | None = None) -> None:
        self.outbox.show(HAND, Address(ANNA), Screen(text), priority=Priority.HAND, fresh=fresh, message=message)


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    clock, listener = FakeClock(), FakeListener()
    api = FakeApi(clock)
    async with Outbox(api, listener, clock=clock) as outbox:
        yield Post(outbox, api, clock, listener)
        await clock.advance(120)


def lost(kind: type[httpx.TransportError]) -> NetworkError:
    """An error of python-telegram-bot whose cause is the network's."""
    error = TimedOut() if issubclass(kind, httpx.TimeoutException) else NetworkError("httpx")
    error.__cause__ = kind("")
    return error


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


async def test_not_modified_counts_as_shown(post: Post) -> None:
    post.api.failures["edit"].append(BadRequest("Message is not modified: specified new message content and …"))
    post.table("same", message=7)
    await post.clock.advance(10)
    assert post.api.sent == []
    post.table("other", message=7)
    await post.clock.advance(5)
    assert [(call.kind, call.message) for call in post.api.sent] == [("edit", 7)]


async def test_a_vanished_message_is_sent_anew(post: Post) -> None:
    post.api.failures["edit"].append(BadRequest("Message to edit not found"))
    post.table("again", message=7)
    await post.clock.advance(5)
    assert [(call.kind, call.message) for call in post.api.sent] == [("send", 101)]
    assert post.listener.places == [(TABLE, 101)]


async def test_a_vanished_message_that_was_only_to_stay_is_let_go(post: Post) -> None:
    post.api.failures["edit"].append(BadRequest("Message to edit not found"))
    post.table("old", message=7, anew=False)
    await post.clock.advance(5)
    assert post.api.sent == []


async def test_a_fresh_hand_is_sent_before_the_old_one_is_deleted(post: Post) -> None:
    post.hand("mine", message=7)
    await calm()
    post.hand("mine", fresh=True)
    await post.clock.advance(5)
    assert [(call.kind, call.message) for call in post.api.sent] == [("edit", 7), ("send", 101), ("delete", 7)]


async def test_a_fresh_hand_rings_once_however_often_it_is_drawn_before_it_goes(post: Post) -> None:
    post.hand("a", message=7)
    for text in "bcd":
        post.hand(text, fresh=True)
    await post.clock.advance(5)
    assert [call.text for call in post.api.of("send")] == ["d"]


async def test_an_edit_is_tried_again_until_the_network_is_back(post: Post) -> None:
    post.api.failures["edit"].extend(lost(httpx.ReadTimeout) for _ in range(20))
    post.table("at last", message=7)
    await post.clock.advance(600)
    assert post.api.texts == ["at last"]


async def test_a_message_that_certainly_did_not_leave_is_sent_again(post: Post) -> None:
    post.api.failures["send"].extend([lost(httpx.ConnectError), NetworkError("Bad Gateway")])
    post.outbox.say(Address(GROUP), Screen("news"))
    await post.clock.advance(10)
    assert post.api.texts == ["news"]


async def test_news_whose_answer_was_lost_do_not_appear_twice(post: Post) -> None:
    post.api.lost["send"].append(lost(httpx.ReadTimeout))
    post.table("table")
    await post.clock.advance(60)
    assert post.api.texts == ["table"]
    assert post.listener.places == [(TABLE, None)]


async def test_a_table_whose_id_was_lost_comes_anew_when_it_changes(post: Post) -> None:
    post.api.lost["send"].append(lost(httpx.ReadError))
    post.table("one")
    await post.clock.advance(5)
    post.table("two")
    await post.clock.advance(5)
    assert [(call.kind, call.text) for call in post.api.sent] == [("send", "one"), ("send", "two")]


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


async def test_a_hand_whose_answer_was_lost_is_sent_again_since_nobody_plays_without_it(post: Post) -> None:
    post.api.lost["send"].append(lost(httpx.ReadTimeout))
    post.hand("mine")
    await post.clock.advance(5)
    assert [call.kind for call in post.api.sent] == ["send", "send"]
    assert post.listener.places == [(HAND, 102)]


async def test_whoever_blocked_the_bot_is_reported_and_not_written_to_again_and_again(post: Post) -> None:
    post.api.failures["send"].append(Forbidden("Forbidden: bot was blocked by the user"))
    post.hand("mine")
    await post.clock.advance(60)
    assert post.api.sent == []
    assert post.listener.closures == [(ANNA, "Forbidden: bot was blocked by the user")]


async def test_a_group_that_became_a_supergroup_gets_its_messages_there(post: Post) -> None:
    post.api.failures["edit"].append(ChatMigrated(-1001))
    post.table("table", message=7)
    await post.clock.advance(5)
    assert [(call.kind, call.chat) for call in post.api.sent] == [("send", -1001)]
    assert post.listener.moves == [(GROUP, -1001)]


async def test_a_topic_that_is_gone_does_not_stop_the_game(post: Post) -> None:
    post.api.failures["send"].append(BadRequest("Message thread not found"))
    post.outbox.show(TABLE, Address(GROUP, 5), Screen("table"))
    await post.clock.advance(5)
    assert [(call.kind, call.thread) for call in post.api.sent] == [("send", None)]


async def test_a_server_without_date_time_entities_gets_the_words_inside(post: Post) -> None:
    post.api.failures["send"].append(
        BadRequest('Can\'t parse entities: unsupported start tag "tg-time" at byte offset 2')
    )
    post.outbox.say(Address(GROUP), Screen('⏳ <tg-time unix="1" format="T">1 minute</tg-time>'))
    await post.clock.advance(5)
    assert post.api.texts == ["⏳ 1 minute"]


async def test_what_telegram_will_never_take_holds_nothing_up(post: Post) -> None:
    post.api.failures["send"].append(BadRequest("Can't parse entities: unclosed tag"))
    post.outbox.say(Address(GROUP), Screen("<b>"))
    post.outbox.say(Address(GROUP), Screen("next"))
    await post.clock.advance(5)
    assert post.api.texts == ["next"]


async def test_a_tap_is_answered_at_once_even_while_its_chat_waits(post: Post) -> None:
    post.api.failures["send"].append(RetryAfter(timedelta(seconds=30)))
    post.outbox.say(Address(ANNA), Screen("later"))
    await calm()
    post.outbox.answer("tap", "now")
    await calm()
    assert [call.text for call in post.api.sent] == ["now"]


async def test_a_tap_that_is_too_old_to_answer_is_let_be(post: Post) -> None:
    post.api.failures["answer"].append(BadRequest("Query is too old and response timeout expired"))
    post.outbox.answer("tap", "too late")
    await post.clock.advance(5)
    assert post.api.sent == []


async def test_an_answer_is_tried_again_when_the_network_fails(post: Post) -> None:
    post.api.failures["answer"].append(lost(httpx.ConnectError))
    post.outbox.answer("tap", "hello")
    await post.clock.advance(5)
    assert [call.text for call in post.api.sent] == ["hello"]


async def test_what_waits_is_delivered_before_the_bot_stops() -> None:
    clock = FakeClock()
    api = FakeApi(clock)
    async with Outbox(api, FakeListener(), clock=clock) as outbox:
        outbox.say(Address(ANNA), Screen("goodbye"))
    assert api.texts == ["goodbye"]


async def test_a_forgotten_table_leaves_nothing_behind(post: Post) -> None:
    post.table("one")
    await post.clock.advance(5)
    post.outbox.forget(TABLE.ref)
    post.table("two")
    await post.clock.advance(5)
    assert [call.kind for call in post.api.sent] == ["send", "send"]
