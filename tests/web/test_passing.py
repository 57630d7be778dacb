"""Temporary states end by themselves: notices, bubbles, wrapped texts, old files, a wrong clock."""

import re

import pytest
from playwright.async_api import Page, Route, expect

from tests.engine.http.engine_server import RunningEngine, SeatedPlayers
from tests.web.pressing import PLAYABLE, open_table
from tests.web.scenes import Visit
from tests.web.table_scenes import playing, sit
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

NETWORK = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "network error", "dynamically imported module")
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"
TRANSLATE = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter(({ data }) => data.trim())) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = `«${text.data}»`;
        outer.append(inner);
        text.replaceWith(outer);
    }
}"""
"""Replaces text nodes by elements, like the translator of Chrome."""


async def seated(
    engine: RunningEngine, browser: Browser, game: str = "gatto_rosso", seats: int = 2
) -> tuple[SeatedPlayers, Page]:
    """Return a match, and the page of the player on its first seat, which is on turn."""
    players = await playing(engine, game, seats, 0)
    return players, await sit(Visit(engine, browser, await browser.page("#/settings")), players)


async def until_turn(players: SeatedPlayers, seat: int) -> None:
    """Play for whichever player is on turn, until it is this seat's turn."""
    while await players.turn() != seat:
        await players.play()


async def test_a_refusal_of_somebody_else_s_turn_is_gone_on_one_s_own(engine: RunningEngine, browser: Browser) -> None:
    players, page = await seated(engine, browser, "ramino")
    await until_turn(players, 1)
    others_turn = page.get_by_role("main").get_by_text(re.compile("^È il turno di"))
    await expect(others_turn).to_be_visible()
    await page.get_by_role("button", name=re.compile("^Tallone")).click()
    await expect(page.locator(".word")).to_be_visible()

    await until_turn(players, 0)

    await expect(others_turn).to_be_hidden()
    await expect(page.locator(".word")).to_have_count(0)


async def test_an_answer_that_is_asked_for_in_the_menu_is_not_kept_for_the_next_time(
    engine: RunningEngine, browser: Browser
) -> None:
    _, page = await seated(engine, browser)
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Lascia il tavolo", exact=True).click()
    await expect(page.get_by_role("button", name="Sì, lascia il tavolo")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Menu").click()

    await expect(page.get_by_role("button", name="Lascia il tavolo", exact=True)).to_be_visible()


async def test_a_card_that_cannot_be_sent_says_so_and_goes_back_to_the_hand(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors(*NETWORK)
    players, page = await seated(engine, browser)
    while not any(move["type"] == "play" for move in (await players.see(0))["moves"]):
        await players.play()
    hand = page.get_by_role("group", name="La tua mano")
    await expect(hand.get_by_role("button", name=PLAYABLE).first).to_be_visible()
    await page.wait_for_function("document.styleSheets.length > 3")
    count = await hand.get_by_role("button").count()

    await page.context.set_offline(True)
    await hand.get_by_role("button", name=PLAYABLE).first.click()
    await expect(hand.get_by_text("Invio…")).to_be_visible()

    notice = page.locator(".word")
    await expect(notice).to_contain_text("La mossa non è partita")
    await expect(hand.get_by_text("Invio…")).to_have_count(0)
    assert await hand.get_by_role("button").count() == count
    assert await notice.evaluate("(each) => each.offsetHeight") < 80
    await page.context.set_offline(False)
    await expect(notice).to_have_count(0)
    await hand.get_by_role("button", name=PLAYABLE).first.click()
    await expect(page.get_by_role("main").get_by_text("È il turno di")).to_be_visible()
    assert await players.turn() == 1


async def test_a_translated_table_says_whose_turn_it_is(engine: RunningEngine, browser: Browser) -> None:
    players, page = await seated(engine, browser)
    await page.evaluate(TRANSLATE)

    await until_turn(players, 1)

    await expect(page.locator(".statement .turn")).to_have_text(re.compile("^È il turno di"))
    await expect(page.locator("[data-place=seat-1].turn")).to_be_visible()


async def test_a_translated_television_says_whose_turn_it_is(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    page = await browser.page(f"#/tv/{players.table}", "desktop")
    await expect(page.locator(".felt .turn").last).to_contain_text("Anna")
    await page.evaluate(TRANSLATE)

    await until_turn(players, 1)

    await expect(page.locator(".felt p.turn")).to_have_text(re.compile("^[^«]*Ospite 1"))


async def test_the_time_left_follows_the_server_s_clock(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    context = await browser.person()
    await context.add_init_script("const now = Date.now; Date.now = () => now() + 24 * 3600_000;")
    page = await browser.tab(context, "#/settings")
    page = await sit(Visit(engine, browser, page), players)

    await expect(page.get_by_role("timer")).to_have_text(re.compile("(9|10) min"))


async def test_a_link_that_was_copied_out_of_a_sentence_leads_to_its_table(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    for end in (".", ",", ")", "%20"):
        page = await browser.page(f"t/{players.table}{end}")
        await expect(page.get_by_text("Stai guardando")).to_be_visible()
        await page.close()


async def test_a_page_of_an_older_release_is_loaded_once_more_where_a_part_is_gone(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("404", "dynamically imported module", "Failed to load")
    page = await browser.page("#/settings")
    await page.evaluate("window.isOld = true")
    await page.route(re.compile(r"/(screens/mine|table/playing)\.js"), lambda route: route.fulfill(status=404))

    async def newer(route: Route) -> None:
        answer = await route.fetch()
        body = re.sub("static/[0-9a-f]+/icon", "static/abcdef/icon", await answer.text())
        await route.fulfill(response=answer, body=body)

    await page.route(browser.url, newer)
    async with page.expect_event("load"):
        await page.get_by_role("link", name="I miei tavoli").click()
    assert await page.evaluate("window.isOld") is None


async def test_a_browser_that_keeps_nothing_says_so_at_the_table(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    context = await browser.person()
    await context.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }"
    )
    page = await browser.tab(context, f"#/table/{players.table}")

    await expect(page.locator(".word")).to_contain_text("Questo browser non conserva nulla")


async def test_a_seat_outlives_the_clearing_of_what_the_browser_keeps(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    page = await open_table(browser, players, 0)
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    await page.evaluate("localStorage.clear()")
    await page.reload()

    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
