import re

import pytest
from playwright.async_api import expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.scenes import Visit
from tests.web.test_motion import becomes_true
from tests.web.visitors import SIZES, Browser, Size, assert_accessible, assert_no_overflow


@pytest.mark.parametrize("size", SIZES)
async def test_three_taps_after_the_address_cards_are_dealt(browser: Browser, size: Size) -> None:
    page = await browser.page(size=size)
    await page.get_by_role(
        "link", name=re.compile("Gatto Rosso Gatto Grigio: *(contro il computer|da solo)", re.IGNORECASE)
    ).click()
    await page.get_by_role("button", name="Dai le carte").click()

    await expect(page).to_have_url(re.compile(r"#/table/[A-Za-z0-9_-]{22}$"))


async def test_a_match_against_computers_begins_without_a_second_look_at_its_table(browser: Browser) -> None:
    page = await (await browser.person()).new_page()
    async with page.expect_request_finished(lambda request: "gatto_rosso/page.js" in request.url):
        await page.goto(f"{browser.url}#/solo/gatto_rosso")
    await page.route("**/events?*", lambda _: None)
    await page.get_by_role("button", name="Dai le carte").click()

    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()


async def test_one_button_is_the_main_one_that_of_the_game_played_last_and_its_tile_leads_there_too(
    engine: RunningEngine, browser: Browser
) -> None:
    page = await browser.page("#/settings")
    await Visit(engine, browser, page).take_seat(await seat_players(engine, 2, game="presidente"))
    await page.goto(f"{browser.url}#/")

    main = page.locator("[data-game] .button:not(.quiet)")
    await expect(main).to_have_count(1)
    await expect(main).to_have_attribute("href", "#/solo/presidente")
    await page.locator("[data-game=ramino] .fan").click(position={"x": 9, "y": 9}, force=True)

    await expect(page).to_have_url(re.compile("#/solo/ramino$"))


@pytest.mark.parametrize(("game", "card"), [("gatto_rosso", "cinque di cuori"), ("ramino", "Sette")])
async def test_rules_show_the_cards_that_they_name(browser: Browser, game: str, card: str) -> None:
    page = await browser.page(f"#/rules/{game}")
    shown = page.get_by_role("article").get_by_role("img", name=card, exact=True).first
    await shown.scroll_into_view_if_needed()
    await expect(shown.locator(".card")).to_be_visible()


async def test_beside_the_rules_a_wide_window_lists_their_parts(browser: Browser) -> None:
    page = await browser.page("#/rules/diavoletto", size="desktop")
    last = page.get_by_role("heading", name="Varianti")
    await expect(last).not_to_be_in_viewport()

    await page.get_by_role("navigation", name="Indice").get_by_role("button", name="Varianti").click()

    await expect(last).to_be_in_viewport()
    await assert_no_overflow(page)


@pytest.mark.costly
async def test_all_games_are_on_one_screen_of_a_phone_below_what_goes_on_now(
    engine: RunningEngine, browser: Browser
) -> None:
    await seat_players(engine, 2, listed=True)
    page = await browser.page("#/settings")
    await Visit(engine, browser, page).take_seat(await seat_players(engine, 2, game="presidente"))
    await page.goto(f"{browser.url}#/")
    rows = page.get_by_role("region", name="In corso").get_by_role("listitem")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("aspetta giocatori")

    for game in await page.locator("[data-game]").all():
        box = await game.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= SIZES["phone"]["height"]


async def test_a_listed_table_in_play_is_watched_from_the_lobby(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, listed=True)
    await players.start()
    page = await browser.page()
    await page.get_by_role("region", name="In corso").get_by_role("link", name="si gioca: guarda").click()

    await expect(page).to_have_url(re.compile(f"#/table/{players.table}$"))
    await expect(page.get_by_role("main")).to_be_visible()


async def test_the_lobby_shows_tables_that_open_start_and_end_while_it_is_seen(
    engine: RunningEngine, browser: Browser
) -> None:
    page = await browser.page()
    await expect(page.get_by_text("Al momento nessuno aspetta compagnia.")).to_be_visible()
    players = await seat_players(engine, 2, listed=True)
    rows = page.get_by_role("region", name="In corso").get_by_role("listitem")
    await expect(rows).to_contain_text(["2 su"])
    await players.start()
    await expect(rows).to_contain_text(["si gioca: guarda"])
    await players.play_out()
    await expect(rows).to_have_count(0)


async def test_another_cloth_brings_its_own_backs_and_is_kept(browser: Browser) -> None:
    page = await browser.page("#/settings")
    await page.get_by_role("radio", name="Rosso vino").check()
    backs = "getComputedStyle(document.documentElement).getPropertyValue('--card-back').trim()"
    await becomes_true(page, f"{backs} === '#1f5b43'")
    await page.reload()

    await becomes_true(page, f"{backs} === '#1f5b43'")
    await assert_accessible(page)
