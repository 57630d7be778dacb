"""Announced maintenance, on every screen of the page."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, expect

from services.engine.service.administration import Operator
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.scenes import Visit
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly


async def minutes_pass(page: Page, until: Callable[[float], Awaitable[None]]) -> None:
    """Let two minutes pass in steps that are shorter than a request may take.

    Stop when a condition on the page holds.
    """
    for _ in range(24):
        await page.clock.run_for(5_000)
        try:
            return await until(500)
        except AssertionError:
            continue
    pytest.fail("two minutes have not changed the page")


async def test_whoever_looks_at_the_page_reads_it_within_a_minute(engine: RunningEngine, browser: Browser) -> None:
    administration = engine.context.service.administration
    players = await seat_players(engine, 2)
    page = await browser.tab(await browser.person(), "#/settings")
    await page.clock.install()
    await Visit(engine, browser, page).take_seat(players)
    await page.goto(f"{browser.url}#/table/{players.table}")
    await expect(page.get_by_role("heading", name="Posti")).to_be_visible()
    await administration.announce(20, 30, "New disk.", Operator("127.0.0.1", "1"))

    line = page.get_by_role("status").filter(has_text="New disk.")
    await minutes_pass(page, lambda patience: expect(line).to_contain_text("Manutenzione tra 20", timeout=patience))

    await players.start()
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible(timeout=30_000)
    # The notice has been read, and the table needs its room.
    await minutes_pass(page, lambda patience: expect(line).to_be_hidden(timeout=patience))

    await page.goto(f"{browser.url}#/")
    await expect(line).to_be_visible()
    await administration.end_maintenance(Operator("127.0.0.1", "2"))
    await minutes_pass(page, lambda patience: expect(line).to_have_count(0, timeout=patience))


async def test_it_is_read_also_where_the_network_was_away_when_the_page_was_opened(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("ERR_INTERNET_DISCONNECTED")
    await engine.context.service.administration.announce(20, 30, "New disk.", Operator("127.0.0.1", "1"))
    page = await browser.tab(await browser.person(), "#/settings")
    await page.clock.install()
    await page.goto(f"{browser.url}#/mine")
    await page.reload()
    await expect(page.get_by_role("heading").first).to_be_visible()
    await page.context.set_offline(True)
    async with page.expect_event("requestfailed", lambda request: "maintenance" in request.url):
        await page.clock.run_for(10_000)

    await page.context.set_offline(False)

    line = page.get_by_role("status").filter(has_text="New disk.")
    await minutes_pass(page, lambda patience: expect(line).to_be_visible(timeout=patience))
