"""Several tabs of one person: browsers open at most six connections to a server for all tabs together."""

import pytest
from playwright.async_api import Page, expect

from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import PLAYABLE, TablePage, take_seat
from tests.web.scenes import Visit
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

BEHIND = """
let behind = false;
Object.defineProperty(document, "hidden", { get: () => behind });
window.putBehind = (value) => {
    behind = value;
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Lets a test hide a tab. Otherwise a browser without windows treats all tabs as visible at the same time."""
TABS = 6


async def put_behind(page: Page, *, behind: bool = True) -> None:
    """Hide a tab, or show it again."""
    await page.evaluate("(behind) => window.putBehind(behind)", behind)


async def on_turn(players: SeatedPlayers) -> None:
    """Play until the first seat is on turn and can play a card."""
    while not any(move["type"] == "play" for move in (await players.see(0))["moves"]):
        await players.play()


@pytest.mark.parametrize("behind", [True, pytest.param(False, marks=pytest.mark.long)], ids=["tabs", "windows"])
async def test_a_card_is_played_with_six_tables_open(engine: RunningEngine, browser: Browser, *, behind: bool) -> None:
    context = await browser.person()
    await context.add_init_script(BEHIND)
    visit = Visit(engine, browser, await browser.tab(context, "#/settings"))
    pages = []
    for _ in range(TABS):
        players = await seat_players(engine, 2)
        await players.start()
        await on_turn(players)
        await visit.take_seat(players)
        page = await browser.tab(context, f"#/table/{players.table}")
        await expect(TablePage(page).yours).to_be_visible()
        await put_behind(page, behind=behind)
        pages.append(page)

    for page in (pages[0], pages[-1]):
        await put_behind(page, behind=False)
        await TablePage(page).hand.get_by_role("button", name=PLAYABLE).first.click()
        await expect(TablePage(page).main.get_by_text("È il turno di")).to_be_visible()


async def test_a_hidden_tab_learns_what_happens_at_its_table(engine: RunningEngine, browser: Browser) -> None:
    context = await browser.person()
    await context.add_init_script(BEHIND)
    await context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    players = await seat_players(engine, 1)
    await take_seat(context, players, 0)
    page = await browser.tab(context, f"#/table/{players.table}")
    await expect(page.get_by_role("heading", name="Posti")).to_be_visible()

    await put_behind(page)
    await engine.post(f"{players.path}/seats", {"name": "Bruno"})

    await expect(page.get_by_role("listitem").filter(has_text="Bruno")).to_be_visible()
