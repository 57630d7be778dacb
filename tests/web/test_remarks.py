"""Remarks at the table on the page."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from locanda.messages import RemarkName
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import open_table
from tests.web.scenes import Visit
from tests.web.table_scenes import REMARKS_STAY, playing, sit
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly


async def seated(engine: RunningEngine, browser: Browser) -> tuple[SeatedPlayers, Page]:
    """Return a match of three, and the page of the player on its first seat."""
    players = await playing(engine, "gatto_rosso", 3, 0)
    page = await sit(Visit(engine, browser, await browser.page("#/settings")), players)
    await expect(page.get_by_role("button", name="Di' qualcosa")).to_be_visible()
    return players, page


async def say(players: SeatedPlayers, seat: int, remark: RemarkName) -> None:
    """Make a remark from a seat over the API."""
    path = f"{players.path}/seats/{seat}/remarks"
    answer = await players.engine.post(path, {"remark": remark}, token=players.tokens[seat])
    assert answer.status == 200


async def test_what_is_said_is_seen_beside_who_says_it_for_a_few_seconds_and_heard_once(
    engine: RunningEngine, browser: Browser
) -> None:
    players, page = await seated(engine, browser)
    await say(players, 1, "well_played")
    beside = page.locator("[data-place=seat-1] .said")
    await expect(beside).to_have_text("Ben giocata")
    await expect(page.locator("[aria-live=polite]")).to_have_text("Ospite 1: Ben giocata")
    await say(players, 2, "applause")
    await expect(page.locator("[data-place=seat-2] .said")).to_have_text("👏")
    await expect(page.locator("[aria-live=polite]")).to_have_text("Ospite 2: Applausi")
    await expect(page.locator(".said")).to_have_count(0)


async def test_remarks_made_at_the_same_time_are_all_seen(engine: RunningEngine, browser: Browser) -> None:
    players, page = await seated(engine, browser)
    await page.evaluate(REMARKS_STAY)
    await asyncio.gather(say(players, 0, "thinking"), say(players, 1, "well_played"), say(players, 2, "laughter"))
    await expect(page.locator(".said")).to_have_count(3)


async def test_what_is_said_before_the_match_is_seen_and_heard(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    page = await open_table(browser, players, 0)
    guest = page.get_by_role("listitem").filter(has_text="Ospite 1")
    await expect(guest).to_be_visible()
    await say(players, 1, "applause")
    await expect(guest.locator(".said")).to_have_text("👏")
    await expect(page.locator("[aria-live=polite]")).to_have_text("Ospite 1: Applausi")


async def test_a_person_speaks_and_mutes_the_others(engine: RunningEngine, browser: Browser) -> None:
    players, page = await seated(engine, browser)
    await page.get_by_role("button", name="Di' qualcosa").click()
    await page.get_by_role("switch", name="Parole degli altri").click()
    await expect(page.get_by_role("switch", name="Parole degli altri")).to_have_attribute("aria-checked", "false")
    await say(players, 1, "lucky")
    await page.get_by_role("dialog").get_by_role("button", name="Ci penso").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.locator(".said")).to_have_text(["Ci penso"])

    await page.reload()
    await page.get_by_role("button", name="Di' qualcosa").click()
    await expect(page.get_by_role("switch", name="Parole degli altri")).to_have_attribute("aria-checked", "false")


async def test_a_person_mutes_one_of_the_others(engine: RunningEngine, browser: Browser) -> None:
    players, page = await seated(engine, browser)
    await page.get_by_role("button", name="Di' qualcosa").click()
    await page.get_by_role("switch", name="Parole di Ospite 1").click()
    await expect(page.get_by_role("switch", name="Parole di Ospite 1")).to_have_attribute("aria-checked", "false")
    await expect(page.get_by_role("switch", name="Parole di Ospite 2")).to_have_attribute("aria-checked", "true")
    await say(players, 1, "lucky")
    await say(players, 2, "well_played")
    await expect(page.locator(".said")).to_have_text(["Ben giocata"])


async def test_another_name_ends_no_mute(engine: RunningEngine, browser: Browser) -> None:
    _, page = await seated(engine, browser)
    await page.get_by_role("button", name="Di' qualcosa").click()
    await page.get_by_role("switch", name="Parole di Ospite 1").click()
    waiting = await seat_players(engine, 2)
    await page.goto(f"{browser.url}#/table/{waiting.table}")
    await expect(page.get_by_role("listitem").filter(has_text="Ospite 1")).to_be_visible()
    await engine.ask("PUT", f"{waiting.path}/seats/1/name", {"name": "Bruna"}, token=waiting.tokens[1])
    await expect(page.get_by_role("listitem").filter(has_text="Bruna")).to_be_visible()
    await say(waiting, 1, "lucky")
    await say(waiting, 0, "applause")
    await expect(page.locator(".said")).to_have_text(["👏"])


async def test_who_watches_cannot_speak(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "gatto_rosso", 2, 0)
    page = await browser.page(f"#/table/{players.table}")
    await expect(page.get_by_text("Stai guardando")).to_be_visible()
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await expect(page.get_by_role("button", name="Di' qualcosa")).to_have_count(0)
