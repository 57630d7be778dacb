"""The time until a person sees a seat or a card on a slow phone far away, and the bytes received until then."""

from collections.abc import Awaitable, Callable
from time import time
from typing import NamedTuple

from playwright.async_api import BrowserContext, CDPSession, Page

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


class Visit(NamedTuple):
    """A visit of the page."""

    milliseconds: float
    """Milliseconds from opening the address to the awaited element. The redirect of a link is included."""
    kilobytes: float
    """Kilobytes received until then, headers included."""


Path = Callable[[Page], Awaitable[None]]
"""A function that opens a page and goes on to the place where the awaited element is shown."""


async def far_away(browser: Browser, client: EngineClient) -> dict[str, list[Visit]]:
    """Return the visits for each awaited element, without a cache and with one."""
    opened = await client.open_table(OpenTable(game="gatto_rosso", name=NAMES[0]))
    players = await Players.started(client, "ramino", 3)
    visits: dict[str, list[Visit]] = {}
    for _ in range(VISITS):
        friend = await person(browser, script=FORM)
        link = _link(browser, opened.table.id)
        visits.setdefault("a friend's link to the seat's form", []).append(await _visit(friend, link))
        await friend.close()
        seated = await person(browser, players, FIRST_CARD)
        for name in ("a seat's link to its first card", "the same link a second time"):
            visits.setdefault(name, []).append(await _visit(seated, _link(browser, players.table.id)))
        await seated.close()
        stranger = await person(browser, script=FIRST_CARD)
        visits.setdefault("the lobby to the first card against computers", []).append(
            await _visit(stranger, _from_the_lobby(browser))
        )
        await stranger.close()
    return visits


def _link(browser: Browser, table: str) -> Path:
    async def follow(page: Page) -> None:
        await page.goto(browser.url.rstrip("/") + TABLE_LINK.format(table=table), wait_until="commit")
        await page.wait_for_url(f"**/#/table/{table}", wait_until="commit")

    return follow


def _from_the_lobby(browser: Browser) -> Path:
    async def press(page: Page) -> None:
        await page.goto(browser.url, wait_until="commit")
        await page.locator("[data-game=gatto_rosso] .solo").click()
        await page.locator("form button.large").click()

    return press


async def _visit(context: BrowserContext, go: Path) -> Visit:
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    received: list[int] = []
    devtools.on("Network.responseReceived", lambda event: received.append(event["response"]["encodedDataLength"]))
    devtools.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
    await _slow_down(devtools)
    started = time() * 1000
    await go(page)
    milliseconds, kilobytes = await _seen(page) - started, sum(received) / 1000
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


async def _seen(page: Page) -> float:
    """Return the milliseconds from opening the link to the awaited element, by the page's clock."""
    noted = None
    while noted is None:
        noted = await page.evaluate("window.firstCard === undefined ? null : performance.timeOrigin + window.firstCard")
        await page.wait_for_timeout(20)
    return float(noted)
