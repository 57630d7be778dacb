"""The table takes the room that there is: on a phone's side, on a desktop, on a television; and its ends are seen."""

import re

import msgspec
import pytest
from playwright.async_api import Page, Route, expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.pressing import open_table
from tests.web.table_scenes import playing
from tests.web.test_motion import FLIGHTS, becomes_true
from tests.web.visitors import Browser, enlarge_text

LOW = ((844, 390), (720, 450))
"""A phone on its side, and a desktop of 1440 × 900 at 200 %."""
WIDE = {(1180, 820): 95, (1440, 900): 110, (2560, 1440): 180}
"""How wide a card of one's own is at least."""
OUTSIDE = """() => [...document.querySelectorAll(".hand button, .mine .bar button")].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).length"""
WIDTHS = """() => ["hand", "board"].map((part) => Math.max(
    0, ...[...document.querySelectorAll(`.${part} .card`)].map((each) => each.getBoundingClientRect().width),
))"""
NARROW = """() => [...document.querySelectorAll(".build")].some(
    (each) => each.clientWidth < each.querySelector(".gap, .card").getBoundingClientRect().width,
)"""
"""Whether builds lie over one another."""
COVERED = """() => {
    const clock = document.querySelector(".clock").getBoundingClientRect();
    const name = document.querySelector(".turn .name");
    const { left, right, bottom } = name.getBoundingClientRect();
    const over = clock.right > left && clock.left < right && clock.top < bottom;
    return over || name.scrollWidth > name.clientWidth;
}"""
"""Whether the time lies over the name of who is on turn, or leaves it no room."""

LINES_OF_HEADING = """(() => {
    const words = document.createRange();
    words.selectNodeContents(document.querySelector("h1"));
    return new Set([...words.getClientRects()].map(({ top }) => top)).size === 1;
})()"""


async def resized(page: Page, width: int, height: int) -> None:
    """Give the window another size."""
    await page.set_viewport_size({"width": width, "height": height})
    await becomes_true(page, f"innerWidth === {width}")


@pytest.mark.parametrize("game", ["diavoletto", "presidente"])
async def test_cards_and_buttons_are_in_a_low_window_and_as_large_as_a_wide_one_allows(
    engine: RunningEngine, browser: Browser, game: str
) -> None:
    players = await playing(engine, game, 2 if game == "diavoletto" else 4, 5)
    page = await open_table(browser, players, 0, "desktop")
    await page.locator(".hand button").first.click()
    await expect(page.get_by_role("group", name="Mosse").get_by_role("button").first).to_be_visible()

    for width, height in LOW:
        await resized(page, width, height)
        await becomes_true(page, f"({OUTSIDE})() === 0")
    for (width, height), least in WIDE.items():
        await resized(page, width, height)
        await becomes_true(page, f"({OUTSIDE})() === 0")
        own, others = await page.evaluate(WIDTHS)
        assert own >= others
        assert own >= least
        assert not await page.evaluate(NARROW)


async def test_who_watches_sees_larger_cards_and_in_a_low_window_the_name_of_who_is_on_turn(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "ramino", 3, 5)
    page = await open_table(browser, players, None, "desktop")
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()

    assert (await page.evaluate(WIDTHS))[1] >= 100
    await resized(page, *LOW[0])
    await becomes_true(page, f"!({COVERED})()")


async def test_the_last_card_is_seen_before_the_result(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="presidente")
    await players.start()
    page = await open_table(browser, players, None, "desktop")
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    await page.evaluate(FLIGHTS)
    last: list[str] = []
    while (await players.see())["status"] != "over":
        move = (await players.see(await players.turn()))["moves"][0]
        last = move.get("cards", last)
        await players.play(move)

    await expect(page.get_by_role("region", name="Fine della partita")).to_be_visible()
    assert set(last) <= set(await page.evaluate("window.flights"))


async def test_a_mistake_with_thirteen_cards_fits_a_phone(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 4, game="presidente")
    await players.start()
    await players.play_out()
    proof = (await engine.get(f"{players.path}/deals/1")).json
    shown = await engine.post("/v1/games/presidente/view", {"deal": proof["start"], "seat": 0})
    cards = shown.json["view"]["hand"][:5]
    move = {
        "number": 0,
        "played": {"type": "play", "cards": cards},
        "best": {"type": "play", "cards": cards},
        "loss": 1,
    }
    reviewed = move | {"reason": {"code": "x", "text": "Perché sì."}, "view": shown.json["view"]}

    async def review(route: Route) -> None:
        await route.fulfill(body=msgspec.json.encode({"moves": [reviewed], "worst": [0]}))

    page = await open_table(browser, players, 0)
    await page.route(re.compile("/deals/1/review"), review)
    await page.goto(f"{browser.url}#/table/{players.table}/review")
    await page.get_by_role("button", name="Le mie mosse").click()

    article = page.get_by_role("article")
    await expect(article).to_be_visible()
    for width in (360, 390, 844, 1440):
        await resized(page, width, 800)
        assert await article.evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0


@pytest.mark.parametrize("address", ["#/settings", "#/new/presidente", "#/solo/diavoletto"])
async def test_a_heading_of_one_word_stays_on_its_line_with_text_twice_as_large(browser: Browser, address: str) -> None:
    page = await browser.page(address)
    await page.set_viewport_size({"width": 360, "height": 640})
    await enlarge_text(page, 200)

    await becomes_true(page, "parseFloat(getComputedStyle(document.documentElement).fontSize) === 32")
    await becomes_true(page, LINES_OF_HEADING)
