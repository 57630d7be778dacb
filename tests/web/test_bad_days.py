"""Failures show a screen with the cause and the remedy, and lose no data."""

import re

import pytest
from playwright.async_api import Page, Route, expect

from tests.engine.http.engine_server import ApiResponse, RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import open_table
from tests.web.scenes import NO_TABLE, keep_seat
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

NETWORK = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK", "ERR_CONNECTION", "network error")


async def host_of(engine: RunningEngine, browser: Browser, players: SeatedPlayers) -> Page:
    """Return the page of a table's host."""
    page = await open_table(browser, players, 0)
    await expect(page.get_by_role("heading", name="Posti")).to_be_visible()
    return page


async def test_the_network_goes_away_and_comes_back(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors(*NETWORK)
    players = await seat_players(engine, 1)
    page = await host_of(engine, browser, players)

    await page.context.set_offline(True)
    await expect(page.get_by_text("La connessione è caduta")).to_be_visible()
    await engine.post(f"{players.path}/seats", {"name": "Bruno"})
    await page.context.set_offline(False)

    await expect(page.get_by_text("Bruno", exact=True)).to_be_visible()
    await expect(page.get_by_text("La connessione è caduta")).to_be_hidden()


async def test_what_was_asked_for_without_a_network_is_not_done_and_can_be_asked_again(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors(*NETWORK)
    players = await seat_players(engine, 1)
    page = await host_of(engine, browser, players)
    add = page.get_by_role("button", name="Aggiungi un giocatore al computer")

    await page.context.set_offline(True)
    await add.click()
    await expect(page.get_by_role("alert")).to_contain_text("Il server non risponde")
    await page.context.set_offline(False)
    await add.click()

    await expect(page.get_by_text("Bruno", exact=True).or_(page.get_by_text("Carla", exact=True))).to_be_visible()
    assert len((await players.see())["seats"]) == 2


async def test_an_answer_that_is_lost_seats_nobody_twice(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors(*NETWORK)
    players = await seat_players(engine, 1)
    page = await browser.page(f"#/table/{players.table}")

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.abort()

    await page.route("**/seats?*", lose)
    await page.get_by_label("Il tuo nome").fill("Bruno")
    await page.get_by_role("button", name="Siediti").click()
    await expect(page.get_by_role("alert")).to_contain_text("Il server non risponde")
    await page.unroute("**/seats?*")
    await page.get_by_role("button", name="Siediti").click()

    await expect(page.get_by_text("dà le carte appena ci siete tutti")).to_be_visible()
    assert [seat["name"] for seat in (await players.see())["seats"]] == ["Anna", "Bruno"]


async def test_a_table_that_cannot_be_reached_for_long_says_so_and_goes_on_by_itself(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors(*NETWORK)
    players = await seat_players(engine, 1)
    page = await browser.page()
    await page.route("**/v1/tables/**", lambda route: route.abort())
    await page.goto(f"{browser.url}#/table/{players.table}")

    await expect(page.get_by_role("heading", name="Il server non risponde")).to_be_visible()
    again = page.get_by_role("button", name="Riprova")
    await expect(again).to_have_css("border-radius", "999px")
    await page.unroute("**/v1/tables/**")
    await again.click()

    await expect(page.get_by_role("heading", name="Posti")).to_be_visible()


async def test_the_engine_is_away_when_the_page_opens(browser: Browser) -> None:
    browser.expect_errors(*NETWORK)
    page = await browser.page("#/settings")
    await page.route("**/v1/**", lambda route: route.abort())
    await page.goto(f"{browser.url}#/")
    await expect(page.get_by_role("alert")).to_contain_text("Il server non risponde")

    await page.unroute("**/v1/**")
    await page.get_by_role("button", name="Riprova").click()

    await expect(page.get_by_role("heading", name="Presidente")).to_be_visible()


async def test_a_token_that_is_no_longer_good_leaves_the_table_to_be_watched(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("401")
    players = await seat_players(engine, 1)
    page = await browser.page()
    await keep_seat(page, {"table": players.table, "game": "gatto_rosso", "token": "A" * 43, "name": "Anna", "at": 0})
    await page.goto(f"{browser.url}#/table/{players.table}")
    await expect(page.get_by_role("heading", name="A questo tavolo non hai più un posto")).to_be_visible()

    await page.get_by_role("button", name="Guarda senza sederti").click()

    await expect(page.get_by_role("button", name="Siediti")).to_be_visible()


async def test_a_guest_whom_the_host_removes_is_told(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors("401")
    players = await seat_players(engine, 1)
    page = await browser.page(f"#/table/{players.table}")
    await page.get_by_label("Il tuo nome").fill("Bruno")
    await page.get_by_role("button", name="Siediti").click()
    await expect(page.get_by_text("dà le carte appena ci siete tutti")).to_be_visible()

    await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])

    await expect(page.get_by_role("heading", name="A questo tavolo non hai più un posto")).to_be_visible()


async def test_a_table_that_was_closed_leads_to_another_one(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors("401")
    players = await seat_players(engine, 1, game="ramino")
    page = await host_of(engine, browser, players)

    await engine.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])
    await page.get_by_role("link", name="Apri un altro tavolo").click()

    await expect(page.get_by_role("button", name="Apri il tavolo")).to_be_visible()


async def test_a_link_to_a_table_that_never_was(browser: Browser) -> None:
    browser.expect_errors("404")
    page = await browser.page()
    for address in (f"#/table/{NO_TABLE}", "#/table/short", "#/table/"):
        await page.goto(browser.url + address)
        await page.reload()

        await expect(page.get_by_role("heading", name="Questo tavolo non c'è più"), address).to_be_visible()
        await page.get_by_role("link", name="Ai giochi", exact=True).click()
        await expect(page.get_by_role("heading", name="Accomodati")).to_be_visible()


async def test_a_link_to_a_table_whose_options_admit_no_more(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, options={"three_suits": "s"})
    page = await browser.page(f"#/table/{players.table}")

    await expect(page.get_by_text("I posti sono tutti occupati")).to_be_visible()
    await expect(page.get_by_text("2 su 2")).to_be_visible()
    await expect(page.get_by_role("button", name="Siediti")).to_be_hidden()


async def test_a_seat_is_taken_while_one_types_their_name(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1, game="diavoletto")
    page = await browser.page(f"#/table/{players.table}")
    await page.get_by_label("Il tuo nome").fill("Carla")

    await engine.post(f"{players.path}/seats", {"name": "Bruno"})

    await expect(page.get_by_text("I posti sono tutti occupati")).to_be_visible()


async def test_a_seat_is_taken_before_the_news_of_it_comes(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors("409", *NETWORK)
    players = await seat_players(engine, 1, game="diavoletto")
    page = await browser.page(f"#/table/{players.table}")
    await page.get_by_label("Il tuo nome").fill("Carla")
    held: list[ApiResponse] = []

    async def first_somebody_else(route: Route) -> None:
        if not held:
            held.append(await engine.post(f"{players.path}/seats", {"name": "Bruno"}))
        await route.continue_()

    await page.route("**/seats?*", first_somebody_else)
    await page.get_by_role("button", name="Siediti").click()

    await expect(page.get_by_text("I posti sono tutti occupati").first).to_be_visible()
    assert [seat["name"] for seat in (await players.see())["seats"]] == ["Anna", "Bruno"]


async def test_two_tabs_on_one_seat_show_the_same(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1)
    first = await host_of(engine, browser, players)
    second = await browser.tab(first.context, f"#/table/{players.table}")

    await first.get_by_role("button", name="Aggiungi un giocatore al computer").click()
    await expect(second.get_by_role("listitem").filter(has_text="Bruno")).to_be_visible()
    await second.get_by_role("button", name="Fai alzare Bruno").click()

    await expect(first.get_by_role("listitem").filter(has_text="Bruno")).to_be_hidden()


async def test_what_is_decided_by_an_old_state_of_the_table_is_not_done(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("412", *NETWORK)
    players = await seat_players(engine, 1)
    page = await host_of(engine, browser, players)

    async def first_somebody_sits_down(route: Route) -> None:
        await engine.post(f"{players.path}/seats", {"name": "Carla"})
        await route.continue_()

    await page.route("**/seats?*", first_somebody_sits_down, times=1)
    await page.get_by_role("button", name="Aggiungi un giocatore al computer").click()

    await expect(page.get_by_role("alert")).to_contain_text("Intanto il tavolo è cambiato")
    await expect(page.get_by_role("listitem").filter(has_text="Carla")).to_be_visible()


REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


@pytest.mark.parametrize("script", [REFUSED, FULL], ids=["refused", "full"])
async def test_a_browser_that_keeps_nothing_says_so_and_the_seat_lasts_as_long_as_the_page(
    engine: RunningEngine, browser: Browser, script: str
) -> None:
    context = await browser.person()
    await context.add_init_script(script)
    page = await browser.tab(context, "#/new/gatto_rosso")
    await expect(page.get_by_role("note")).to_contain_text("Questo browser non conserva nulla")
    await page.get_by_label("Il tuo nome").fill("Anna")
    await page.get_by_role("button", name="Apri il tavolo").click()
    await expect(page.get_by_role("heading", name="Posti")).to_be_visible()

    await page.get_by_role("link", name="I miei tavoli").click()
    await page.get_by_role("link", name="Gatto Rosso Gatto Grigio").click()

    await expect(page.get_by_text("tu · tiene il tavolo")).to_be_visible()


async def test_a_tab_that_was_asleep_shows_what_has_happened_since(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1)
    page = await host_of(engine, browser, players)
    debugger = await page.context.new_cdp_session(page)

    await debugger.send("Page.setWebLifecycleState", {"state": "frozen"})
    for number in range(40):
        seated = await engine.post(f"{players.path}/seats", {"name": f"Ospite {number}"})
        assert seated.status == 201
        await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])
    await engine.post(f"{players.path}/seats", {"name": "Bruno"})
    await debugger.send("Page.setWebLifecycleState", {"state": "active"})

    await expect(page.get_by_role("listitem").filter(has_text="Bruno")).to_be_visible()


async def test_a_part_of_the_page_that_does_not_load_is_told(browser: Browser) -> None:
    """After an update, the files of the page have other addresses."""
    browser.expect_errors(*NETWORK, "dynamically imported module")
    page = await browser.page()
    await page.route(re.compile(r"screens/settings\.js"), lambda route: route.abort())
    await page.get_by_role("link", name="Impostazioni").click()

    await expect(page.get_by_role("heading", name="Una parte della pagina non si è caricata")).to_be_visible()
    await expect(page.get_by_role("button", name="Ricarica")).to_be_visible()
