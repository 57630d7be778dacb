"""The page below a path of an address, behind the proxies of docs/install.md: Caddy and nginx."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from playwright.async_api import Browser as Chromium
from playwright.async_api import expect

from locanda.client import EngineClient
from locanda.messages import OpenTable, SitDown
from tests.e2e.processes import ROOT
from tests.engine.http.engine_server import RunningEngine
from tests.programs import program
from tests.redis_server import free_port
from tests.waiting import until
from tests.web.visitors import Browser

pytestmark = pytest.mark.long

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; {block} }}
}}
"""
CALLED = "the bot was called"


@asynccontextmanager
async def bot() -> AsyncIterator[int]:
    """A fake bot at the address of its Mini App; yields its port."""

    async def session(_: web.Request) -> web.Response:
        return web.Response(text=CALLED)

    application = web.Application()
    application.router.add_post("/telegram/session", session)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port := free_port()).start()
    try:
        yield port
    finally:
        await runner.cleanup()


def configuration(name: str, folder: Path, port: int, engine: int, bot: int) -> list[str]:
    """Write a proxy's configuration, copied from its block in docs/install.md.

    Return the command that runs the proxy.
    """
    kind = {"caddy": "caddyfile", "nginx": "nginx"}[name]
    text = (ROOT / "docs" / "install.md").read_text()
    (block,) = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    block = block.replace("127.0.0.1:8080", f"127.0.0.1:{engine}").replace("127.0.0.1:8090", f"127.0.0.1:{bot}")
    file = folder / name
    if name == "nginx":
        file.write_text(NGINX.format(folder=folder, port=port, block=block))
        return [program("nginx"), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(file)]
    file.write_text("{\n\tadmin off\n}\n" + block.replace("example.org", f"http://127.0.0.1:{port}"))
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]


@asynccontextmanager
async def proxy(name: str, folder: Path, engine: int) -> AsyncIterator[str]:
    """Run a proxy; yield the address below which it serves the page."""
    port = free_port()
    async with bot() as bot_port:
        command = await asyncio.to_thread(configuration, name, folder, port, engine, bot_port)
        variables = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        process = await asyncio.create_subprocess_exec(*command, env=variables, stderr=asyncio.subprocess.DEVNULL)
        try:
            async with aiohttp.ClientSession() as session:
                await until(lambda: _serves(session, f"http://127.0.0.1:{port}/carte/healthz"))
            yield f"http://127.0.0.1:{port}/carte"
        finally:
            process.terminate()
            await process.wait()


async def _serves(session: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with session.get(url) as answer:
            return answer.status == 200
    except aiohttp.ClientError:
        return False


@pytest.mark.parametrize("name", ["caddy", "nginx"])
async def test_page_links_streams_mini_app_and_documents_work_below_a_path(
    name: str, tmp_path: Path, engine: RunningEngine, chromium: Chromium
) -> None:
    async with proxy(name, tmp_path, engine.server.port or 0) as url, EngineClient.connect(url) as client:
        browser = Browser(chromium, url)
        try:
            opened = await client.open_table(OpenTable("gatto_rosso", "Anna"))
            page = await browser.page(f"#/table/{opened.table.id}")
            assert page.url.startswith(f"{url}/#/table/")
            await expect(page.get_by_text("Anna").first).to_be_visible()
            await client.sit(opened.table.id, SitDown("Bruno"))  # the page gets this change from its stream
            await expect(page.get_by_text("Bruno").first).to_be_visible()
            await page.goto(f"{url}/t/{opened.table.id}")
            await expect(page.get_by_text("Bruno").first).to_be_visible()
            assert page.url == f"{url}/#/table/{opened.table.id}"

            call = (
                "fetch(new URL('telegram/session', document.baseURI), {method: 'POST'}).then((found) => found.text())"
            )
            assert await page.evaluate(call) == CALLED

            await page.goto(f"{url}/docs")
            await page.locator('a[href="problems/stale"]').first.click()
            await page.wait_for_url(f"{url}/problems/stale")
            await page.get_by_role("link", name="API", exact=True).click()
            await page.wait_for_url(f"{url}/docs")
            await page.get_by_role("link", name="openapi.json").click()
            await page.wait_for_url(f"{url}/openapi.json")
            browser.assert_no_errors()
        finally:
            await browser.close()
