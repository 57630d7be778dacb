"""The size of a page load: all scripts, styles and pictures, compressed as the engine sends them."""

import re

import pytest
from playwright.async_api import Page

from services.engine.http.website import can_pack
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.conftest import website
from tests.web.scenes import Visit
from tests.web.visitors import Browser

MOST = {"br": 44_700, "gzip": 49_700}
"""The maximum number of bytes, by brotli, and by gzip for plain HTTP."""
pytestmark = pytest.mark.skipif(not can_pack(), reason="without brotli a page is heavier")


NO_DELAYS = """
const wait = setTimeout;
window.setTimeout = (call, delay, ...rest) => (delay >= 400 ? 0 : wait(call, delay, ...rest));
"""
"""A script that keeps the page from loading parts a while later: a slow machine may do it before the load ends."""


async def assert_light(page: Page, address: str, last: str) -> None:
    """Load an address until the response `last` arrives.

    Fail if the page and all requested files have too many bytes.
    """
    files, before = website().files, f"/static/{website().version}/"
    loaded: set[str] = set()
    page.on("request", lambda request: loaded.add(request.url.partition("#")[0].partition(before)[2]))
    await page.add_init_script(NO_DELAYS)
    await page.goto("about:blank")
    async with page.expect_response(re.compile(re.escape(last))):
        await page.goto(address)
    sent = [website().page, *(files[name] for name in loaded if name)]
    for coding, most in MOST.items():
        assert sum(len(file.packed[coding]) for file in sent) <= most, coding


@pytest.mark.parametrize(
    ("address", "last"),
    [
        ("#/", "art/cuccu-fan.svg"),
        ("#/solo/ramino", "v1/games/ramino"),
        ("#/new/presidente", "v1/games/presidente"),
        ("#/rules/diavoletto", "v1/games/diavoletto"),
        ("#/settings", "screens/settings.js"),
    ],
)
async def test_a_page_load_weighs_little(browser: Browser, address: str, last: str) -> None:
    page = await (await browser.person()).new_page()

    await assert_light(page, browser.url + address, last)


async def test_a_waiting_table_weighs_little(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    page = await browser.tab(await browser.person(), "#/settings")
    await Visit(engine, browser, page).take_seat(players)

    await assert_light(page, f"{browser.url}#/table/{players.table}", "v1/server")


@pytest.mark.parametrize("game", ["gatto_rosso", "ramino", "diavoletto", "presidente"])
async def test_a_table_with_cards_weighs_little(engine: RunningEngine, browser: Browser, game: str) -> None:
    players = await seat_players(engine, 2, game=game)
    await players.start()
    page = await browser.tab(await browser.person(), "#/settings")
    await Visit(engine, browser, page).take_seat(players)

    await assert_light(page, f"{browser.url}#/table/{players.table}", "art/faces.svg")
