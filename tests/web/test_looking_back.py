"""The review of a finished match: its deals step by step, the viewer's own moves, the check of the shuffle."""

import re

import msgspec
import pytest
from playwright.async_api import Route, expect

from tests.engine.fast_forward import fast_forward
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.sampling import WHOLE, sampled
from tests.web.pressing import TablePage, open_table
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

FAIR = re.compile("Mazzo regolare")


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_after_a_match_against_the_computer_its_shuffle_is_found_fair(
    engine: RunningEngine, browser: Browser
) -> None:
    page = await browser.page("#/solo/gatto_rosso")
    await page.get_by_role("button", name="Dai le carte").click()
    shown = TablePage(page)
    end = page.get_by_role("link", name="Rivedi la partita")
    yours = shown.main.get_by_text("Tocca a te")
    await expect(yours.or_(end).first).to_be_visible()
    if not WHOLE:
        await fast_forward(engine.context.service, page.url[-22:])
        await expect(end).to_be_visible()
    while not await end.count():
        await shown.press()
        await expect(yours.or_(end).first).to_be_visible()

    await end.click()
    await page.get_by_role("button", name="Il mazzo").click()

    await expect(page.get_by_role("heading", name=FAIR)).to_be_visible()
    await expect(page.get_by_text("Il tuo seme è quello che avevi dato")).to_be_visible()


@pytest.mark.parametrize("game", [*sampled(("gatto_rosso", "ramino", "diavoletto", "presidente"), 2, 1)])
async def test_a_proof_that_was_tampered_with_is_found_out(engine: RunningEngine, browser: Browser, game: str) -> None:
    options = {"ramino": {"target": 1, "idle_rounds": 1}, "diavoletto": {"no_progress_turns": 1}}
    players = await seat_players(engine, 2, game=game, options=options.get(game, {}))
    await players.start()
    await players.play_out()
    page = await open_table(browser, players, 0)
    await page.goto(f"{browser.url}#/table/{players.table}/review")
    await page.get_by_role("button", name="Il mazzo").click()
    await expect(page.get_by_text("Le carte date sono proprio quelle")).to_be_visible()

    async def swap(route: Route) -> None:
        proof = await (await route.fetch()).json()
        hands = proof["start"]["hands"]
        first, other = (hands[0], hands[1]) if all(hands) else proof["start"]["mazzetti"]
        at = next(place for place, cards in enumerate(zip(first, other, strict=False)) if len(set(cards)) > 1)
        first[at], other[at] = other[at], first[at]
        await route.fulfill(body=msgspec.json.encode(proof))

    await page.route(re.compile(r"/deals/1\b"), swap)
    await page.reload()
    await page.get_by_role("button", name="Il mazzo").click()

    await expect(page.get_by_role("heading", name=re.compile("NON torna"))).to_be_visible()
    await expect(page.get_by_text("Le carte NON sono quelle")).to_be_visible()


async def test_every_step_of_a_deal_is_shown_with_all_cards_open(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="presidente")
    await players.start()
    await players.play_out()
    proof = (await engine.get(f"{players.path}/deals/1")).json
    page = await open_table(browser, players, None)
    await page.goto(f"{browser.url}#/table/{players.table}/review")

    for name, hand in zip(("Anna", "Ospite 1"), proof["start"]["hands"], strict=True):
        await expect(page.get_by_role("list", name=name).get_by_role("img")).to_have_count(len(hand))
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_text("1 di ")).to_be_visible()
    await page.get_by_role("button", name="Alla fine").click()
    moves = len(proof["moves"])
    await expect(page.get_by_text(f"{moves} di {moves}")).to_be_visible()
    await page.get_by_role("button", name="Indietro").click()
    await expect(page.get_by_text(f"{moves - 1} di {moves}")).to_be_visible()
    slider = page.get_by_role("slider", name="Passo per passo")
    await slider.fill("3")
    await expect(page.get_by_text(f"3 di {moves}")).to_be_visible()
    await expect(page).to_have_url(re.compile("/review/1/3$"))
    await page.reload()
    await expect(page.get_by_text(f"3 di {moves}")).to_be_visible()
    await expect(slider).to_have_value("3")


@pytest.mark.slow
async def test_one_s_own_moves_stand_beside_better_ones(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    await players.play_out()
    page = await open_table(browser, players, 0)
    await page.goto(f"{browser.url}#/table/{players.table}/review")
    await page.get_by_role("button", name="Le mie mosse").click()

    await expect(page.get_by_text(re.compile("scelte (è quella|sono quelle)"))).to_be_visible()
    answer = await players.engine.get(f"{players.path}/deals/1/review", token=players.tokens[0])
    await expect(page.get_by_role("article")).to_have_count(len(answer.json["worst"]))
    await expect(page.get_by_text("Anche in queste mosse")).to_have_count(int(bool(answer.json["others"])))
    await expect(page.get_by_text("Ben giocato")).to_have_count(int(answer.json["well_played"]))
