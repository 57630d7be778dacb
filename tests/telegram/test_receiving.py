"""Updates by webhook, starts and stops of the bot, and secrets that no log line contains."""

import asyncio
import logging
import sys
from io import StringIO

import pytest
import structlog
from aiohttp.test_utils import TestClient, TestServer
from telegram import Bot, Update

from services.common import logs
from services.telegram import app
from services.telegram.receiving import SECRET_HEADER, webhook_application
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings, load
from tests.emulator import Emulator, Person
from tests.redis_server import free_port

SECRET = "a-long-secret"
HEAD = b"POST /hook HTTP/1.1\r\nHost: bot\r\n"
SECRET_LINE = f"{SECRET_HEADER}: {SECRET}\r\nContent-Type: application/json\r\n".encode()


def settings(telegram: Emulator, port: int = 0) -> BotSettings:
    return load(
        {
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/hook",
            "TELEGRAM_WEBHOOK_SECRET": SECRET,
            "TELEGRAM_WEBHOOK_PORT": str(port),
            "ENGINE_URL": "http://127.0.0.1:9",
        }
    )


@pytest.mark.parametrize(
    ("secret", "body", "status", "handled"),
    [
        (SECRET, b'{"update_id": 5}', 200, [5]),
        ("wrong", b'{"update_id": 5}', 401, []),
        ("", b'{"update_id": 5}', 401, []),
        (SECRET, b"not json", 400, []),
        (SECRET, b"[]", 400, []),
    ],
)
async def test_the_webhook_handles_valid_updates_with_the_secret_only(
    telegram: Emulator, secret: str, body: bytes, status: int, handled: list[int]
) -> None:
    taken: list[int] = []

    async def handle(update: Update) -> None:
        taken.append(update.update_id)

    application = webhook_application(Bot(telegram.token), handle, settings(telegram))
    async with TestClient(TestServer(application)) as client:
        headers = {SECRET_HEADER: secret, "Content-Type": "application/json"}
        answer = await client.post("/hook", data=body, headers=headers)
        assert answer.status == status
        assert (await client.get("/healthz")).status == 200
    assert taken == handled


async def test_a_secret_that_is_no_text_is_refused_as_any_other(telegram: Emulator) -> None:
    async def handle(update: Update) -> None:
        raise AssertionError(update)

    async with TestServer(webhook_application(Bot(telegram.token), handle, settings(telegram))) as server:
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
    monkeypatch.setattr("services.telegram.receiving.REQUEST_SECONDS", 0.2)
    stop, port = asyncio.Event(), free_port()
    running = asyncio.create_task(app.run(settings(telegram, port), stop, limits=RateLimits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(octets)
    async with asyncio.timeout(60):
        assert await reader.readline() == answer
    writer.close()
    asked = await anna.says(anna.private, "/aiuto")
    await anna.private.sees("Benvenuti alla locanda", after=asked)
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
        structlog.reset_defaults()
    assert "bot_ready" in said.getvalue()
    assert telegram.token not in said.getvalue()
    assert SECRET not in said.getvalue()
