"""The time from a tap to the card on the table, the smoothness of animations, and memory over many deals."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from playwright.async_api import CDPSession, Page

from locanda.client import EngineClient
from tests.bench.page_visits import HAND, Players, at_the_table
from tests.web.visitors import Browser

CROWD = 50
"""The number of other tables in play during the measurement."""
PACE = 1.0
"""Seconds between two moves at each of these tables."""
TAPS = 150
THROTTLED = 4
FLIGHTS = 60
DEALS = 500
SAMPLES = 25
"""Deals between two measurements of memory."""
PATIENCE = 300
"""Seconds after which the measurement ends with fewer deals."""
TAP = f"""
window.taps = [];
const held = () => document.querySelectorAll("{HAND}:not(.gone-now)").length;
addEventListener("click", (tap) => {{
    const before = held();
    new MutationObserver((_, observer) => {{
        if (held() >= before) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => window.taps.push(performance.now() - tap.timeStamp)));
    }}).observe(document, {{ attributes: true, childList: true, subtree: true }});
}}, true);
"""
"""A script that records the milliseconds from a tap to the frame in which the card has left the hand."""
FRAMES = """
window.gaps = [];
let last = 0;
const flies = () => document.querySelector(".moving-card")?.getAnimations()[0]?.playState === "running";
(function frame(now) {
    if (flies()) { if (last) window.gaps.push(now - last); last = now; } else last = 0;
    requestAnimationFrame(frame);
})(0);
"""
"""A script that records the milliseconds between frames while a card flies."""


COMPLETED = """async () => {
    const load = (name) => import(new URL(name, document.querySelector("script[type=module]").src));
    const files = ["flights.js", "games/diavoletto/page.js"];
    const [{ begin, moveCard, placesIn }, { table }] = await Promise.all(files.map(load));
    const places = placesIn(document.querySelector(".play"));
    const [from, to] = ["builds", "aside"].map((name) => places.get(name).rect);
    const cards = [..."A23456789TJQK"].map((rank) => `${rank}s`);
    const moved = table.movements({ type: "completed", build: 0, cards }, 0);
    begin((layer) => moved.map(({ code }, number) => moveCard(layer, table, code, from, to, number * 30)));
}"""
"""A script that animates the cards of a completed build. This animation is the largest, and rare in matches."""
BUILDS = 20


@asynccontextmanager
async def crowd(client: EngineClient) -> AsyncIterator[None]:
    """Let people play at many tables within the context, one move per second at each table."""
    tables = [await Players.started(client, "gatto_rosso", 3) for _ in range(CROWD)]

    async def play_on(players: Players) -> None:
        while True:
            await players.play()
            await asyncio.sleep(PACE)

    tasks = [asyncio.create_task(play_on(players)) for players in tables]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def taps(browser: Browser, client: EngineClient) -> list[float]:
    """Play Gatto Rosso for two.

    Return the milliseconds from tapping a card to the frame in which it lies on the table.
    """
    players = await Players.started(client, "gatto_rosso", 2)
    page = await at_the_table(browser, players, TAP)
    playable = page.locator(HAND).and_(page.get_by_label("si può giocare"))
    known = 0
    while known < TAPS:
        seen = await client.table(players.table.id, players.tokens[0])
        if players.turn == 0 and any(move["type"] == "play" for move in seen.moves):
            await playable.first.click()
            await _until(page, f"window.taps.length > {known}")
            known += 1
            await players.look()
        else:
            await players.play()
    noted: list[float] = await page.evaluate("window.taps")
    await page.context.close()
    return noted


async def frames(browser: Browser, client: EngineClient) -> list[float]:
    """Return the milliseconds between frames while other players' cards move, on a throttled processor."""
    players = await Players.started(client, "gatto_rosso", 3)
    page = await _slowed(browser, players)
    for _ in range(FLIGHTS):
        await players.play()
        await asyncio.sleep(0.6)  # longer than any animation takes
    return await _noted(page)


async def frames_of_builds(browser: Browser, client: EngineClient) -> list[float]:
    """Return the milliseconds between frames while the cards of completed builds are set aside."""
    players = await Players.started(client, "diavoletto", 2)
    while players.turn != 0:  # there is no hand before the first turn
        await players.play()
    page = await _slowed(browser, players)
    for _ in range(BUILDS):
        await page.evaluate(COMPLETED)
        await asyncio.sleep(1.2)
    return await _noted(page)


async def _slowed(browser: Browser, players: Players) -> Page:
    """Return a page at a table, on a throttled processor. The page records the times of its frames."""
    page = await at_the_table(browser, players, FRAMES, still=False)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    return page


async def _noted(page: Page) -> list[float]:
    noted: list[float] = await page.evaluate("window.gaps")
    await page.context.close()
    return noted


async def memory(browser: Browser, client: EngineClient) -> list[tuple[int, float, int]]:
    """Return samples: the number of deals that a page has followed, KiB of JavaScript objects, and DOM nodes."""
    players = await Players.started(client, "gatto_rosso", 2, three_suits="s")
    page = await at_the_table(browser, players)
    devtools = await page.context.new_cdp_session(page)
    samples, end = [], monotonic() + PATIENCE
    while players.deals < DEALS and monotonic() < end:
        goal = players.deals + SAMPLES
        while players.deals < goal:
            await players.play()
        samples.append((players.deals, *await _used(devtools)))
    await page.context.close()
    return samples


async def _used(devtools: CDPSession) -> tuple[float, int]:
    await devtools.send("HeapProfiler.collectGarbage")
    used = await devtools.send("Runtime.getHeapUsage")
    counted = await devtools.send("Memory.getDOMCounters")
    return used["usedSize"] / 1024, counted["nodes"]


async def _until(page: Page, expression: str) -> None:
    """Wait until an expression holds. The page's content policy prevents Playwright from waiting in the page."""
    while not await page.evaluate(expression):  # noqa: ASYNC110 (the page tells nobody)
        await asyncio.sleep(0.01)
