import httpx
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError

from services.telegram.outbox.parcels import Address
from services.telegram.screens.screen import Screen
from tests.telegram.fakes import calm
from tests.telegram.outbox.post import ANNA, GROUP, HAND, TABLE, Post, lost


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
