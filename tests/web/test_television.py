"""A table on a television: a large view for spectators through whole matches, with nothing to press."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.sampling import sampled
from tests.web.pressing import open_table
from tests.web.scenes import is_public
from tests.web.test_motion import becomes_true
from tests.web.visitors import Browser, assert_accessible, assert_no_overflow

pytestmark = pytest.mark.costly

CROWDED = (("gatto_rosso", 10), ("ramino", 4), ("diavoletto", 2), ("presidente", 4))
"""Games, and the number of players at a full table."""
ROOMS = ((1280, 720), (1920, 1080), (2560, 1440))
OUTSIDE = """() => [...document.querySelectorAll("main :is(.felt :is(.card, .face, .who, .turn), .qr, h1)")]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.className.baseVal ?? each.className, each.getBoundingClientRect()])
    .filter(([, { left, right, top, bottom }]) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
    .map(([name]) => name)"""
"""Returns elements that are not completely on the screen. Just after a resize there may be some."""


async def television(browser: Browser, table: str) -> Page:
    """Return a page on a television that shows a table."""
    page = await browser.page()
    await page.set_viewport_size({"width": 1920, "height": 1080})
    await is_public(page)
    await page.goto(f"{browser.url}#/tv/{table}")
    return page


async def assert_nothing_to_press(page: Page) -> None:
    """Fail if the page has an element that can be pressed."""
    await expect(page.get_by_role("main").locator(":is(a, button, input, select, summary):visible")).to_have_count(0)


async def test_a_television_shows_a_table_from_its_opening_to_the_rematch_with_nothing_to_press(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, game="presidente")
    page = await television(browser, players.table)
    await expect(page.get_by_role("img", name=re.compile("^Codice QR"))).to_be_visible()
    await expect(page.get_by_role("listitem").filter(has_text="Anna")).to_be_visible()
    await assert_nothing_to_press(page)

    await players.start()
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    await assert_nothing_to_press(page)
    await players.play_out()
    await expect(page.get_by_role("region", name="Fine della partita")).to_be_visible()
    await assert_nothing_to_press(page)

    await players.start()
    await expect(page.get_by_role("region", name="Fine della partita")).to_be_hidden()
    await expect(page.get_by_text("È il turno di")).to_be_visible()


async def test_a_television_puts_the_result_of_a_deal_away_by_itself(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, options={"deals": 2})
    await players.start()
    page = await television(browser, players.table)
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    while (await players.see())["match"]["deal"] == 1:
        await players.play()

    result = page.get_by_role("region", name="Fine della smazzata")
    await expect(result).to_be_visible()
    await assert_nothing_to_press(page)
    await expect(result).to_be_hidden()


async def test_a_television_of_somebody_who_plays_shows_what_a_spectator_sees(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    own = await open_table(browser, players, 0)
    await expect(own.get_by_role("group", name="La tua mano")).to_be_visible()
    await own.get_by_role("button", name="Menu").click()

    async with own.expect_popup() as opened:
        await own.get_by_role("link", name="Mostra su un televisore").click()
    page = await opened.value

    await expect(page.get_by_text("È il turno di")).to_be_visible()
    await expect(page.get_by_role("group", name="La tua mano")).to_have_count(0)
    token = players.tokens[0]
    assert token not in await page.content()
    assert (await page.evaluate("JSON.stringify(performance.getEntriesByType('resource'))")).count(token) == 0


async def test_a_television_says_that_a_table_is_gone(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors("404")
    page = await television(browser, "A" * 22)

    await expect(page.get_by_text("Questo tavolo non c'è più")).to_be_visible()
    await assert_nothing_to_press(page)


@pytest.mark.parametrize(("game", "seats"), [*sampled(CROWDED, 2, 0)])
async def test_all_of_a_table_fits_a_television(engine: RunningEngine, browser: Browser, game: str, seats: int) -> None:
    players = await seat_players(engine, seats, game=game)
    await players.start()
    for _ in range(12):
        await players.play()
    page = await television(browser, players.table)
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    for width, height in ROOMS:
        await page.set_viewport_size({"width": width, "height": height})
        await becomes_true(page, f"({OUTSIDE})().length === 0")
        await assert_no_overflow(page)
    await assert_accessible(page)
