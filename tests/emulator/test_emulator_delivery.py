from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from telegram import Bot
from telegram.error import Conflict

from tests.emulator import Emulator, Person
from tests.emulator.clients import connected, refused
from tests.waiting import until


async def polled(telegram: Emulator) -> None:
    """Wait until a call of getUpdates waits for updates."""
    await until(lambda: telegram.world.poll is not None and not telegram.world.poll.done())


async def test_updates_wait_until_they_are_confirmed(telegram: Emulator, bot: Bot, anna: Person) -> None:
    for word in ("uno", "due", "tre"):
        await anna.says(anna.private, word)
    first = await bot.get_updates(limit=2)
    assert [update.message.text for update in first if update.message] == ["uno", "due"]
    assert await bot.get_updates(limit=2) == first
    rest = await bot.get_updates(offset=first[0].update_id + 1)
    assert [update.message.text for update in rest if update.message] == ["due", "tre"]
    assert [update.update_id for update in rest] == [first[0].update_id + 1, first[0].update_id + 2]
    assert len(await bot.get_updates(offset=-1)) == 1
    assert len(telegram.pending) == 1


async def test_a_poll_waits_for_what_comes(telegram: Emulator, bot: Bot, anna: Person) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=10))
    await polled(telegram)
    assert not poll.done()
    await anna.says(anna.private, "ciao")
    assert len(await poll) == 1


async def test_a_poll_that_nobody_answers_comes_back_empty(bot: Bot) -> None:
    assert await bot.get_updates(timeout=1) == ()


async def test_a_second_poll_ends_the_first(telegram: Emulator, bot: Bot, anna: Person) -> None:
    async with connected(telegram) as other:
        first = asyncio.create_task(bot.get_updates(timeout=10))
        await polled(telegram)
        second = asyncio.create_task(other.get_updates(timeout=10))
        with pytest.raises(Conflict, match="terminated by other getUpdates request; make sure that only one bot"):
            await first
        await anna.says(anna.private, "ciao")
        assert len(await second) == 1


async def test_a_dead_clients_poll_takes_nothing_from_the_next(telegram: Emulator, bot: Bot, anna: Person) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=10))
    await polled(telegram)
    poll.cancel()
    await asyncio.gather(poll, return_exceptions=True)
    await anna.says(anna.private, "ciao")
    async with connected(telegram) as restarted:
        assert len(await restarted.get_updates(timeout=2)) == 1


async def test_kinds_that_were_not_asked_for_do_not_come(
    telegram: Emulator, bot: Bot, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Amici", [anna], bot="administrator")
    await bruno.joins(group)
    assert [update.kind for update in telegram.pending] == ["message"]
    await bot.get_updates(offset=-1, allowed_updates=["chat_member", "callback_query"])
    await bruno.leaves(group)
    assert [update.kind for update in telegram.pending[1:]] == ["chat_member"]
    await bot.get_updates()
    await bruno.joins(group)
    assert [update.kind for update in telegram.pending[2:]] == ["chat_member"]


async def test_pending_updates_are_dropped_only_when_asked(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await anna.says(anna.private, "ciao")
    await bot.delete_webhook()
    assert len(telegram.pending) == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert telegram.pending == []


class Receiver:
    """A webhook that answers with the given statuses, then 200."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.texts: list[str] = []
        self.secrets: set[str | None] = set()
        self.port = 0
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Receiver:
        app = web.Application()
        app.router.add_post("/hook", self._take)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        self.secrets.add(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            self.texts.append((await request.json())["message"]["text"])
        return web.Response(status=status)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


async def test_a_webhook_gets_each_update_in_order_with_the_secret(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await anna.says(anna.private, "uno")
    async with Receiver() as receiver:
        await bot.set_webhook(receiver.url, secret_token="segreto-1")
        await anna.says(anna.private, "due")
        await telegram.until(lambda: not telegram.pending)
    assert receiver.texts == ["uno", "due"]
    assert receiver.secrets == {"segreto-1"}


async def test_a_webhook_that_fails_is_tried_again_before_the_next_update(
    telegram: Emulator, bot: Bot, anna: Person
) -> None:
    async with Receiver(500, 503, 500) as receiver:
        await bot.set_webhook(receiver.url)
        await anna.says(anna.private, "uno")
        await anna.says(anna.private, "due")
        await telegram.until(lambda: not telegram.pending)
        info = await bot.get_webhook_info()
    assert receiver.texts == ["uno", "due"]
    assert info.last_error_message == "Wrong response from the webhook: 500 Internal Server Error"


async def test_a_webhook_that_is_down_gets_its_updates_when_it_is_back(
    telegram: Emulator, bot: Bot, anna: Person
) -> None:
    receiver = Receiver()
    async with receiver:
        await bot.set_webhook(receiver.url)
    await anna.says(anna.private, "uno")
    await telegram.until(lambda: telegram.world.webhook.last_error)
    assert (await bot.get_webhook_info()).last_error_message == "Connection refused"
    assert (await bot.get_webhook_info()).pending_update_count == 1
    async with receiver:
        await telegram.until(lambda: not telegram.pending)
    assert receiver.texts == ["uno"]


async def test_polling_and_a_webhook_exclude_each_other(telegram: Emulator, bot: Bot) -> None:
    async with Receiver() as receiver:
        poll = asyncio.create_task(bot.get_updates(timeout=10))
        await polled(telegram)
        await bot.set_webhook(receiver.url)
        with pytest.raises(Conflict, match="terminated by setWebhook request"):
            await poll
        words = (
            "Conflict: can't use getUpdates method while webhook is active;"
            " use deleteWebhook to delete the webhook first"
        )
        with refused(telegram, words, Conflict):
            await bot.get_updates()
        await bot.delete_webhook()
        assert await bot.get_updates() == ()


async def test_webhooks_that_cannot_be(telegram: Emulator, bot: Bot) -> None:
    with refused(telegram, "Bad Request: invalid webhook URL specified"):
        await bot.set_webhook("ftp://example.org")
    with refused(telegram, "Bad Request: secret token contains unallowed characters"):
        await bot.set_webhook("https://example.org", secret_token="è")
    with refused(telegram, "Bad Request: secret token is too long"):
        await bot.set_webhook("https://example.org", secret_token="x" * 257)
