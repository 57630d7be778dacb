"""Cards that move: they are dealt, played by other players, or dragged by mouse or finger."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.web.pressing import PLAYABLE, TablePage, open_table, take_seat
from tests.web.visitors import PATIENCE, Browser

pytestmark = pytest.mark.costly

FLIGHTS = """
window.flights = [];
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    for (const card of node.querySelectorAll?.(".moving-card use") ?? []) {
        window.flights.push(card.getAttribute("href").split("#")[1]);
    }
}))).observe(document, { childList: true, subtree: true });
"""
"""Records the cards that fly over the table, by the ids of their pictures."""
MOVING = """document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().activeDuration > 1)
    .map(({ effect }) => effect.target.className)"""
"""Returns animations that take longer than a millisecond, the length of fades with reduced motion."""
LANDED = "document.getElementsByClassName('layer').length === 0"


async def becomes_true(page: Page, expression: str) -> None:
    """Wait until an expression holds in a page. Playwright cannot poll in the page because of its content policy."""
    async with asyncio.timeout(PATIENCE / 1000):
        while not await page.evaluate(expression):  # noqa: ASYNC110 (the page tells nobody)
            await asyncio.sleep(0.05)


async def test_nothing_moves_with_reduced_motion(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    page = await open_table(browser, players, 0)
    await players.start()
    await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()

    if await players.turn() == 0:
        await players.play()
    await players.play()

    await expect(page.get_by_role("status")).to_contain_text("Tocca a te")
    assert await page.evaluate(MOVING) == []


async def test_cards_are_dealt_face_down_and_a_card_of_another_player_travels(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    context = await browser.person("desktop", still=False)
    await context.add_init_script(FLIGHTS)
    page = await browser.tab(context, f"#/table/{players.table}")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Gatto Rosso")

    await players.start()
    await becomes_true(page, f"window.flights.length === 6 && {LANDED}")
    assert await page.evaluate("window.flights") == ["back"] * 6
    played = (await players.see(await players.turn()))["moves"][0]
    await players.play(played)

    await becomes_true(page, f"window.flights.length === 7 && {LANDED}")
    assert await page.evaluate("window.flights[6]") == played["card"]


async def test_cards_are_dealt_before_the_eyes_of_who_opens_the_table_after_the_first_move(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    first = await players.turn()
    await players.play()
    context = await browser.person("desktop", still=False)
    await context.add_init_script(FLIGHTS)
    await take_seat(context, players, 1 - first)

    page = await browser.tab(context, f"#/table/{players.table}")

    await becomes_true(page, f"window.flights.length === 3 && {LANDED}")
    assert await page.evaluate("window.flights") == ["back"] * 3


async def middle(place: Locator) -> tuple[float, float]:
    """Return the centre of a locator's element, in the window."""
    box = await place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_a_card_is_carried_to_the_table_by_the_mouse_and_back_where_it_is_dropped_elsewhere(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    while not any(move["type"] == "play" for move in (await players.see(0))["moves"]):
        await players.play()
    shown = TablePage(await open_table(browser, players, 0, "desktop"))
    card, board = (
        shown.hand.get_by_role("button", name=PLAYABLE).first,
        shown.page.get_by_role("group", name="Il tavolo"),
    )
    await expect(card).to_be_visible()
    lies, version, mouse = await middle(card), (await players.see())["version"], shown.page.mouse

    async def drag(to: Locator) -> None:
        await mouse.move(*lies)
        await mouse.down()
        # The drag module is loaded on the first press, so repeat the movement until the card follows.
        while await middle(card) == lies:
            await mouse.move(lies[0] + 20, lies[1] - 20)
            await mouse.move(lies[0] + 30, lies[1] - 30)
        await mouse.move(*await middle(to))
        await mouse.up()

    await drag(shown.page.get_by_role("button", name="Menu"))
    await becomes_true(shown.page, "!document.querySelector('[data-dragged]')")
    assert (await middle(card), (await players.see())["version"]) == (lies, version)
    await drag(board)

    await expect(shown.main.get_by_text("È il turno di")).to_be_visible()


async def test_a_card_is_carried_to_its_place_by_a_finger(engine: RunningEngine, browser: Browser) -> None:
    while True:  # repeat until seat 0 begins: another player could end the deal in one turn
        players = await seat_players(engine, 2, game="ramino")
        await players.start()
        if await players.turn() == 0:
            break
    shown = TablePage(await open_table(browser, players, 0))
    await shown.page.get_by_role("button", name=re.compile("^Tallone")).click()
    card, heap = (
        shown.hand.get_by_role("button", name=PLAYABLE).first,
        shown.page.get_by_role("button", name=re.compile("^Pozzo")),
    )
    await expect(shown.hand.get_by_role("button")).to_have_count(6)
    finger, start, goal = await shown.page.context.new_cdp_session(shown.page), await middle(card), await middle(heap)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    async def lifts() -> bool:
        """Return whether the card follows the finger. It is put back if the table changes at that moment."""
        await touch("touchStart", start)
        await touch("touchMove", (start[0], start[1] - 20))
        await touch("touchMove", (start[0], start[1] - 30))
        return await middle(card) != start

    while not await lifts():
        await touch("touchCancel")
    await touch("touchMove", goal)
    await touch("touchEnd")

    await expect(shown.main.get_by_text("È il turno di")).to_be_visible()
    await expect(shown.hand.get_by_role("button")).to_have_count(5)
