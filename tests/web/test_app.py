"""The page as an app: it is installed from its manifest, opens without a connection, and reports missing data."""

import re

from playwright.async_api import expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.pressing import take_seat
from tests.web.test_motion import becomes_true
from tests.web.visitors import Browser, assert_accessible

REGISTER = """async () => {
    const registration = await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
    return new URL(registration.scope).pathname;
}"""
CONTROLLED = "navigator.serviceWorker.controller !== null"
KEPT = """async () => {
    const names = await caches.keys();
    const caching = await Promise.all(names.map((name) => caches.open(name)));
    const requests = await Promise.all(caching.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => url);
}"""


async def test_without_a_connection_the_page_opens_and_says_what_it_does_not_know_until_there_is_one(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    players = await seat_players(engine, 2, game="presidente")
    context = await browser.person(kept=True)
    await take_seat(context, players, 0)
    page = await browser.tab(context)
    assert await page.evaluate(REGISTER) == "/"
    await becomes_true(page, CONTROLLED)
    await page.reload()
    await expect(page.locator("[data-game]")).to_have_count(4)

    await context.set_offline(True)
    await page.reload()

    await expect(page.get_by_role("alert")).to_contain_text("Il server non risponde")
    await expect(page.get_by_role("region", name="In corso")).to_contain_text(re.compile("presidente", re.IGNORECASE))
    await assert_accessible(page)
    assert not [url for url in await page.evaluate(KEPT) if "/v1/" in url]
    await context.set_offline(False)
    await expect(page.get_by_role("alert")).to_have_count(0)
    await expect(page.locator("[data-game]")).to_have_count(4)


async def test_the_page_can_be_installed(engine: RunningEngine, browser: Browser) -> None:
    page = await browser.page()
    devtools = await page.context.new_cdp_session(page)
    manifest = await devtools.send("Page.getAppManifest")

    assert manifest["errors"] == []
    assert '"display": "standalone"' in manifest["data"]
    for icon in ("180", "192", "512", "maskable"):
        assert (await engine.get(f"/icons/{icon}.png")).headers["Content-Type"] == "image/png"
