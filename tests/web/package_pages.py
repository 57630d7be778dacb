"""Tests of the page with only the example games.

`tests/packages` runs them in a process in which these games are installed.
"""

import asyncio
from collections import Counter

import pytest
from playwright.async_api import Route, expect

from locanda.games.registry import GAME_NAMES, fewest_wins
from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.package_scenes import choice
from tests.web.pressing import TablePage, open_table, take_seat
from tests.web.table_scenes import playing
from tests.web.test_room import MIXED_UP, resized
from tests.web.visitors import Browser

DEALT = "(hand) => Promise.all(hand.getAnimations({ subtree: true }).map(({ finished }) => finished))"
"""Waits until the cards lie in the hand, because a card that is still being dealt may move away from the pointer."""


async def test_after_a_trick_that_one_ends_oneself_all_cards_of_the_hand_are_seen(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, game="briscola")
    table = await players.start()
    while table["deal"]["turn"] != 0 or not table["deal"]["table"]:
        await players.play()
        table = await players.see()
    shown = TablePage(await open_table(browser, players, 0, still=False))

    await expect(shown.hand.get_by_role("button")).to_have_count(3)
    await shown.hand.evaluate(DEALT)

    await shown.hand.get_by_role("button").last.click()

    await expect(shown.main.get_by_text("fa la presa").first).to_be_visible()
    await expect(shown.hand.locator("button:visible")).to_have_count(3)


async def test_a_card_of_the_table_chooses_what_the_selected_card_takes(
    engine: RunningEngine, browser: Browser
) -> None:
    players, wanted, card = await a_card_that_tells(engine)
    page = await open_table(browser, players, 0, still=False)

    await page.locator(f"[data-place='hand-{wanted['card']}']").click()
    await page.locator(f".taken[data-place='lying-{card}']").click()

    await expect(page.locator(f"[data-place='hand-{wanted['card']}']")).to_have_count(0)
    captured = (await players.see())["deal"]["captured"][0]
    assert {wanted["card"], *wanted["takes"]} <= {*captured}


async def test_the_table_fits_a_phone_before_the_stylesheet_of_sentences_has_come(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "tressette", 2, 6)
    context = await browser.person()
    await take_seat(context, players, 0)
    come = asyncio.Event()

    async def late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await context.route("**/cardtext.css", late)
    shown = TablePage(await browser.tab(context, f"#/table/{players.table}"))

    await expect(shown.main.locator(".facts .suit").first).to_be_visible()
    await expect(shown.hand.get_by_role("button").first).to_be_in_viewport()
    come.set()


async def test_on_a_phone_on_its_side_who_play_together_is_seen_apart_from_all_else(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "briscola", 4, 14)
    shown = TablePage(await open_table(browser, players, 0))
    await resized(shown.page, 844, 390)

    await expect(shown.main.locator(".facts")).to_be_visible()
    assert await shown.page.evaluate(MIXED_UP) == []


@pytest.mark.parametrize("game", GAME_NAMES)
async def test_the_end_of_a_match_names_who_has_won_and_why_whether_most_or_fewest_points_win(
    engine: RunningEngine, browser: Browser, game: str
) -> None:
    targets = {"ramino": 15, "scopa": 11, "tressette": 11}
    options = {"target": targets[game]} if game in targets else {}
    players = await seat_players(engine, 2, game=game, options=options)
    await players.start()
    result = (await players.play_out())["match"]["result"]
    page = await open_table(browser, players, None)
    shown = page.get_by_role("region", name="Fine della partita")

    best = (min if fewest_wins(game) else max)(result["points"])
    assert {result["points"][seat] for seat in result["ranking"][0]} == {best}
    names = [seat["name"] for seat in (await players.see())["seats"]]
    for seat in result["ranking"][0]:
        await expect(shown.get_by_role("heading")).to_contain_text(names[seat])
    await expect(shown.locator("li.place1").first).to_contain_text(str(best))
    assert ("ne ha meno" in await shown.inner_text()) <= fewest_wins(game)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("scopa", 4, {"scopone": True}), ("tressette", 4, {}), ("tressette", 3, {}), ("briscola", 4, {})],
)
async def test_the_hand_is_seen_whole_on_a_small_phone_at_a_full_table(
    engine: RunningEngine, browser: Browser, game: str, seats: int, options: JsonObject
) -> None:
    players = await playing(engine, game, seats, 4, options=options)
    shown = TablePage(await open_table(browser, players, 0))
    await shown.page.set_viewport_size({"width": 360, "height": 640})

    for card in await shown.hand.get_by_role("button").all():
        await expect(card).to_be_in_viewport(ratio=1)


async def a_card_that_tells(engine: RunningEngine) -> tuple[SeatedPlayers, JsonObject, str]:
    """Return a table of Scopa, a move of its first seat, and a card that only this move of the played card takes."""
    while True:
        players, captures = await choice(engine)
        ways = Counter(card for move in captures for card in move["takes"])
        for move in captures:
            for card in move["takes"]:
                if ways[card] == 1:
                    return players, move, card
