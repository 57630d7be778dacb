"""Reminders of a person's turn in a browser: system notifications, if they are enabled."""

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.scenes import Visit
from tests.web.visitors import Browser, assert_accessible

pytestmark = pytest.mark.costly

SYSTEM = """
window.notes = [];
window.Notification = class {
    static permission = "default";
    static async requestPermission() { return (this.permission = ANSWER); }
    constructor(title, options) {
        if (Notification.permission === "granted") window.notes.push({ title, ...options, note: this });
    }
    close() {}
};
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isAway === true });
"""
"""Replaces system notifications by records in `notes`. The person answers the permission request with ANSWER. `isAway`
hides the page.
"""
SWITCH = "Avvisami quando tocca a me"


async def person(browser: Browser, answer: str) -> BrowserContext:
    context = await browser.person()
    await context.add_init_script(SYSTEM.replace("ANSWER", f"'{answer}'"))
    return context


async def notes(page: Page, least: int) -> list[str]:
    """Return the titles and texts of the notifications, once there are at least `least`."""
    await page.wait_for_function("(least) => window.notes.length >= least", arg=least)
    shown: list[str] = await page.evaluate("window.notes.map(({ title, body }) => `${title}: ${body}`)")
    return shown


async def test_a_hidden_page_reminds_of_a_turn_and_again_when_little_time_is_left(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, turn_seconds=120)
    page = await browser.tab(await person(browser, "granted"), "#/settings")
    await expect(page.get_by_role("switch", name=SWITCH)).not_to_be_checked()
    await page.get_by_role("switch", name=SWITCH).check()
    await Visit(engine, browser, page).take_seat(players)
    await page.clock.install()
    await page.goto(f"{browser.url}#/table/{players.table}")
    await players.start()
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    if await players.turn() != 0:
        await page.evaluate("window.isAway = true")
        await players.play()
    else:
        await players.play()
        await page.evaluate("window.isAway = true")
        await players.play()
    assert await notes(page, 1) == ["Tocca a te · Gatto Rosso Gatto Grigio: "]
    await page.clock.run_for(91_000)
    first, second = await notes(page, 2)
    assert second == f"{first}30 s"
    await page.evaluate("window.focus = () => (window.focused = true)")
    await page.evaluate("window.notes[1].note.onclick()")
    assert await page.evaluate("window.focused")


async def test_a_browser_that_refuses_notifications_is_told_what_to_do(browser: Browser) -> None:
    page = await browser.tab(await person(browser, "denied"), "#/settings")
    await page.get_by_role("switch", name=SWITCH).click()
    await expect(page.get_by_role("alert")).to_contain_text("Consentile accanto all'indirizzo")
    await expect(page.get_by_role("switch", name=SWITCH)).not_to_be_checked()
    await assert_accessible(page)


async def test_where_pages_cannot_show_notifications_there_is_no_such_setting(browser: Browser) -> None:
    context = await browser.person()
    await context.add_init_script("window.Notification = class { constructor() { throw new TypeError(); } }")
    await context.add_init_script("delete window.PushManager")
    page = await browser.tab(context, "#/settings")
    await expect(page.get_by_role("switch")).to_have_count(4)
    await expect(page.get_by_role("switch", name=SWITCH)).to_have_count(0)


async def test_on_an_iphone_the_settings_say_that_the_page_is_to_be_on_the_home_screen(browser: Browser) -> None:
    context = await browser.person()
    await context.add_init_script("delete window.Notification; navigator.standalone = false;")
    page = await browser.tab(context, "#/settings")
    await expect(page.get_by_text("se la aggiungi alla schermata Home")).to_be_visible()
    await expect(page.get_by_role("switch", name=SWITCH)).to_have_count(0)
