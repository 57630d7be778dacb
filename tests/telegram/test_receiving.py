"""Updates delivered to the webhook; and what the logs never say."""

import asyncio
import logging
import sys
from io import StringIO

import pytest
import structlog
from aiohttp.test_utils import TestClient, TestServer
from telegram import Bot, Update

from services.telegram import app
from services.telegram.outbox.pace import Limits
from services.telegram.receiving import SECRET_HEADER, webhook
from services.telegram.settings import Settings, load
from shared import logs
from tests.emulator import Emulator, Person
from tests.redis_server import free_port

SECRET = "a-long-secret"


def settings(telegram: Emulator, port: int = 0) -> Settings:
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
async def test_the_webhook_takes_what_telegram_delivers_and_nothing_else(
    telegram: Emulator, secret: str, body: bytes, status: int, handled: list[int]
) -> None:
    taken: list[int] = []

    async def handle(update: Update) -> None:
        taken.append(update.update_id)

    application = webhook(Bot(telegram.token), handle, settings(telegram))
    async with TestClient(TestServer(application)) as client:
        headers = {SECRET_HEADER: secret, "Content-Type": "application/json"}
        answer = await client.post("/hook", data=body, headers=headers)
        assert answer.status == status
        assert (await client.get("/healthz")).status == 200
    assert taken == handled


async def test_by_webhook_the_bot_answers_and_stops_when_told(telegram: Emulator, anna: Person) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=Limits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    stop.set()
    await running


async def test_a_bot_started_while_telegram_is_away_waits_for_it(telegram: Emulator, anna: Person) -> None:
    stop = asyncio.Event()
    with telegram.outage():
        running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=Limits.none()))
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
        running = asyncio.create_task(app.run(settings(telegram, free_port()), stop, limits=Limits.none()))
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        telegram.fail_next("sendMessage", 500, times=2)
        await anna.says(anna.private, "/gioca")
        await anna.private.sees("La locanda in questo momento non risponde", timeout=10)
        stop.set()
        await running
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()
    assert "bot_ready" in said.getvalue()
    assert telegram.token not in said.getvalue()
    assert SECRET not in said.getvalue()
