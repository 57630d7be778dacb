"""Updates by webhook, starts and stops of the bot, and secrets that no log line contains."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from io import BytesIO, StringIO

import pytest
import structlog
from aiohttp.test_utils import TestClient, TestServer
from msgspec import structs
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs
from telegram.error import NetworkError

from services.common import logs
from services.telegram import app, receiving
from services.telegram.app import new_bot
from services.telegram.receiving import UpdateQueue
from services.telegram.repositories.bot_state import UpdateRepository
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings, load
from services.telegram.updates import AnyUpdate
from services.telegram.webhook import SECRET_HEADER, Webhook
from tests.emulator import Emulator, Person
from tests.redis_server import free_port
from tests.waiting import until

SECRET = "a-long-secret"
HEAD = b"POST /hook HTTP/1.1\r\nHost: bot\r\n"
UNREADABLE = (
    b'{"update_id": 5, "callback_query": {"id": "1"}}',
    b'{"update_id": 5, "message": {"message_id": "x"}}',
    b'{"update_id": "5"}',
    b"not json",
    b"[]",
    b"[" * 100_000,
    b'{"update_id": 5, "x": "\\ud800"}',
    b"\xff",
    b" " * 2_000_000,
)
SECRET_LINE = f"{SECRET_HEADER}: {SECRET}\r\nContent-Type: application/json\r\n".encode()


def settings(telegram: Emulator, port: int = 0, **more: str) -> BotSettings:
    return load(
        {
            **more,
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/hook",
            "TELEGRAM_WEBHOOK_SECRET": SECRET,
            "TELEGRAM_WEBHOOK_PORT": str(port),
            "ENGINE_URL": "http://127.0.0.1:9",
        }
    )


class Store(UpdateRepository):
    """A store of updates in memory that a test can make fail."""

    def __init__(self) -> None:
        self.kept: dict[int, str] = {}
        self.announcements: asyncio.Queue[int] = asyncio.Queue()
        self.away = False

    def _require(self) -> None:
        if self.away:
            raise RedisConnectionError("away")

    async def keep(self, updates: Mapping[int, str]) -> None:
        self._require()
        self.kept |= updates

    async def forget(self, number: int) -> None:
        self._require()
        self.kept.pop(number, None)

    async def load(self) -> dict[int, str]:
        self._require()
        return dict(self.kept)

    async def announce(self, number: int) -> None:
        self._require()
        self.announcements.put_nowait(number)

    async def forget_announcements(self) -> None:
        self._require()
        self.announcements = asyncio.Queue()

    async def announced(self, seconds: float) -> tuple[int, str] | None:
        try:
            async with asyncio.timeout(seconds):
                number = await self.announcements.get()
        except TimeoutError:
            return None
        self._require()
        return (number, self.kept[number]) if number in self.kept else None


class Handled:
    """The updates that a leader has handled, by id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.numbers: list[int] = []

    async def handle(self, update: AnyUpdate) -> None:
        self.numbers.append(update.update_id)
        await self._store.forget(update.update_id)


@asynccontextmanager
async def leader(webhook: Webhook, telegram: Emulator, store: Store, handled: Handled) -> AsyncIterator[None]:
    """Run a process as the leader inside this context."""
    stop, bot = asyncio.Event(), webhook._bot
    async with bot:
        leads = asyncio.create_task(webhook.lead(UpdateQueue(bot, handled.handle, store), store, stop))
        await until(lambda: telegram.world.webhook.url)
        yield
        stop.set()
        await leads


def webhook_of(telegram: Emulator, store: Store) -> Webhook:
    bot_settings = settings(telegram)
    return Webhook(new_bot(bot_settings), bot_settings, store)


async def post(webhook: Webhook, body: bytes, secret: str = SECRET) -> int:
    async with TestClient(TestServer(webhook.application())) as client:
        headers = {SECRET_HEADER: secret, "Content-Type": "application/json"}
        assert (await client.get("/healthz")).status == 200
        return (await client.post("/hook", data=BytesIO(body), headers=headers)).status


@pytest.mark.parametrize(
    ("secret", "body", "status", "handled"),
    [
        (SECRET, b'{"update_id": 5}', 200, [5]),
        ("wrong", b'{"update_id": 5}', 401, []),
        ("", b'{"update_id": 5}', 401, []),
        *((SECRET, body, 200, []) for body in UNREADABLE),
    ],
)
async def test_the_webhook_handles_what_it_can_read_and_confirms_the_rest_with_the_secret_only(
    telegram: Emulator, secret: str, body: bytes, status: int, handled: list[int]
) -> None:
    store = Store()
    handler = Handled(store)
    webhook = webhook_of(telegram, store)
    async with leader(webhook, telegram, store, handler):
        assert await post(webhook, body, secret) == status
        await until(lambda: not store.kept)
    assert handler.numbers == handled


POLL_OF_AN_OLD_SERVER = {"id": "1", "question": "?", "options": [], "total_voter_count": 0}
"""A poll without a field that python-telegram-bot requires."""


async def test_an_update_that_cannot_be_read_is_one_line_in_the_log_and_the_next_ones_are_handled(
    telegram: Emulator, anna: Person
) -> None:
    stop = asyncio.Event()
    polled = structs.replace(settings(telegram), telegram_webhook_url="")
    running = asyncio.create_task(app.run(polled, stop, limits=RateLimits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    with capture_logs() as lines:
        chat, user = {"id": anna.id, "type": "private"}, {"id": anna.id, "is_bot": False, "first_name": "Anna"}
        message = {"message_id": 900, "date": 1, "chat": chat, "from": user}
        telegram.world.updates.push("message", {**message, "poll": POLL_OF_AN_OLD_SERVER}, anna.id)
        telegram.world.updates.push("message", {**message, "date": 10**20}, anna.id)
        telegram.world.updates.push("message", {**message, "text": "\ud800"}, anna.id)
        telegram.world.updates.push("callback_query", {"id": 1}, anna.id)
        question = await anna.says(anna.private, "/aiuto")
        await anna.private.sees("Benvenuti alla locanda", after=question)
        await until(lambda: not telegram.pending)
    stop.set()
    await running
    unreadable = [line for line in lines if line["event"] == "update_unreadable"]
    assert len(unreadable) == 4
    assert not any(str(anna.id) in str(line) for line in unreadable)


async def test_what_is_stored_and_cannot_be_read_is_forgotten(telegram: Emulator) -> None:
    store = Store()
    handler, webhook = Handled(store), webhook_of(telegram, store)
    store.kept = {3: '{"update_id": 3, "callback_query": {}}', 4: '{"update_id": 4}'}
    async with leader(webhook, telegram, store, handler):
        await until(lambda: not store.kept)
    assert handler.numbers == [4]


async def test_what_a_process_in_reserve_accepts_the_leader_handles_once(telegram: Emulator) -> None:
    store = Store()
    handler = Handled(store)
    reserve, webhook = webhook_of(telegram, store), webhook_of(telegram, store)
    assert await post(reserve, b'{"update_id": 4}') == 200  # while nobody leads
    async with leader(webhook, telegram, store, handler):
        for body in (b'{"update_id": 5}', b'{"update_id": 5}', b'{"update_id": 6}'):
            assert await post(reserve, body) == 200
        assert await post(webhook, b'{"update_id": 5}') == 200
        await until(lambda: len(handler.numbers) == 3 and not store.kept)
    assert handler.numbers == [4, 5, 6]


async def test_what_cannot_be_stored_is_left_to_telegram_in_reserve_and_handled_by_the_leader(
    telegram: Emulator,
) -> None:
    store = Store()
    handler = Handled(store)
    reserve, webhook = webhook_of(telegram, store), webhook_of(telegram, store)
    async with leader(webhook, telegram, store, handler):
        store.away = True
        assert await post(reserve, b'{"update_id": 5}') == 503
        assert await post(webhook, b'{"update_id": 6}') == 200
        assert handler.numbers == [6]
        store.away = False
        assert await post(reserve, b'{"update_id": 5}') == 200
        await until(lambda: handler.numbers == [6, 5])


async def test_a_process_in_reserve_says_in_words_that_it_does_not_answer_the_mini_app(telegram: Emulator) -> None:
    bot_settings = settings(telegram, TELEGRAM_APP="tavolo", PUBLIC_URL="https://cards.example.org")
    reserve = Webhook(new_bot(bot_settings), bot_settings, Store())
    async with TestClient(TestServer(reserve.application())) as client:
        answer = await client.post("/telegram/session", json={}, headers={"Accept-Language": "it"})
        assert (answer.status, (await answer.json())["code"]) == (503, "unreachable")
        assert (await answer.json())["title"].startswith("Il server in questo momento non risponde")


async def test_a_secret_that_is_no_text_is_refused_as_any_other(telegram: Emulator) -> None:
    async with TestServer(webhook_of(telegram, Store()).application()) as server:
        reader, writer = await asyncio.open_connection(server.host, server.port)
        head = f"POST /hook HTTP/1.1\r\nHost: bot\r\nContent-Length: 2\r\n{SECRET_HEADER}: "
        writer.write(head.encode() + b"\xff\r\n\r\n{}")
        assert await reader.readline() == b"HTTP/1.1 401 Unauthorized\r\n"
        writer.close()


@pytest.mark.parametrize(
    ("octets", "answer"),
    [
        (b"G", b""),
        (HEAD, b""),
        (HEAD + SECRET_LINE + b"Content-Length: 9\r\n\r\n{", b"HTTP/1.1 408 Request Timeout\r\n"),
    ],
)
async def test_a_request_that_does_not_come_to_its_end_is_cut_and_telegrams_own_are_served(
    telegram: Emulator, anna: Person, monkeypatch: pytest.MonkeyPatch, octets: bytes, answer: bytes
) -> None:
    for module in ("app", "webhook"):  # time limits of head and body
        monkeypatch.setattr(f"services.telegram.{module}.REQUEST_SECONDS", 0.2)
    stop, port = asyncio.Event(), free_port()
    running = asyncio.create_task(app.run(settings(telegram, port), stop, limits=RateLimits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(octets)
    async with asyncio.timeout(60):
        assert await reader.readline() == answer
    writer.close()
    question = await anna.says(anna.private, "/aiuto")
    await anna.private.sees("Benvenuti alla locanda", after=question)
    stop.set()
    await running


async def test_a_bot_with_a_webhook_answers_and_stops(telegram: Emulator, anna: Person) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=RateLimits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    stop.set()
    await running


async def test_a_bot_started_during_an_outage_of_telegram_waits_for_its_end(telegram: Emulator, anna: Person) -> None:
    stop = asyncio.Event()
    with telegram.outage():
        running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=RateLimits.none()))
        await asyncio.sleep(0.3)
        assert not running.done()
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    stop.set()
    await running


async def test_the_token_is_in_no_log_line_however_much_is_logged(
    telegram: Emulator, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    configuration = structlog.get_config()
    logs.configure("debug", "json")
    stop = asyncio.Event()
    try:
        running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=RateLimits.none()))
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        telegram.fail_next("sendMessage", 500, times=2)
        await anna.says(anna.private, "/gioca")
        await anna.private.sees("Il server in questo momento non risponde")
        stop.set()
        await running
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**configuration)
    assert "bot_ready" in said.getvalue()
    assert telegram.token not in said.getvalue()
    assert SECRET not in said.getvalue()


async def test_one_warning_says_that_telegram_does_not_answer_however_often_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(receiving, "FIRST_PAUSE", 0.0)
    failures = iter([NetworkError("away")] * 3)

    async def ask() -> str:
        for error in failures:
            raise error
        return "an answer"

    with capture_logs() as lines:
        assert await receiving.retry_until_success(ask) == "an answer"
    assert [line["log_level"] for line in lines] == ["warning", "debug", "debug"]
