"""The table uses the whole window of a phone in landscape, a desktop and a television, and all of it can be reached."""

import re

import msgspec
import pytest
from playwright.async_api import Page, Route, expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.pressing import open_table
from tests.web.table_scenes import playing
from tests.web.test_motion import FLIGHTS, becomes_true
from tests.web.visitors import Browser, enlarge_text

pytestmark = pytest.mark.costly

LOW = ((844, 390), (720, 450))
"""The window sizes of a phone in landscape, and of a desktop of 1440 × 900 at 200 %."""
WIDE = {(1180, 820): 95, (1440, 900): 110, (2560, 1440): 180}
"""The minimum width of the viewer's cards for each window size."""
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
"""Returns whether builds overlap."""
COVERED = """() => {
    const clock = document.querySelector(".clock").getBoundingClientRect();
    const name = document.querySelector(".turn .name");
    const { left, right, bottom } = name.getBoundingClientRect();
    const over = clock.right > left && clock.left < right && clock.top < bottom;
    return over || name.scrollWidth > name.clientWidth;
}"""
"""Returns whether the clock covers the name of the player on turn, or leaves it no room."""

SMALL = ((640, 360), (568, 320), (320, 568), (640, 400), (320, 256))
"""The window sizes of old phones, in landscape too, and of a desktop 1280 pixels wide at 200 % and at 400 %."""
MIXED_UP = """() => {
    const clip = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        let { left, right, top, bottom } = range.getBoundingClientRect();
        for (let at = element; at; at = at.parentElement) {
            if (getComputedStyle(at).overflowY === "visible") continue;
            const around = at.getBoundingClientRect();
            [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
            [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
        }
        if (!mine.contains(element) && sticky) bottom = Math.min(bottom, mine.getBoundingClientRect().top + 4);
        return { left, right, top, bottom, text: element.textContent.trim(), element };
    };
    const felt = document.querySelector(".felt");
    const TOLD = ".title, .facts, .caption, .by, .latest > span";
    const passing = (one, other) => one.matches(".did") && other.matches(TOLD);
    const mine = document.querySelector(".mine");
    const sticky = getComputedStyle(mine).position === "sticky";
    const scrolls = getComputedStyle(felt).overflowY === "auto";
    document.querySelectorAll(".did").forEach((each) => each.style.setProperty("animation", "none"));
    const words = ".name, .tally, .did, .clock, p.turn, .caption, .by, .facts, .latest > span, .act, .title";
    const all = [...felt.querySelectorAll(words)].filter((each) => each.checkVisibility() && each.textContent.trim());
    const said = all.map(clip).filter(({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1);
    const over = said.flatMap((one, at) => said.slice(at + 1).flatMap((other) =>
        !one.element.contains(other.element) && !other.element.contains(one.element) &&
        !passing(one.element, other.element) && !passing(other.element, one.element) &&
        one.left < other.right - 1 && other.left < one.right - 1 &&
        one.top < other.bottom - 1 && other.top < one.bottom - 1
            ? [`${one.text} | ${other.text}`] : []));
    const seen = (element, x, y) => {
        const above = element.getBoundingClientRect().top - felt.getBoundingClientRect().top;
        if (scrolls) felt.scrollBy(0, above - 9);
        const { left, top, width, height } = element.getBoundingClientRect();
        const at = document.elementFromPoint(left + x * width, top + y * height);
        return element.contains(at) || at?.matches(".latest"); // more than its words can be pressed
    };
    const shown = (names) => [...felt.querySelectorAll(names)].filter((each) => each.checkVisibility());
    const hidden = [
        ...shown(".board .lying").filter((each) => !seen(each, 0.12, 0.08)),
        ...shown(".board .caption, .latest").filter((each) => !seen(each, 0.5, 0.5)),
    ];
    return [...over, ...hidden.map((each) => `not seen: ${each.ariaLabel ?? each.textContent.trim()}`)];
}"""
"""Returns overlapping texts, and those cards and piles that are covered even after scrolling to them.

A bubble with an action covers the line below the name for three seconds.
"""

LINES_OF_HEADING = """(() => {
    const words = document.createRange();
    words.selectNodeContents(document.querySelector("h1"));
    return new Set([...words.getClientRects()].map(({ top }) => top)).size === 1;
})()"""


async def resized(page: Page, width: int, height: int) -> None:
    """Resize the window."""
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


@pytest.mark.parametrize(
    ("game", "seats", "moves"), [("diavoletto", 2, 24), ("gatto_rosso", 4, 9), ("presidente", 4, 5), ("ramino", 4, 24)]
)
async def test_in_a_small_window_no_text_lies_over_another_and_all_cards_are_seen(
    engine: RunningEngine, browser: Browser, game: str, seats: int, moves: int
) -> None:
    page = await open_table(browser, await playing(engine, game, seats, moves), 0)
    await expect(page.get_by_role("button", name="Consiglio")).to_be_visible()
    await page.locator(".hand button").first.click()

    for width, height in SMALL:
        await resized(page, width, height)
        assert await page.evaluate(MIXED_UP) == [], (width, height)
    if game == "gatto_rosso":
        await resized(page, 320, 568)
        assert await page.locator(".felt").evaluate("(felt) => felt.scrollHeight - felt.clientHeight") <= 1


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


async def test_a_mistake_with_thirteen_cards_fits_a_phone_and_says_its_cost(
    engine: RunningEngine, browser: Browser
) -> None:
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
        "cost": 0.124,
        "value": 0.25,
    }
    reviewed = move | {"reason": {"code": "x", "text": "Perché sì."}, "view": shown.json["view"]}

    async def review(route: Route) -> None:
        last = reviewed | {"number": 4, "cost": 0, "value": 0.75}
        await route.fulfill(body=msgspec.json.encode({"moves": [reviewed, last], "worst": [0]}))

    page = await open_table(browser, players, 0)
    await page.route(re.compile("/deals/1/review"), review)
    await page.goto(f"{browser.url}#/table/{players.table}/review")
    await page.get_by_role("button", name="Le mie mosse").click()

    article = page.get_by_role("article")
    await expect(article.get_by_role("heading")).to_have_text("Mossa 1 è costata il 12 % di una vittoria")
    value = page.get_by_role("img", name="25 % dopo la prima scelta, 75 % dopo l'ultima")
    await expect(value).to_be_visible()
    for width in (360, 390, 844, 1440):
        await resized(page, width, 800)
        assert await article.evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0
    await article.get_by_role("button", name="Guarda la mossa").click()
    await expect(page.get_by_role("slider")).to_be_visible()
    await expect(value).to_be_visible()


async def test_a_large_size_makes_cards_larger_too(engine: RunningEngine, browser: Browser) -> None:
    page = await open_table(browser, await playing(engine, "gatto_rosso", 2, 3), 0)
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    await resized(page, 390, 844)
    widths = """() => [".hand .card", ".middle :is(.card, .void)"].map(
        (each) => document.querySelector(each).getBoundingClientRect().width,
    )"""
    own, trick = await page.evaluate(widths)
    assert trick >= 104

    await page.evaluate("document.documentElement.dataset.size = 'large'")

    larger_own, larger_trick = await page.evaluate(widths)
    assert larger_own > own
    assert larger_trick >= trick


async def test_switches_have_a_state_with_forced_colours(browser: Browser) -> None:
    page = await browser.page("#/settings")
    await page.emulate_media(forced_colors="active")
    shown = """(each) => [null, "::before"].map((part) => getComputedStyle(each, part).backgroundColor)"""
    switches = page.get_by_role("switch")

    states = {await each.is_checked(): await each.evaluate(shown) for each in await switches.all()}

    assert len(states) == 2
    assert states[True] != states[False]
    for ground, knob in states.values():
        assert ground != knob


async def test_a_heading_of_one_word_stays_on_its_line_with_text_twice_as_large(browser: Browser) -> None:
    page = await browser.page("#/settings")
    await page.set_viewport_size({"width": 360, "height": 640})
    await enlarge_text(page, 200)
    await becomes_true(page, "parseFloat(getComputedStyle(document.documentElement).fontSize) === 32")

    for address in ("#/settings", "#/new/presidente", "#/solo/diavoletto"):
        await page.goto(browser.url + address)
        await page.reload()
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await becomes_true(page, LINES_OF_HEADING)
