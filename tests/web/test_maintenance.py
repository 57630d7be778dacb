"""Announced maintenance, on every screen of the page."""

from playwright.async_api import expect

from services.engine.service.administration import Operator
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.scenes import Visit
from tests.web.visitors import Browser


async def test_whoever_looks_at_the_page_reads_it_within_a_minute(engine: RunningEngine, browser: Browser) -> None:
    administration = engine.context.service.administration
    players = await seat_players(engine, 2)
    page = await browser.page("#/settings")
    await page.clock.install()
    await Visit(engine, browser, page).take_seat(players)
    await page.goto(f"{browser.url}#/table/{players.table}")
    await page.clock.run_for(5_000)
    await administration.announce(20, 30, "New disk.", Operator("127.0.0.1", "1"))

    await page.clock.run_for(60_000)
    line = page.get_by_role("status").filter(has_text="New disk.")
    await expect(line).to_contain_text("Manutenzione tra 20 minuti")

    await page.goto(f"{browser.url}#/table/{players.table}")
    await players.start()
    await page.clock.run_for(60_000)
    await expect(line).to_be_hidden(timeout=30_000)  # it has been read, and the table needs the room

    await page.goto(f"{browser.url}#/")
    await expect(line).to_be_visible()
    await administration.end_maintenance(Operator("127.0.0.1", "2"))
    await page.clock.run_for(60_000)
    await expect(line).to_have_count(0)
