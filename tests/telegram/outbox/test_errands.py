from datetime import timedelta

import httpx
from telegram.error import BadRequest, RetryAfter

from services.telegram.outbox.parcels import Address
from services.telegram.screens.screen import Screen
from tests.telegram.fakes import calm
from tests.telegram.outbox.post import ANNA, Post, lost


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
