"""Requests to the Bot API: their content and their errors, none of which contains a secret."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from telegram import Bot
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut

from services.telegram.sending import http_request
from services.telegram.sending.bot_api import DeliveryError, classify
from services.telegram.sending.http_request import AiohttpRequest, NotSentError, proxy_for
from tests.redis_server import free_port

TOKEN = "1:secret-token"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def bot_of(handler: Handler, connections: int = 4) -> AsyncIterator[Bot]:
    """Yield a bot whose Bot API server is the function `handler`."""
    application = web.Application()
    application.router.add_route("*", "/{tail:.*}", handler)
    async with TestServer(application) as server:
        yield made(str(server.make_url("")), connections)


def made(url: str, connections: int = 4) -> Bot:
    """Return a bot for the server at `url`, without calling it."""
    request, polls = AiohttpRequest(url, connections), AiohttpRequest(url, 1)
    return Bot(TOKEN, base_url=f"{url.rstrip('/')}/bot", request=request, get_updates_request=polls)


async def started(bot: Bot) -> Bot:
    """Open the bot's connections without a call of getMe."""
    await bot.request.initialize()
    return bot


def answer(result: object) -> web.Response:
    return web.json_response({"ok": True, "result": result})


SENT = {"message_id": 5, "date": 1, "chat": {"id": 7, "type": "private"}}


async def test_a_message_arrives_with_its_parameters_under_the_token() -> None:
    requests: list[tuple[str, Any]] = []

    async def handle(request: web.Request) -> web.Response:
        requests.append((request.path, await request.json()))
        return answer(SENT)

    async with bot_of(handle) as bot:
        sent = await (await started(bot)).send_message(7, "perché così <b>☝️</b>")
        await bot.request.shutdown()
    assert sent.message_id == 5
    assert requests == [(f"/bot{TOKEN}/sendMessage", {"chat_id": "7", "text": "perché così <b>☝️</b>"})]


async def test_a_file_goes_with_its_parameters_as_a_form() -> None:
    form_content: dict[str, Any] = {}

    async def handle(request: web.Request) -> web.Response:
        form = await request.post()
        upload = form["document"]
        assert isinstance(upload, web.FileField)
        form_content.update(
            chat=form["chat_id"], caption=form["caption"], name=upload.filename, bytes=upload.file.read()
        )
        return answer(SENT)

    async with bot_of(handle) as bot:
        await (await started(bot)).send_document(7, b'{"nome": "Anna"}', filename="dati.json", caption="i dati")
        await bot.request.shutdown()
    assert form_content == {"chat": "7", "caption": "i dati", "name": "dati.json", "bytes": b'{"nome": "Anna"}'}


@pytest.mark.parametrize(
    ("status", "parameters", "error"),
    [
        (400, None, BadRequest),
        (401, None, InvalidToken),
        (429, {"retry_after": 3}, RetryAfter),
        (502, None, NetworkError),
    ],
)
async def test_a_refusal_is_python_telegram_bots_own_error(
    status: int, parameters: dict[str, int] | None, error: type[TelegramError]
) -> None:
    async def handle(_: web.Request) -> web.Response:
        refusal = {"ok": False, "error_code": status, "description": "Bad Request: no"}
        return web.json_response(refusal | ({"parameters": parameters} if parameters else {}), status=status)

    async with bot_of(handle) as bot:
        with pytest.raises(error):
            await (await started(bot)).send_message(7, "text")
        await bot.request.shutdown()


async def test_a_request_without_a_server_was_certainly_not_sent() -> None:
    bot = await started(made(f"http://127.0.0.1:{free_port()}"))
    with pytest.raises(NotSentError) as raised:
        await bot.send_message(7, "K♥")
    await bot.request.shutdown()
    assert classify(raised.value) is DeliveryError.NOT_SENT
    assert_no_secret(raised.value)


async def test_an_answer_that_is_cut_off_leaves_it_open_whether_the_message_arrived() -> None:
    async def handle(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async with bot_of(handle) as bot:
        with pytest.raises(NetworkError) as raised:
            await (await started(bot)).send_message(7, "K♥")
        await bot.request.shutdown()
    assert classify(raised.value) is DeliveryError.UNCERTAIN
    assert_no_secret(raised.value)


async def test_an_answer_that_takes_too_long_leaves_it_open_whether_the_message_arrived() -> None:
    came = asyncio.Event()

    async def handle(_: web.Request) -> web.Response:
        await came.wait()
        return answer(SENT)

    async with bot_of(handle) as bot:
        with pytest.raises(TimedOut) as raised:
            await (await started(bot)).send_message(7, "K♥", read_timeout=0.1)
        came.set()
        await bot.request.shutdown()
    assert classify(raised.value) is DeliveryError.UNCERTAIN
    assert_no_secret(raised.value)


async def test_a_request_that_gets_no_connection_in_time_was_certainly_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came, request_came = asyncio.Event(), asyncio.Event()

    async def handle(_: web.Request) -> web.Response:
        request_came.set()
        await came.wait()
        return answer(SENT)

    async with bot_of(handle, connections=1) as bot:
        first = asyncio.create_task((await started(bot)).send_message(7, "first"))
        await request_came.wait()
        monkeypatch.setattr(http_request, "_limits", lambda *_: aiohttp.ClientTimeout(connect=0.1))
        with pytest.raises(NotSentError):
            await bot.send_message(7, "second")
        came.set()
        assert (await first).message_id == 5
        await bot.request.shutdown()


async def test_an_answer_that_is_no_json_is_an_error_that_does_not_quote_it(caplog: pytest.LogCaptureFixture) -> None:
    async def handle(_: web.Request) -> web.Response:
        return web.Response(text="<html>K♥</html>")

    async with bot_of(handle) as bot:
        with pytest.raises(TelegramError) as raised:
            await (await started(bot)).send_message(7, "text")
        await bot.request.shutdown()
    assert_no_secret(raised.value)
    assert "K♥" not in caplog.text


def test_the_proxy_is_the_one_that_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "127.0.0.1,.inside.example")
    assert proxy_for("https://api.telegram.org") == "http://proxy.example:3128"
    assert proxy_for("https://telegram.inside.example") is None
    assert proxy_for("http://127.0.0.1:8081") is None


async def test_requests_go_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[tuple[str, str | None]] = []

    async def handle(request: web.Request) -> web.Response:
        requests.append((str(request.url), request.headers.get("Proxy-Authorization")))
        return answer(SENT)

    async with bot_of(handle) as served:
        proxy = served.base_url.partition("/bot")[0]
        monkeypatch.setenv("http_proxy", proxy.replace("http://", "http://user:word@"))
        monkeypatch.setenv("no_proxy", "")
        bot = await started(made("http://telegram.example"))
        await bot.send_message(7, "text")
        await bot.request.shutdown()
    assert requests == [(f"http://telegram.example/bot{TOKEN}/sendMessage", "Basic dXNlcjp3b3Jk")]


def assert_no_secret(error: BaseException | None) -> None:
    """Assert that neither the error nor any of its causes contains the token or the message."""
    while error is not None:
        said = f"{error!r} {error}"
        assert "secret-token" not in said
        assert "K♥" not in said
        error = error.__cause__ or error.__context__
