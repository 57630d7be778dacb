"""Delivery: reactions to Telegram's errors, and answers to button presses."""

from datetime import timedelta

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError, TimedOut

from services.telegram.records import MatchEndSlot, ShownMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.http_request import LostAnswerError, NotSentError
from services.telegram.sending.lost_messages import ATTEMPTS
from services.telegram.sending.messages import Address
from tests.telegram.fakes import OutboxHarness, calm
from tests.telegram.samples import ANNA, GROUP, HAND_SLOT, TABLE_SLOT


async def test_not_modified_counts_as_shown(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].append(
        BadRequest("Message is not modified: specified new message content and …")
    )
    outbox_harness.table("same", message=7)
    await outbox_harness.clock.advance(10)
    assert outbox_harness.api.sent == []
    outbox_harness.table("other", message=7)
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("edit", 7)]


async def test_a_deleted_message_is_sent_again(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].append(BadRequest("Message to edit not found"))
    outbox_harness.table("again", message=7)
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("send", 101)]
    assert outbox_harness.store.places == [(TABLE_SLOT, 101)]


async def test_a_deleted_message_is_not_sent_again_without_create(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].append(BadRequest("Message to edit not found"))
    outbox_harness.table("old", message=7, create=False)
    await outbox_harness.clock.advance(5)
    assert outbox_harness.api.sent == []


async def test_an_answer_in_the_place_of_a_message_that_was_deleted_is_sent(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].append(BadRequest("Message to edit not found"))
    outbox_harness.outbox.edit(11, 7, Screen("the rules"))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.text) for call in outbox_harness.api.sent] == [("send", "the rules")]


async def test_a_replacing_hand_is_sent_before_the_old_one_is_deleted(outbox_harness: OutboxHarness) -> None:
    outbox_harness.hand("mine", record=ShownMessage(7))
    await calm()
    outbox_harness.hand("mine", ring="1.1@7")
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [
        ("edit", 7),
        ("send", 101),
        ("delete", 7),
    ]


async def test_an_edit_is_repeated_until_the_network_is_back(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].extend(TimedOut() for _ in range(20))
    outbox_harness.table("at last", message=7)
    await outbox_harness.clock.advance(600)
    assert outbox_harness.api.texts == ["at last"]


async def test_a_message_that_certainly_was_not_sent_is_sent_again(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].extend([NotSentError("ClientConnectorError"), NetworkError("Bad Gateway")])
    outbox_harness.outbox.send(Address(GROUP), Screen("news"))
    await outbox_harness.clock.advance(10)
    assert outbox_harness.api.texts == ["news"]


async def test_a_message_whose_answer_was_lost_does_not_appear_twice(outbox_harness: OutboxHarness) -> None:
    outbox_harness.outbox.see(GROUP, 100)
    outbox_harness.api.lost["send"].append(TimedOut())
    outbox_harness.table("table")
    await outbox_harness.clock.advance(60)
    assert [call.kind for call in outbox_harness.api.sent] == ["send", "edit"]
    assert outbox_harness.store.places == [(TABLE_SLOT, 101)]


async def test_a_message_whose_answer_was_lost_in_a_chat_of_which_nothing_is_known_is_sent_again(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.api.lost["send"].append(TimedOut())
    outbox_harness.hand("mine")
    await outbox_harness.clock.advance(5)
    assert [call.kind for call in outbox_harness.api.sent] == ["send", "send"]
    assert outbox_harness.store.places == [(HAND_SLOT, 102)]


@pytest.mark.parametrize(("pressed", "deleted"), [(7, [7]), (101, [])])
async def test_a_press_before_the_answer_to_a_send_tells_an_older_copy_from_the_message_itself(
    outbox_harness: OutboxHarness, monkeypatch: pytest.MonkeyPatch, pressed: int, deleted: list[int]
) -> None:
    send = outbox_harness.api.send

    async def press_meanwhile(to: Address, screen: Screen, _: bytes, *, silent: bool) -> int:
        sent = await send(to, screen, silent=silent)
        await outbox_harness.outbox.adopt(HAND_SLOT, pressed)
        return sent

    monkeypatch.setattr(outbox_harness.api, "send", press_meanwhile)
    outbox_harness.hand("mine")
    await outbox_harness.clock.advance(5)
    assert [call.message for call in outbox_harness.api.of("delete")] == deleted


async def test_a_person_who_blocked_the_bot_is_reported_and_not_written_to_again(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.api.failures["send"].append(Forbidden("Forbidden: bot was blocked by the user"))
    outbox_harness.hand("mine")
    await outbox_harness.clock.advance(60)
    assert outbox_harness.api.sent == []
    assert outbox_harness.store.closures == [(ANNA, "Forbidden: bot was blocked by the user")]


async def test_a_group_that_became_a_supergroup_gets_its_messages_there(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["edit"].append(ChatMigrated(-1001))
    outbox_harness.table("table", message=7)
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.chat) for call in outbox_harness.api.sent] == [("send", -1001)]
    assert outbox_harness.store.moves == [(GROUP, -1001)]


async def test_a_topic_that_is_gone_does_not_stop_the_game(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].append(BadRequest("Message thread not found"))
    outbox_harness.show(TABLE_SLOT, Wanted(Screen("table")), to=Address(GROUP, 5))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.thread) for call in outbox_harness.api.sent] == [("send", None)]


async def test_a_server_without_date_time_entities_gets_their_text(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].append(
        BadRequest('Can\'t parse entities: unsupported start tag "tg-time" at byte offset 2')
    )
    outbox_harness.outbox.send(Address(GROUP), Screen('⏳ <tg-time unix="1" format="T">1 minute</tg-time>'))
    await outbox_harness.clock.advance(5)
    assert outbox_harness.api.texts == ["⏳ 1 minute"]


async def test_a_rejected_message_does_not_delay_the_next(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].append(BadRequest("Can't parse entities: unclosed tag"))
    outbox_harness.outbox.send(Address(GROUP), Screen("<b>"))
    outbox_harness.outbox.send(Address(GROUP), Screen("next"))
    await outbox_harness.clock.advance(5)
    assert outbox_harness.api.texts == ["next"]


async def test_a_button_press_is_answered_at_once_even_in_a_rate_limited_chat(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["send"].append(RetryAfter(timedelta(seconds=30)))
    outbox_harness.outbox.send(Address(ANNA), Screen("later"))
    await calm()
    outbox_harness.outbox.answer("tap", "now")
    await calm()
    assert [call.text for call in outbox_harness.api.sent] == ["now"]


async def test_a_button_press_that_is_too_old_is_not_answered_again(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["answer"].append(BadRequest("Query is too old and response timeout expired"))
    outbox_harness.outbox.answer("tap", "too late")
    await outbox_harness.clock.advance(5)
    assert outbox_harness.api.sent == []


async def test_an_answer_is_repeated_when_the_network_fails(outbox_harness: OutboxHarness) -> None:
    outbox_harness.api.failures["answer"].append(NotSentError("ClientConnectorError"))
    outbox_harness.outbox.answer("tap", "hello")
    await outbox_harness.clock.advance(5)
    assert [call.text for call in outbox_harness.api.sent] == ["hello"]


@pytest.mark.parametrize("error", [TimedOut(), LostAnswerError("ServerDisconnectedError"), NetworkError("Bad Gateway")])
async def test_a_message_that_arrived_though_its_sending_failed_is_found_and_sent_once(
    outbox_harness: OutboxHarness, error: TelegramError
) -> None:
    outbox_harness.hand("first")
    await outbox_harness.clock.advance(5)
    outbox_harness.api.lost["send"].append(error)
    outbox_harness.api.failures["edit"].append(TimedOut())
    outbox_harness.hand("my turn", ring="1.1@7")
    await outbox_harness.clock.advance(5)
    assert [call.message for call in outbox_harness.api.of("send")] == [101, 102]
    assert outbox_harness.store.places[-1] == (HAND_SLOT, 102)
    assert [call.message for call in outbox_harness.api.of("delete")] == [101]


async def test_a_hand_of_which_telegram_does_not_say_whether_it_arrived_is_sent_once(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("first")
    await outbox_harness.clock.advance(5)
    outbox_harness.api.lost["send"].append(TimedOut())
    outbox_harness.api.failures["edit"].extend(TimedOut() for _ in range(ATTEMPTS + 1))
    outbox_harness.hand("my turn", ring="1.1@7")
    await outbox_harness.clock.advance(20)
    assert [call.message for call in outbox_harness.api.of("send")] == [101, 102]
    assert outbox_harness.store.places[-1] == (HAND_SLOT, 102)


async def test_a_message_that_is_not_found_is_looked_for_at_ten_ids_and_sent_again(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("first")
    await outbox_harness.clock.advance(5)
    outbox_harness.api.failures["send"].append(TimedOut())
    outbox_harness.api.failures["edit"].extend(BadRequest("Message to edit not found") for _ in range(10))
    outbox_harness.hand("my turn", ring="1.1@7")
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent[1:]] == [("send", 102), ("delete", 101)]
    assert not outbox_harness.api.failures["edit"]


async def test_a_result_that_did_not_arrive_is_sent_again_and_one_that_did_is_not(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("first")
    await outbox_harness.clock.advance(5)
    outbox_harness.api.failures["send"].append(LostAnswerError("ServerDisconnectedError"))
    outbox_harness.api.failures["edit"].extend(BadRequest("Message to edit not found") for _ in range(10))
    outbox_harness.api.lost["send"].append(LostAnswerError("ServerDisconnectedError"))
    result = MatchEndSlot(HAND_SLOT.ref, 1)
    outbox_harness.show(result, Wanted(Screen("Anna wins")), to=Address(ANNA))
    await outbox_harness.clock.advance(5)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent[1:]] == [("send", 102), ("edit", 102)]
    assert outbox_harness.store.places[-1] == (result, 102)


@pytest.mark.parametrize("error", [TimedOut(), LostAnswerError("ServerDisconnectedError"), NetworkError("Bad Gateway")])
async def test_a_screen_comes_back_though_the_answer_to_the_one_in_between_was_lost(
    outbox_harness: OutboxHarness, error: TelegramError
) -> None:
    outbox_harness.table("Anna sits", message=7)
    await outbox_harness.clock.advance(10)
    outbox_harness.api.lost["edit"].append(error)
    outbox_harness.table("nobody sits")
    await outbox_harness.clock.advance(3.5)
    outbox_harness.table("Anna sits")
    await outbox_harness.clock.advance(10)
    assert outbox_harness.api.texts == ["Anna sits", "nobody sits", "Anna sits"]


async def test_what_another_private_chat_was_sent_meanwhile_is_not_taken_for_a_lost_message(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.hand("first")
    await outbox_harness.clock.advance(5)
    outbox_harness.api.lost["send"].append(TimedOut())
    outbox_harness.hand("my turn", ring="1.1@7")
    outbox_harness.outbox.send(Address(ANNA + 1), Screen("news"))
    await outbox_harness.clock.advance(5)
    assert [call.message for call in outbox_harness.api.of("edit")] == [102]
    assert outbox_harness.store.places[-1] == (HAND_SLOT, 102)


async def test_while_the_store_is_away_a_message_is_sent_once_and_recorded_later_with_one_warning(
    outbox_harness: OutboxHarness,
) -> None:
    outbox_harness.store.failures.extend(RedisConnectionError("away") for _ in range(3))
    with capture_logs() as lines:
        outbox_harness.hand("mine", ring="1.1@7", record=ShownMessage(7))
        await outbox_harness.clock.advance(10)
    assert [(call.kind, call.message) for call in outbox_harness.api.sent] == [("send", 101), ("delete", 7)]
    assert outbox_harness.store.places == [(HAND_SLOT, 101)] * 2  # recorded again once the old message is deleted
    assert [(line["log_level"], line["event"], line.get("exc_info")) for line in lines] == [
        ("warning", "delivery_postponed", None)
    ]


async def test_an_error_of_the_bot_keeps_its_traceback(outbox_harness: OutboxHarness) -> None:
    outbox_harness.store.failures.append(ZeroDivisionError())
    with capture_logs() as lines:
        outbox_harness.hand("mine")
        await outbox_harness.clock.advance(10)
    assert [(line["log_level"], line["event"]) for line in lines] == [("error", "outbox_task_failed")]
    assert isinstance(lines[0]["exc_info"], ZeroDivisionError)
    assert outbox_harness.store.places == [(HAND_SLOT, 101)]
