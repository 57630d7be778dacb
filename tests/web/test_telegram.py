"""The page as a Mini App: opened by signed launch data, with Telegram's own script and a record of its wishes."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from aiohttp.test_utils import TestServer
from fakeredis import FakeServer
from playwright.async_api import Page, Route, expect

from locanda.client import EngineClient
from services.telegram.mini_app.sessions import Sessions
from services.telegram.webhook import SESSION_PATH
from tests.e2e.players import playable
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.engine.http.engine_server import RunningEngine
from tests.secrecy import guarded
from tests.telegram.harness import BotHarness, cards, hand
from tests.telegram.lobby_steps import deal, open_lobby, sit
from tests.telegram.mini_app.launches import launch_data
from tests.telegram.mini_app.test_sessions import APP, app_button, reference
from tests.web.pressing import TablePage
from tests.web.visitors import Browser, Size, assert_accessible, assert_no_overflow

SCRIPT = Path(__file__).parents[2] / "node_modules" / "@twa-dev" / "sdk" / "dist" / "telegram-web-apps.js"
"""A copy of Telegram's script, installed by scripts/lint-web."""
NATIVE = """
window.asked = [];
window.TelegramWebviewProxy = { postEvent: (type, data) => window.asked.push([type, JSON.parse(data || "null")]) };
"""
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
    """Telegram's apps of people, on an engine with a page and a bot between it and the emulator."""

    def __init__(self, browser: Browser, harness: BotHarness, sessions: TestServer) -> None:
        self.browser = browser
        self._harness = harness
        self._sessions = sessions
        self.engine = harness.engine

    async def opens(self, person: Person, start: str, size: Size = "phone", version: str = "8.0") -> Page:
        """Open the app by a link of a group; return its page."""
        context = await self.browser.person(size)
        await context.add_init_script(NATIVE)
        await context.route("https://telegram.org/**", self._script)
        await context.route("**" + SESSION_PATH, self._session)
        page = await context.new_page()
        await page.goto(self.browser.url + self.address(person, start, version))
        await expect(page.get_by_role("main")).to_be_visible()
        return page

    def address(self, person: Person, start: str, version: str = "8.0") -> str:
        """Return the end of the address with which Telegram opens the app."""
        launched = {
            "tgWebAppData": launch_data(person, self._harness.telegram.token, at=time.time(), start=start),
            "tgWebAppVersion": version,
            "tgWebAppPlatform": "android",
            "tgWebAppThemeParams": json.dumps(THEME),
        }
        return "#" + urlencode(launched)

    async def _script(self, route: Route) -> None:
        await route.fulfill(path=SCRIPT, content_type="text/javascript")

    async def _session(self, route: Route) -> None:
        await route.fulfill(response=await route.fetch(url=str(self._sessions.make_url(SESSION_PATH))))


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
def anna(telegram: Emulator) -> Person:
    return telegram.person("Anna", language="it")


@pytest.fixture
def bruno(telegram: Emulator) -> Person:
    return telegram.person("Bruno", language="it")


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person) -> Chat:
    return telegram.supergroup("Amici", [anna, bruno])


@pytest.fixture
async def harness(telegram: Emulator, engine: RunningEngine, anna: Person) -> AsyncIterator[BotHarness]:
    """A running bot with a Mini App, on the engine that serves the page."""
    async with EngineClient.connect(engine.url("")) as client, guarded(telegram, engine.store):
        harness = BotHarness(telegram, client, FakeServer(), APP)
        await harness.open()
        try:
            await anna.starts()
            await anna.private.sees("Benvenuti alla locanda")
            yield harness
        finally:
            await harness.close()
            await harness.redis.aclose()


@pytest.fixture
async def app(harness: BotHarness, browser: Browser) -> AsyncIterator[MiniApp]:
    assert harness.context is not None
    application = Sessions(harness.context, harness.telegram.token).application()
    async with AsyncExitStack() as stack:
        server = TestServer(application)
        await server.start_server()
        stack.push_async_callback(server.close)
        browser.expect_errors(r"\[Telegram.WebView\]")
        yield MiniApp(browser, harness, server)


async def asked(page: Page) -> dict[str, Any]:
    """Return what the page has asked of Telegram's app, by kind: the last of each."""
    return dict(await page.evaluate("window.asked"))


async def test_a_person_of_the_group_plays_a_card_of_their_own_hand(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)))
    held = page.get_by_role("group", name="La tua mano").get_by_role("button")
    await expect(held).to_have_count(len(cards(hand(anna))))
    await assert_no_overflow(page)
    reported = await asked(page)
    assert "web_app_ready" in reported
    assert reported["web_app_setup_swipe_behavior"] == {"allow_vertical_swipe": False}
    assert reported["web_app_set_background_color"] == {"color": THEME["bg_color"]}


async def test_nothing_secret_is_kept_or_shown_in_the_address(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)))
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    assert "tgWebApp" not in page.url
    assert "token" not in await page.evaluate("JSON.stringify(localStorage)")


async def test_a_stranger_watches_and_a_member_sits_down_as_themselves(
    app: MiniApp, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(anna, group)
    ref = reference(app_button(group))
    stranger = await app.opens(telegram.person("Dora", language="it"), ref)
    await expect(stranger.get_by_text("Anna")).to_be_visible()
    page = await app.opens(bruno, ref)
    await page.get_by_role("button", name="Siediti come Bruno").click()
    await group.sees("👤 Bruno")
    await expect(page.get_by_role("listitem").filter(has_text="Bruno")).to_contain_text("tu")
    app.browser.expect_errors("403")
    await stranger.get_by_role("button", name="Siediti come Dora").click()
    await expect(stranger.get_by_role("alert")).to_be_visible()
    assert group.shows("👤 Dora") is None


async def test_another_link_while_the_app_is_open_leads_to_its_table(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    first = reference(app_button(group))
    page = await app.opens(anna, first)
    guest = page.get_by_role("listitem").filter(has_text="Bruno")
    await expect(guest).to_be_visible()
    await open_lobby(anna, group)
    await group.until(lambda place: reference(app_button(place)) != first)
    await page.evaluate("address => { location.hash = address }", app.address(anna, reference(app_button(group))))
    await expect(guest).to_have_count(0)
    await expect(page.get_by_role("listitem").filter(has_text="Anna")).to_be_visible()


async def test_an_old_app_without_back_button_or_colours_still_plays(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)), version="6.0")
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    assert not {"web_app_setup_back_button", "web_app_setup_swipe_behavior"} & set(await asked(page))


async def test_the_app_says_what_to_do_where_the_table_is_gone(app: MiniApp, anna: Person, group: Chat) -> None:
    page = await app.opens(anna, "nosuchref")
    app.browser.expect_errors("403")
    await expect(page.get_by_role("heading", name="Questo tavolo non c'è più")).to_be_visible()
    await assert_accessible(page)


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_a_page_and_a_chat_play_a_match_at_one_table(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    shown = TablePage(await app.opens(anna, reference(app_button(group))))
    over = shown.page.get_by_role("region", name="Fine della partita")
    yours = shown.main.get_by_text("Tocca a te")
    theirs = shown.main.get_by_text("È il turno di Bruno")
    await expect(yours.or_(theirs).or_(over).first).to_be_visible()
    while not await over.count():
        if await theirs.count():
            await bruno.private.until(lambda _: playable(bruno) is not None)
            button = playable(bruno)
            assert button is not None
            before = await shown.main.inner_text()
            await bruno.taps(bruno.private, button)
            await expect(shown.main).not_to_have_text(before, use_inner_text=True)
            await _tapped(bruno, button)
        else:
            await shown.press()
        await expect(yours.or_(theirs).or_(over).first).to_be_visible()

    await group.sees(button="Rivincita")


async def _tapped(person: Person, button: InlineButton) -> None:
    """Wait until a person's hand no longer has the button that they have tapped."""
    await person.private.until(lambda _: not ((now := playable(person)) and now.callback_data == button.callback_data))
