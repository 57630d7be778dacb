"""The time until a person sees a seat or a card on a slow phone far away, and the bytes received until then."""

import asyncio
from collections import defaultdict
from time import time
from typing import NamedTuple

from playwright.async_api import BrowserContext, CDPSession

from locanda.client import EngineClient
from locanda.messages import TABLE_LINK, OpenTable
from tests.bench.page_loading import FIRST_CARD
from tests.bench.page_visits import Players, person
from tests.bench.tables import NAMES
from tests.web.visitors import Browser

KILOBITS = 400
"""The speed of the connection in kilobits per second."""
LATENCY = 300
"""Additional milliseconds for each request."""
THROTTLED = 4
"""The slowdown of the processor, as a factor."""
VISITS = 5
SETTLED = 4000
"""Milliseconds within which a page fills its caches."""
FORM = """
(function look() {
    if (document.querySelector("form input[name=name]")) window.firstCard = performance.now();
    else requestAnimationFrame(look);
})();
"""
"""A script that records when the form for a free seat appears."""
PRESSED = ("[data-game=gatto_rosso] .solo", "form button.large")
"""From the lobby to a match against computer players: a game's tile, then the form's main button."""
PRESSES = f"""
for (const pressed of {list(PRESSED)}) (function press() {{
    const shown = document.querySelector(pressed);
    requestAnimationFrame(shown ? () => requestAnimationFrame(() => shown.click()) : press);
}})();
"""
"""A script that presses each of them as soon as a frame has shown it. Playwright's presses would take a slow processor
tenths of a second.
"""
SEEN = """
Object.defineProperty(window, "firstCard", { set: (at) => window.seen(performance.timeOrigin + at) });
"""
"""A script that reports the recorded time. Asking for it again and again would slow the page down."""


class Visit(NamedTuple):
    """A visit of the page."""

    milliseconds: float
    """Milliseconds from opening the address to the awaited element. The redirect of a link is included."""
    kilobytes: float
    """Kilobytes received until then, headers included."""


async def far_away(browser: Browser, client: EngineClient) -> dict[str, list[Visit]]:
    """Return the visits for each awaited element, without a cache and with one."""
    opened = await client.open_table(OpenTable(game="gatto_rosso", name=NAMES[0]))
    players = await Players.started(client, "ramino", 3)
    friends, own = (
        browser.url.rstrip("/") + TABLE_LINK.format(table=table.id) for table in (opened.table, players.table)
    )
    visits: defaultdict[str, list[Visit]] = defaultdict(list)
    for _ in range(VISITS):
        friend = await person(browser, script=SEEN + FORM)
        visits["a friend's link to the seat's form"].append(await _visit(friend, friends))
        await friend.close()
        seated = await person(browser, players, SEEN + FIRST_CARD)
        for name in ("a seat's link to its first card", "the same link a second time"):
            visits[name].append(await _visit(seated, own))
        await seated.close()
        stranger = await person(browser, script=SEEN + FIRST_CARD + PRESSES)
        visits["the lobby to the first card against computers"].append(await _visit(stranger, browser.url))
        await stranger.close()
    return visits


async def _visit(context: BrowserContext, address: str) -> Visit:
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    received: list[int] = []
    devtools.on("Network.responseReceived", lambda event: received.append(event["response"]["encodedDataLength"]))
    devtools.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
    seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()
    await page.expose_function("seen", lambda at: seen.set_result(at))  # noqa: PLW0108 (Playwright marks what it calls)
    await _slow_down(devtools)
    started = time() * 1000
    await page.goto(address, wait_until="commit")
    milliseconds, kilobytes = await seen - started, sum(received) / 1000
    await page.wait_for_timeout(SETTLED)
    await page.close()
    return Visit(milliseconds, kilobytes)


async def _slow_down(devtools: CDPSession) -> None:
    bytes_a_second = KILOBITS * 1000 / 8
    await devtools.send("Network.enable")
    await devtools.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY,
            "downloadThroughput": bytes_a_second,
            "uploadThroughput": bytes_a_second,
        },
    )
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
