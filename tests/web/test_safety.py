"""No secrets are in readable places, no foreign scripts run, and names are shown as plain text."""

import json
import re
from collections.abc import AsyncIterator

import aiohttp
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import expect

from tests.engine.http.engine_server import RunningEngine, captured_logs, seat_players
from tests.web.visitors import Browser

HOSTILE = "<img src=x onerror=alert(1)>"


async def test_the_token_of_a_seat_is_in_no_address_no_title_no_document_and_no_log(
    engine: RunningEngine, browser: Browser
) -> None:
    with captured_logs(level="debug") as log:
        page = await browser.page("#/solo/gatto_rosso")
        addresses: list[str] = []
        page.on("request", lambda request: addresses.append(request.url))
        await page.get_by_role("button", name="Dai le carte").click()
        await expect(page).to_have_url(re.compile("#/table/"))
        await expect(page.get_by_role("heading").first).to_be_visible()
        table = page.url[-22:]
        kept = await page.evaluate("(table) => localStorage.getItem(`locanda.seat.${table}`)", table)
        token = json.loads(kept)["token"]
        shown = await page.evaluate("document.documentElement.outerHTML + document.title + location.href")

    assert len(token) == 43
    assert token not in shown
    assert not [address for address in addresses if token in address]
    assert token not in log.getvalue()


async def test_a_name_is_text(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1, name=HOSTILE, listed=True)
    page = await browser.page(f"#/table/{players.table}")

    await expect(page.get_by_role("listitem").filter(has_text=HOSTILE)).to_be_visible()
    assert await page.locator("main img").count() == 0


async def test_scripts_and_styles_that_are_not_the_page_s_files_do_nothing(browser: Browser) -> None:
    browser.expect_errors("Content Security Policy")
    page = await browser.page()
    await page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.wasRun = true";
            const style = document.createElement("style");
            style.textContent = "h1 { display: none }";
            document.body.append(script, style);
            document.querySelector("h1").setAttribute("style", "display: none");
        }"""
    )

    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert await page.evaluate("window.wasRun") is None


@pytest_asyncio.fixture(loop_scope="session")
async def prefixed(engine: RunningEngine) -> AsyncIterator[str]:
    """The address of the engine behind a proxy, below a path."""

    async def forward(request: web.Request) -> web.StreamResponse:
        path = request.rel_url.path.removeprefix("/giochi/")
        address = engine.server.make_url(f"/{path}").with_query(request.rel_url.query)
        headers = {name: value for name, value in request.headers.items() if name != "Host"}
        async with (
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.request(request.method, address, headers=headers, data=await request.read()) as response,
        ):
            kept = {
                name: value
                for name, value in response.headers.items()
                if name not in ("Content-Length", "Transfer-Encoding")
            }
            answer = web.StreamResponse(status=response.status, headers=kept)
            await answer.prepare(request)
            async for piece in response.content.iter_any():
                await answer.write(piece)
            return answer

    app = web.Application()
    app.router.add_route("*", "/giochi/{rest:.*}", forward)
    async with TestServer(app) as server:
        yield str(server.make_url("/giochi/"))


async def test_a_proxy_may_serve_the_page_below_any_path(prefixed: str, browser: Browser) -> None:
    browser.url = prefixed  # `prefixed` is the first fixture, so the proxy ends after the browser's pages
    page = await browser.page("#/new/ramino")
    await page.get_by_label("Il tuo nome").fill("Anna")
    await page.get_by_role("button", name="Apri il tavolo").click()

    link = page.get_by_role("textbox", name="Link del tavolo")
    await expect(link).to_have_value(re.compile(re.escape(f"{prefixed}t/")))
    await expect(page.get_by_role("listitem").filter(has_text="Anna")).to_be_visible()
