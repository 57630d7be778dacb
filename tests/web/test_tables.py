"""From the lobby to a table: options, the link, seats, computer players, seeds, and settings that are kept."""

import re

import pytest
from playwright.async_api import Page, expect

from locanda.messages import JsonObject
from tests.client.test_links import LINKS, TABLE
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.pressing import open_table, take_seat
from tests.web.scenes import NO_TABLE, PUBLIC, Visit, is_public, keep_seat
from tests.web.visitors import Browser, assert_accessible, assert_no_overflow

pytestmark = pytest.mark.costly


async def table_of(engine: RunningEngine, page: Page) -> JsonObject:
    """Return the table at a page's address, as a spectator sees it."""
    await expect(page).to_have_url(re.compile(r"#/table/[A-Za-z0-9_-]{22}$"))
    table_: JsonObject = (await engine.get(f"/v1/tables/{page.url[-22:]}")).json
    return table_


async def test_a_table_for_friends_has_the_options_that_its_host_has_chosen(
    engine: RunningEngine, browser: Browser
) -> None:
    page = await browser.page("#/new/presidente")
    await page.get_by_label("Il tuo nome").fill("Anna")
    await page.get_by_text("Opzioni", exact=True).click()
    await page.get_by_role("switch", name="Tassa").check()
    await page.get_by_role("group", name="Carte avanzate").get_by_role("radio", name="coperte fino alla fine").check()
    await page.get_by_role("group", name="Smazzate").get_by_role("button", name="Di più").click()
    await page.get_by_role("group", name="Tempo per turno").get_by_role("radio", name="1 minuto").check()
    await page.get_by_role("switch", name="Aperto a tutti").check()
    await page.get_by_role("button", name="Apri il tavolo").click()

    table = await table_of(engine, page)
    assert {"tax": True, "leftovers": "hidden", "deals": 2}.items() <= table["options"].items()
    assert (table["turn_seconds"], table["listed"]) == (60, True)
    await expect(page.get_by_text("Tassa · Carte avanzate: coperte fino alla fine · Smazzate: 2")).to_be_visible()


async def test_the_length_of_a_match_sets_its_options(engine: RunningEngine, browser: Browser) -> None:
    page = await browser.page("#/new/ramino")
    await page.get_by_label("Il tuo nome").fill("Anna")
    await page.get_by_text("Opzioni", exact=True).click()
    await page.get_by_role("group", name="Durata della partita").get_by_role("radio", name="Veloce").check()
    await expect(page.get_by_role("spinbutton", name="Traguardo")).to_have_value("51")
    await page.get_by_role("button", name="Apri il tavolo").click()

    assert (await table_of(engine, page))["options"]["target"] == 51


async def test_the_host_lets_nobody_else_sit_down(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    page, other = await open_table(browser, players, 0), await browser.page(f"#/table/{players.table}")
    await expect(other.get_by_role("button", name="Siediti")).to_be_visible()
    await page.get_by_text("Opzioni", exact=True).click()
    switch = page.get_by_role("switch", name="Nessun altro")
    await switch.click()
    await expect(other.get_by_text("Qui non si siede più nessuno")).to_be_visible()
    await expect(other.get_by_role("button", name="Siediti")).to_have_count(0)
    await expect(switch).to_be_checked()
    await switch.click()
    await expect(other.get_by_role("button", name="Siediti")).to_be_visible()


async def test_the_host_changes_options_at_the_waiting_table(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    page = await open_table(browser, players, 0)
    await page.get_by_text("Opzioni", exact=True).click()
    await page.get_by_role("switch", name="I gatti").click()

    await expect(page.get_by_text("I gatti Regole")).to_be_visible()
    assert (await players.see())["options"]["cats"] is True


async def test_a_friend_follows_the_link_and_sits_down(engine: RunningEngine, browser: Browser) -> None:
    anna = await browser.page("#/new/gatto_rosso")
    await anna.get_by_label("Il tuo nome").fill("Anna")
    await anna.get_by_role("button", name="Apri il tavolo").click()
    link = await anna.get_by_role("textbox", name="Link del tavolo").input_value()
    bruno = await browser.page("", size="desktop", language="en-GB")
    await bruno.goto(link)
    await bruno.get_by_label("Your name").fill("Bruno")
    await bruno.get_by_role("button", name="Sit down").click()

    await expect(anna.get_by_role("listitem").filter(has_text="Bruno")).to_be_visible()
    await anna.get_by_role("button", name="Dai le carte").click()
    for page in (anna, bruno):
        await expect(page.get_by_role("heading", name="Posti")).to_be_hidden()
        await expect(page.get_by_role("banner")).to_be_hidden()


async def test_a_listed_table_is_found_in_the_lobby(engine: RunningEngine, browser: Browser) -> None:
    for number in range(12):
        await seat_players(engine, 1, name=f"Ospite {number}", listed=True)
    page = await browser.page()
    await page.get_by_role("button", name="Altri").click()
    await page.get_by_role("link", name="di Ospite 0").click()

    await expect(page.get_by_role("listitem").filter(has_text="Ospite 0")).to_be_visible()


async def test_computer_players_come_go_and_change_their_level(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1)
    page = await open_table(browser, players, 0)
    add = page.get_by_role("button", name="Aggiungi un giocatore al computer")
    for name in ("Bruno", "Carla"):
        await add.click()
        await expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    await page.get_by_role("combobox", name="Quanto è bravo Carla").select_option("hard")
    await page.get_by_role("button", name="Fai alzare Bruno").click()

    await expect(page.get_by_role("listitem").filter(has_text="Bruno")).to_be_hidden()
    seats = (await players.see())["seats"]
    assert [(seat["name"], seat["level"]) for seat in seats] == [("Anna", None), ("Carla", "hard")]


async def test_a_host_brings_an_own_player_where_the_server_lets_people(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 1)
    page = await open_table(browser, players, 0)
    await expect(page.get_by_role("button", name="Aggiungi un giocatore al computer")).to_be_visible()
    await expect(page.get_by_text("Un giocatore tuo")).to_have_count(0)
    engine.context.service.own_players.from_people = True
    context = await browser.person()  # a new browser, because the old one caches the game for a minute
    await take_seat(context, players, 0)
    page = await browser.tab(context, f"#/table/{players.table}")
    await page.get_by_text("Un giocatore tuo").click()
    await page.get_by_label("Come si chiama").fill("Ada!")
    address, secret = page.get_by_label("Indirizzo del server"), page.get_by_label("Segreto")
    await address.fill("http://bots.example/move")
    await secret.fill("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    browser.expect_errors("400", "422")
    await page.get_by_role("button", name="Fallo sedere").click()
    await expect(page.get_by_role("alert")).to_contain_text("Il nome ha da 1 a 12 caratteri")
    await page.get_by_label("Come si chiama").fill("ada")
    await page.get_by_role("button", name="Fallo sedere").click()
    await expect(page.get_by_role("alert")).to_contain_text("A questo indirizzo non si può chiedere una mossa")
    await assert_accessible(page)
    await assert_no_overflow(page)
    await address.fill("https://bots.example/move")
    await page.get_by_role("button", name="Fallo sedere").click()

    bruno = page.get_by_role("listitem").filter(has_text="Bruno")
    await expect(bruno.get_by_role("combobox").locator("option:checked")).to_have_text("giocatore ada")
    await expect(secret).to_have_value("")
    assert [seat["level"] for seat in (await players.see())["seats"]] == [None, "@ada"]


async def test_words_of_one_s_own_go_into_the_shuffle_and_are_kept_with_its_fingerprint(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    page = await open_table(browser, players, 0)
    await page.get_by_text("Un mazzo mescolato bene").click()
    commitment = (await players.see())["match"]["commitment"]
    await expect(page.get_by_text(commitment)).to_be_visible()
    await page.get_by_label("Parole tue").fill("sette oche")
    await page.get_by_role("button", name="Aggiungile").click()

    await expect(page.get_by_text("Le tue parole: sette oche")).to_be_visible()
    kept = await page.evaluate("(table) => JSON.parse(localStorage.getItem(`locanda.seat.${table}`))", players.table)
    assert kept["commitments"] == {"1": commitment}
    assert kept["seeds"] == {"1": "sette oche"}


async def test_the_link_is_copied_and_drawn(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1)
    context = await browser.person()
    await context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = await browser.tab(context)
    await is_public(page)
    await page.goto(f"{browser.url}#/table/{players.table}")
    await expect(page.get_by_label("Link del tavolo")).to_have_value(f"{PUBLIC}/t/{players.table}")
    await page.get_by_role("button", name="Copia").click()
    await expect(page.get_by_role("button", name="Copiato")).to_be_visible()
    await page.get_by_text("Codice QR").click()

    await expect(page.get_by_role("img", name="Codice QR del link del tavolo")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == f"{PUBLIC}/t/{players.table}"
    await page.evaluate("""() => {
        document.execCommand = () => false;
        navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
    }""")
    await page.get_by_role("button", name=re.compile("^Copia")).click()
    await expect(page.get_by_role("button", name="Non copiato")).to_be_visible()


async def test_the_page_opens_the_links_that_other_clients_read(engine: RunningEngine, browser: Browser) -> None:
    players, context = await seat_players(engine, 1), await browser.usual_person()
    for link in (link for link in LINKS if "/v1/" not in link and "://" in link):
        address = link.removeprefix(LINKS[link]).removeprefix("/").replace(TABLE, players.table)
        page = await browser.tab(context, address)
        await expect(page.get_by_label("Link del tavolo"), link).to_be_visible()
        await page.close()


async def test_a_link_that_leads_to_this_computer_alone_says_so_and_is_not_drawn(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 1)
    page = await open_table(browser, players, 0)

    await expect(page.get_by_role("note")).to_contain_text("ENGINE_HOST=0.0.0.0 make run")
    await expect(page.get_by_text("Codice QR")).to_have_count(0)


async def test_who_leaves_the_waiting_table_frees_the_seat(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 1)
    page = await browser.page(f"#/table/{players.table}")
    await page.get_by_label("Il tuo nome").fill("Bruno")
    await page.get_by_role("button", name="Siediti").click()
    await page.get_by_role("button", name="Lascia il tavolo").click()

    await expect(page.get_by_role("heading", name="Accomodati")).to_be_visible()
    assert [seat["name"] for seat in (await players.see())["seats"]] == ["Anna"]


async def test_my_tables_say_where_each_stands_and_forget_those_that_are_gone(
    engine: RunningEngine, browser: Browser
) -> None:
    browser.expect_errors("404")
    playing = await seat_players(engine, 2, game="diavoletto")
    await playing.start()
    page = await browser.page()
    visit = Visit(engine, browser, page)
    await visit.take_seat(playing, await playing.turn())
    await keep_seat(page, {"table": NO_TABLE, "game": "ramino", "token": "x", "name": "Anna", "at": 0})
    await page.get_by_role("link", name="I miei tavoli", exact=True).click()
    # wait for this screen, because the lobby names the games too
    await expect(page.get_by_role("heading", name="I miei tavoli")).to_be_visible()

    await expect(page.get_by_role("link", name="Diavoletto")).to_contain_text("Tocca a te")
    await expect(page.get_by_role("link", name="Ramino")).to_contain_text("Questo tavolo non c'è più")
    await page.get_by_role("button", name="Dimentica il tavolo di Ramino").click()
    await expect(page.get_by_role("link", name="Ramino")).to_be_hidden()


async def test_settings_take_effect_at_once_and_last(browser: Browser) -> None:
    page = await browser.page("#/settings")
    await page.get_by_role("group", name="Lingua").get_by_role("radio", name="English").check()
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    await page.get_by_role("group", name="Colours").get_by_role("radio", name="Light").check()
    await page.get_by_role("group", name="Suits").get_by_role("radio", name="Four colours").check()
    await page.get_by_role("group", name="Cards and print").get_by_role("radio", name="Large").check()
    await page.get_by_role("switch", name="Sounds").check()
    await page.reload()

    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    await expect(page.get_by_role("switch", name="Sounds")).to_be_checked()
    root = page.locator(":root")
    for name, value in (("lang", "en"), ("data-theme", "light"), ("data-suits", "four"), ("data-size", "large")):
        await expect(root).to_have_attribute(name, value)


@pytest.mark.parametrize("language", ["it-CH", "de-DE"])
async def test_the_page_speaks_the_language_of_its_browser_or_else_english(browser: Browser, language: str) -> None:
    page = await browser.page(language=language)

    await expect(page.get_by_role("heading", level=1)).to_have_text(
        "Accomodati" if language.startswith("it") else "Take a seat"
    )


async def test_the_keyboard_alone_gets_cards(browser: Browser) -> None:
    page = await browser.page(size="desktop")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Vai al contenuto")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Gatto Rosso Gatto Grigio: Contro il computer")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()
    await expect(page.get_by_role("heading", name="Gatto Rosso Gatto Grigio")).to_be_visible()
    await page.get_by_role("textbox", name="Il tuo nome").focus()
    await page.keyboard.press("Enter")

    await expect(page).to_have_url(re.compile("#/table/"))


async def test_rules_are_there_to_read(browser: Browser) -> None:
    page = await browser.page("#/rules/gatto_rosso")

    await expect(page.get_by_role("heading", name="Gatto Rosso Gatto Grigio", level=1)).to_be_visible()
    await expect(page.get_by_role("heading", name="Lo scopo", level=2)).to_be_visible()
    await expect(page.get_by_role("main")).not_to_contain_text("**")


@pytest.mark.parametrize("started", [False, True])
async def test_the_link_to_a_table_is_the_page_which_uses_all_that_it_loads_at_once(
    engine: RunningEngine, browser: Browser, *, started: bool
) -> None:
    players = await seat_players(engine, 2)
    if started:
        await players.start()
    page = await (await browser.person()).new_page()
    await page.goto(f"{browser.url}t/{players.table}")

    seen = page.get_by_role("group", name="Il tavolo") if started else page.get_by_label("Il tuo nome")
    await expect(seen).to_be_visible()
    assert page.url == f"{browser.url}#/table/{players.table}"
    loaded = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    preloaded = await page.evaluate(
        "[...document.querySelectorAll('[rel$=preload]')].map((link) => link.getAttribute('href'))"
    )
    assert preloaded
    for name in preloaded:
        assert sum(url.endswith(name.removeprefix("..")) for url in loaded) == 1
