"""People's Telegram apps: the page opened with signed launch data and Telegram's own script."""

import html
import json
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from aiohttp.test_utils import BaseTestServer
from playwright.async_api import BrowserContext, FrameLocator, Page, Route, expect

from services.telegram.mini_app.server import CALLS
from tests.emulator import Person
from tests.telegram.harness import BotHarness
from tests.telegram.mini_app.launches import launch_data
from tests.web.visitors import Browser, Size

SCRIPT = Path(__file__).parents[2] / "node_modules" / "@twa-dev" / "sdk" / "dist" / "telegram-web-apps.js"
"""A copy of Telegram's script, installed by scripts/lint-web."""
NATIVE = """
window.asked = [];
window.TelegramWebviewProxy = { postEvent: (type, data) => window.asked.push([type, JSON.parse(data || "null")]) };
"""
WEB_CLIENT = "https://web.telegram.org"
THEME = {
    "bg_color": "#17212b",
    "secondary_bg_color": "#232e3c",
    "text_color": "#f5f5f5",
    "hint_color": "#9fb0bf",
    "link_color": "#6ab3f3",
    "button_color": "#8fd0ff",
    "button_text_color": "#10202c",
}


class MiniApp:
    """People's Telegram apps.

    They use an engine with a page, and the bot that connects the engine with the emulator.
    """

    def __init__(self, browser: Browser, harness: BotHarness, bot: BaseTestServer) -> None:
        self.browser = browser
        self._harness = harness
        self._bot = bot
        self.engine = harness.engine

    async def opens(
        self,
        person: Person,
        start: str,
        size: Size = "phone",
        version: str = "8.0",
        theme: Mapping[str, str] = THEME,
    ) -> Page:
        """Open the app by a link in a group, and return the app's page."""
        context = await self._person(size)
        await context.add_init_script(NATIVE)
        page = await context.new_page()
        await page.goto(self.browser.url + self.address(person, start, version, theme))
        await expect(page.get_by_role("main")).to_be_visible()
        return page

    async def opens_in_web_client(self, person: Person, start: str) -> FrameLocator:
        """Open the app in a frame of Telegram's web client, and return the frame."""
        context = await self._person("desktop")
        # The engine runs on this machine. Chromium lets pages from other hosts reach it only with this permission.
        await context.grant_permissions(["local-network-access"], origin=WEB_CLIENT)
        address = html.escape(self.browser.url + self.address(person, start))
        client = f'<iframe src="{address}" allow="local-network-access"></iframe>'
        await context.route(f"{WEB_CLIENT}/**", lambda route: route.fulfill(body=client, content_type="text/html"))
        page = await context.new_page()
        await page.goto(f"{WEB_CLIENT}/k/")
        return page.frame_locator("iframe")

    async def _person(self, size: Size) -> BrowserContext:
        """Return a person's browser context, with Telegram's script and routes for the bot's calls."""
        context = await self.browser.person(size)
        await context.route("https://telegram.org/**", self._script)
        for path in CALLS:
            await context.route(f"**{path}", self._call)
        return context

    def address(self, person: Person, start: str, version: str = "8.0", theme: Mapping[str, str] = THEME) -> str:
        """Return the fragment of the address that Telegram opens the app with."""
        launched = {
            "tgWebAppData": launch_data(person, self._harness.telegram.token, at=time.time(), start=start),
            "tgWebAppVersion": version,
            "tgWebAppPlatform": "android",
            "tgWebAppThemeParams": json.dumps(theme),
        }
        return "#" + urlencode(launched)

    async def _script(self, route: Route) -> None:
        await route.fulfill(path=SCRIPT, content_type="text/javascript")

    async def _call(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        await route.fulfill(response=await route.fetch(url=str(self._bot.make_url(path))))
