"""The ends of deals and matches: the winner, the last cards, the actions offered next, and a picture to share."""

import asyncio
import re

import pytest
from playwright.async_api import Page, Route, expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import open_table
from tests.web.test_motion import becomes_true
from tests.web.test_table import falsified
from tests.web.visitors import Browser, assert_accessible, assert_no_overflow

pytestmark = pytest.mark.costly

SHORT: dict[str, dict[str, object]] = {"presidente": {}, "ramino": {"target": 1}}
END = "Fine della partita"


async def ended(
    engine: RunningEngine, browser: Browser, game: str, *, still: bool = True
) -> tuple[SeatedPlayers, Page]:
    """Play a match for two to its end on the first player's page, and return the page."""
    players = await seat_players(engine, 2, game=game, options=SHORT[game])
    await players.start()
    page = await open_table(browser, players, 0, still=still)
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    await players.play_out()
    await expect(page.get_by_role("region", name=END)).to_be_visible()
    return players, page


async def test_the_end_shows_the_last_cards_and_the_hands_that_were_laid_open(
    engine: RunningEngine, browser: Browser
) -> None:
    players, page = await ended(engine, browser, "ramino")
    over = next(event for event in (await players.see())["events"] if event["type"] == "deal_over")
    shown = page.get_by_role("region", name=END)

    await expect(shown.locator(".shown .card")).to_have_count(sum(len(hand) for hand in over["hands"]))
    await becomes_true(page, "document.activeElement === document.querySelector('.over')")
    await assert_accessible(page)
    await shown.get_by_role("button", name="Guarda il tavolo").click()
    await expect(shown).to_be_hidden()
    await page.get_by_role("button", name="Vedi il risultato").click()
    await expect(shown.get_by_role("button", name="Ci sto")).to_be_visible()


async def test_a_draw_is_called_no_victory_and_a_match_seen_twice_is_counted_once(
    engine: RunningEngine, browser: Browser
) -> None:
    draw = "Pareggio tra Anna e Ospite 1."

    def share(table: JsonObject) -> None:
        table["match"]["result"]["ranking"] = [[0, 1]]
        table["words"]["result"] = [draw, "🥇 Anna · 1", "🥇 Ospite 1 · 1"]

    players, page = await ended(engine, browser, "presidente")
    won = [0] in (await players.see())["match"]["result"]["ranking"][:1]
    await becomes_true(page, "localStorage.getItem('locanda.settings')?.includes('record')")
    await page.route("**/events*", falsified(share))

    await page.reload()

    await expect(page.get_by_role("region", name=END).get_by_role("heading")).to_have_text(draw)
    await page.goto(f"{browser.url}#/mine")
    await expect(page.get_by_text(f"Presidente: 1 partita, vittorie: {int(won)}")).to_be_visible()


async def test_a_press_ends_what_moves_at_the_end(engine: RunningEngine, browser: Browser) -> None:
    _, page = await ended(engine, browser, "presidente", still=False)
    region = page.get_by_role("region", name=END)

    await region.get_by_role("listitem").first.click()

    await becomes_true(page, "document.querySelector('.over').getAnimations({ subtree: true }).length === 0")


async def test_a_picture_of_the_end_is_passed_on(engine: RunningEngine, browser: Browser) -> None:
    _, page = await ended(engine, browser, "presidente")

    async with page.expect_download() as download:
        await page.get_by_role("button", name=re.compile("^Condividi")).click()

    picture = await asyncio.to_thread((await (await download.value).path()).read_bytes)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(picture) > 20_000  # the picture shows cards and names, not an empty felt


async def test_a_match_begins_when_everybody_has_said_whether_they_stay(
    engine: RunningEngine, browser: Browser
) -> None:
    players, page = await ended(engine, browser, "presidente")
    region = page.get_by_role("region", name=END)
    other = await open_table(browser, players, 1)
    spectator = await open_table(browser, players, None)
    await expect(region.get_by_role("timer")).to_be_hidden()

    await region.get_by_role("button", name="Ci sto").click()
    await expect(region.get_by_role("button", name="Ci sto")).to_have_attribute("aria-pressed", "true")
    for watching_page in (page, other, spectator):
        await expect(watching_page.get_by_role("region", name=END).get_by_role("status")).to_contain_text(
            "Ci sta Anna."
        )
        await expect(watching_page.get_by_role("region", name=END).get_by_role("timer")).to_be_visible()

    async def come_after_the_stream(route: Route) -> None:
        answer = await route.fetch()
        await expect(spectator.get_by_text("Ci stanno Anna e Dora.")).to_be_visible()
        await route.fulfill(response=answer)

    await spectator.route(re.compile("/seats"), come_after_the_stream)
    await spectator.get_by_label("Il tuo nome").fill("Dora")
    await spectator.get_by_role("button", name="Mi siedo").click()
    await expect(spectator.get_by_text("Giochi la prossima partita.")).to_be_visible()
    await expect(region.get_by_role("status")).to_contain_text("Ci stanno Anna e Dora.")
    await assert_accessible(spectator)
    await page.set_viewport_size({"width": 360, "height": 640})
    await assert_no_overflow(page)

    await other.get_by_role("button", name="Ci sto").click()
    for watching_page in (page, other, spectator):
        await expect(watching_page.get_by_role("region", name="Il tuo posto")).to_be_visible()
    names = [seat["name"] for seat in (await players.see())["seats"]]
    assert names == ["Anna", "Ospite 1", "Dora"]


async def test_the_end_says_ones_own_place_and_offers_another_game_against_computers(
    engine: RunningEngine, browser: Browser
) -> None:
    def lose(table: JsonObject) -> None:
        table["match"]["result"]["ranking"] = [[1], [0], [2]]
        table["words"]["result"] = ["Vince Bruno!", "🥇 Bruno · 2", "2. Anna · 1", "3. Carla · 0"]
        for seat, name in ((1, "Bruno"), (2, "Carla")):
            table["seats"][seat] |= {"kind": "computer", "name": name}

    players = await seat_players(engine, 3, game="presidente")
    await players.start()
    await players.play_out()
    page = await open_table(browser, players, 0)
    await page.route("**/events*", falsified(lose))
    await page.reload()
    shown = page.get_by_role("region", name=END)

    await expect(shown.get_by_text("Tu: 2º di 3")).to_be_visible()
    await expect(shown.get_by_role("listitem").filter(has_text="Anna")).to_have_class(re.compile(r"\bown\b"))
    await expect(shown.get_by_role("link", name="Cambia avversari")).to_have_attribute("href", "#/solo/presidente")
    await expect(shown.get_by_role("button", name="Ci sto")).to_be_hidden()
    await expect(shown.get_by_role("button", name="Un'altra partita")).to_be_enabled()
    await assert_accessible(page)
