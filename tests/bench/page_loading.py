"""The weight of a page load, and the time to its first card."""

from playwright.async_api import Request

from locanda.client import EngineClient
from locanda.messages import OpenTable
from tests.bench.page_visits import HAND, Players, at_the_table, person
from tests.web.visitors import Browser

SCREENS = {
    "lobby": "#/",
    "against the computer": "#/solo/ramino",
    "a new table": "#/new/presidente",
    "rules": "#/rules/ramino",
}
GAMES = {"gatto_rosso": 3, "ramino": 3, "diavoletto": 2, "presidente": 4}
SETTLED = 2000
"""Milliseconds after which a page sends no more requests."""
VISITS = 20
FIRST_CARD = f"""
(function look() {{
    const picture = document.querySelector("{HAND} use");
    const sprite = picture && new URL(picture.getAttribute("href"), location).href.split("#")[0];
    const loaded = sprite && performance.getEntriesByType("resource").find(({{ name }}) => name.startsWith(sprite));
    if (!loaded?.responseEnd) requestAnimationFrame(look);
    else requestAnimationFrame(() => requestAnimationFrame(() => {{ window.firstCard = performance.now(); }}));
}})();
"""
"""A script that records the first frame after the hand and its pictures have loaded."""


async def weights(browser: Browser, client: EngineClient) -> dict[str, tuple[int, int]]:
    """Return the bytes of page, scripts, styles and pictures that each screen loads without a cache, and the files."""
    weights_by_screen = {name: await _weight(browser, address) for name, address in SCREENS.items()}
    waiting = await client.open_table(OpenTable(game="gatto_rosso", name="Anna"))
    weights_by_screen["a waiting table"] = await _weight(browser, f"#/table/{waiting.table.id}")
    for game, seats in GAMES.items():
        players = await Players.started(client, game, seats)
        weights_by_screen[f"a table of {game}"] = await _weight(browser, f"#/table/{players.table.id}", players)
    return weights_by_screen


async def _weight(browser: Browser, address: str, players: Players | None = None) -> tuple[int, int]:
    context = await person(browser, players)
    page = await context.new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))  # noqa: PLW0108 (Playwright marks what it calls)
    await page.goto(browser.url + address)
    await page.wait_for_timeout(SETTLED)
    sizes = [
        (await request.sizes())["responseBodySize"]
        for request in finished
        if "/static/" in request.url or request.resource_type == "document"
    ]
    await context.close()
    return sum(sizes), len(sizes)


async def first_cards(browser: Browser, client: EngineClient) -> list[float]:
    """Return the milliseconds from opening a table's address to the first card, for visits without a cache."""
    players = await Players.started(client, "gatto_rosso", GAMES["gatto_rosso"])
    return [await _first_card(browser, players) for _ in range(VISITS)]


async def _first_card(browser: Browser, players: Players) -> float:
    page = await at_the_table(browser, players, FIRST_CARD)
    noted = None
    while noted is None:
        noted = await page.evaluate("window.firstCard ?? null")
    await page.context.close()
    return float(noted)
