"""The playing table: all actions of a person except playing a match by touch."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import product
from typing import Any

import msgspec
import pytest
from playwright.async_api import Locator, Page, Route, expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.waiting import until
from tests.web.pressing import PLAYABLE, TablePage, open_table
from tests.web.scenes import WIDE_NAME, Visit
from tests.web.table_scenes import playing, sit
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

RANKS, SUITS = "A234567JQK", "hdcs"
PLACES = "(cards) => cards.map((card) => card.dataset.place)"
COLOURS = {"h": "rgb(179, 23, 44)", "d": "rgb(26, 95, 180)", "c": "rgb(27, 122, 61)", "s": "rgb(29, 26, 22)"}
"""The colours of the suits with the setting of four colours."""
HOSTILE = "<img src=x onerror=alert(1)>"


async def test_a_press_before_ones_turn_says_why_and_covers_nothing(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="ramino")
    shown = TablePage(await open_table(browser, players, 0))
    await players.start()
    while await players.turn() == 0:
        await players.play()
    await expect(shown.main.get_by_text("È il turno di")).to_be_visible()

    await shown.page.get_by_role("button", name=re.compile("^Tallone")).click()

    await expect(shown.main.get_by_text("Non tocca ancora a te")).to_be_visible()
    own = shown.main.get_by_role("region", name="Il tuo posto")
    name = (await players.see())["seats"][0]["name"]
    for other in (shown.main.get_by_role("button", name="Storia"), own.get_by_text(name, exact=True)):
        await other.click(trial=True)  # fails if another element covers it


def beats(card: str, top: str) -> bool:
    """Return whether a card beats another one in Gatto Rosso without cats."""
    if card[1] == top[1]:
        return RANKS.index(card[0]) > RANKS.index(top[0])
    return SUITS.index(card[1]) == (SUITS.index(top[1]) + 1) % 4


async def chosen_ahead(players: SeatedPlayers, *, legal: bool) -> tuple[JsonObject, str]:
    """Play until a move of the second player is beaten by a card of the first; return both.

    If not `legal`, play until a card of the first player does not beat the move.
    """
    while True:
        hand = (await players.see(0))["deal"]["hand"]
        plays = [move for move in (await players.see(1))["moves"] if move["type"] == "play"]
        for move, card in product(plays, hand):
            if beats(card, move["card"]) == legal:
                return move, card
        await players.play()


async def test_a_card_chosen_while_others_play_is_played_on_ones_turn_unless_that_is_illegal(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    shown = TablePage(await open_table(browser, players, 0))
    await players.start()
    for legal in (True, False):
        move, card = await chosen_ahead(players, legal=legal)
        await expect(shown.main.get_by_text("È il turno di")).to_be_visible()
        chosen = shown.hand.locator(f"[data-place=hand-{card}]")
        await chosen.click()
        await expect(shown.main.get_by_text("Si gioca appena tocca a te.")).to_be_visible()
        await players.play(move)

        if legal:
            await expect(chosen).to_have_count(0)
            assert card not in (await players.see(0))["deal"]["hand"]
        else:
            await expect(shown.main.get_by_text("Ora non si può giocare")).to_be_visible()
            await expect(shown.hand.locator("[aria-pressed=true]")).to_have_count(0)


async def corner(card: Locator) -> tuple[float, float]:
    """Return a point of a card that is covered by no other card."""
    box = await card.bounding_box()
    assert box is not None
    return box["x"] + 9, box["y"] + 30


async def test_a_hand_is_arranged_by_keys_by_mouse_and_by_finger(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="ramino")
    await players.start()
    shown = TablePage(await open_table(browser, players, 0, "desktop"))
    cards = shown.hand.get_by_role("button")
    await expect(cards.first).to_be_visible()
    before = await cards.evaluate_all(PLACES)

    await cards.first.focus()
    await shown.page.keyboard.press("Shift+ArrowRight")

    moved = [before[1], before[0], *before[2:]]
    await expect(cards.nth(1)).to_be_focused()
    await expect(cards.nth(1)).to_have_attribute("data-place", before[0])
    assert await cards.evaluate_all(PLACES) == moved
    start, goal, mouse = await corner(cards.first), await corner(cards.nth(3)), shown.page.mouse
    await mouse.move(*start)
    await mouse.down()
    # the script for dragging is loaded on the first press
    while not await shown.page.locator("[data-dragged]").count():
        await mouse.move(start[0] + 10, start[1])
        await mouse.move(start[0] + 20, start[1])
    await mouse.move(*goal)
    await mouse.up()
    await expect(cards.nth(3)).to_have_attribute("data-place", moved[0])
    finger = await shown.page.context.new_cdp_session(shown.page)
    (x, y), goal = await corner(cards.nth(3)), await corner(cards.first)
    for kind, points in (
        ("touchStart", [(x, y)]),
        ("touchMove", [(x - 20, y)]),
        ("touchMove", [goal]),
        ("touchEnd", []),
    ):
        touches = [{"x": x, "y": y} for x, y in points]
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    await expect(cards.first).to_have_attribute("data-place", moved[0])
    assert sorted(await cards.evaluate_all(PLACES)) == sorted(before)


async def test_the_last_trick_can_be_looked_at_again(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    shown = TablePage(await open_table(browser, players, 0))
    await expect(shown.hand).to_be_visible()
    while not (taken := [event for event in (await players.see())["events"] if event["type"] == "trick_taken"]):
        await players.play()

    await shown.main.get_by_role("button", name="Ultima presa").click()

    laid = shown.page.get_by_role("dialog", name="Ultima presa").get_by_role("img")
    await expect(laid).to_have_count(len(taken[0]["cards"]))


async def test_a_press_does_nothing_where_another_card_comes_under_the_finger(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, game="presidente")
    await players.start()
    while await players.turn() != 0:  # the first player is drawn at random, so repeat until it is seat 0
        players = await seat_players(engine, 2, game="presidente")
        await players.start()
    shown = TablePage(await open_table(browser, players, 0, "desktop"))
    pressed, last = shown.hand.get_by_role("button").nth(3), shown.hand.get_by_role("button").last
    # Dispatch the events directly: Chromium drops such a click if a picture has changed, but phones send it to the
    # place where the finger was.
    await pressed.dispatch_event("pointerdown")

    hand = (await players.see(0))["deal"]["hand"]
    await players.play({"type": "play", "cards": hand[:1]})
    await expect(pressed).to_have_attribute("data-place", f"hand-{hand[4]}")
    await pressed.dispatch_event("click", {"detail": 1})

    await last.click()
    await expect(last).to_have_attribute("aria-pressed", "true")
    await expect(shown.hand.locator("[aria-pressed=true]")).to_have_count(1)


async def test_a_move_is_announced_with_whose_turn_it_is_now(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    shown = TablePage(await open_table(browser, players, 0))
    await players.start()
    await expect(shown.hand).to_be_visible()
    if await players.turn() == 0:
        await players.play()

    await players.play()

    await expect(shown.page.get_by_role("status")).to_contain_text("Tocca a te")


async def test_the_focus_stays_in_a_dialog_and_returns_to_what_opened_it(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    page = await open_table(browser, players, 0)
    menu = page.get_by_role("button", name="Menu")
    await menu.press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Storia").press("Enter")
    close = page.get_by_role("dialog", name="Storia").get_by_role("button", name="Chiudi")
    await expect(close).to_be_focused()
    await close.press("Enter")
    await expect(menu).to_be_focused()


async def test_a_second_tap_confirms_where_one_wants_it(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2)
    shown = TablePage(await open_table(browser, players, 0))
    script = "localStorage.setItem('locanda.settings', JSON.stringify({ confirm: true }))"
    await shown.page.evaluate(script)
    await shown.page.reload()
    await players.start()
    while not any(move["type"] == "play" for move in (await players.see(0))["moves"]):
        await players.play()
    card = shown.hand.get_by_role("button", name=PLAYABLE).first
    version = (await players.see())["version"]

    await card.click()
    await expect(shown.hand.get_by_role("button", pressed=True)).to_have_count(1)
    assert (await players.see())["version"] == version
    await shown.hand.get_by_role("button", pressed=True).click()
    await expect(shown.main.get_by_text("È il turno di")).to_be_visible()


async def test_a_hint_names_the_move_and_then_its_reason_raises_the_card_and_leaves_the_focus_where_it_is(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, hints=True)
    shown = TablePage(await open_table(browser, players, 0))
    await players.start()
    if await players.turn() == 1:
        await players.play()
    ask = shown.page.get_by_role("button", name="Consiglio")

    await ask.press("Enter")

    advice = shown.main.locator(".advice")
    await expect(advice).to_have_text(re.compile(r"^(Gioca \S+|Passo)\. \S"))
    await expect(ask).to_be_focused()
    await expect(shown.hand.locator(".hinted")).to_have_count(int((await advice.inner_text()).startswith("Gioca")))


async def test_the_host_removes_a_player_who_is_away(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, turn_seconds=600)
    await players.start()
    page = await open_table(browser, players, 0)

    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_role("button", name="Togli Ospite 1 dal tavolo")).to_have_count(0)
    await players.let_go_away(1)
    await page.get_by_role("button", name="Togli Ospite 1 dal tavolo").click()
    assert [seat["kind"] for seat in (await players.see())["seats"]] == ["person", "person"]
    await page.get_by_role("button", name="Sì, togli Ospite 1").click()

    await expect(page.get_by_role("dialog")).to_be_hidden()
    assert [seat["kind"] for seat in (await players.see())["seats"]] == ["person", "computer"]


async def test_who_was_away_comes_back_with_one_press(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors("412")  # the table may change while the button is pressed
    players = await seat_players(engine, 2, turn_seconds=1)
    await players.start()
    shown = TablePage(await open_table(browser, players, 0))

    await shown.page.get_by_role("button", name="Torno a giocare").click(timeout=30_000)

    await expect(shown.page.get_by_role("button", name="Torno a giocare")).to_have_count(0)


async def test_a_hostile_name_is_text(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, name=HOSTILE)
    page = await open_table(browser, players, 1, "desktop")  # the desktop also shows the history
    await players.start()

    await expect(page.get_by_text(HOSTILE).first).to_be_visible()
    assert await page.locator("img:not(.mark)").count() == 0


async def test_cards_are_named_to_those_who_listen_and_drawn_in_the_history(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 3, game="presidente")
    await players.start()
    page = await open_table(browser, players, None, "desktop")
    await page.evaluate("localStorage.setItem('locanda.settings', JSON.stringify({ suits: 'four' }))")
    await page.reload()
    await page.set_viewport_size({"width": 1440, "height": 900})
    history = page.get_by_role("region", name="Storia")
    # one line about the dealer; the lines about people who sat down are gone
    await expect(history.get_by_role("listitem")).to_have_count(1)

    move = (await players.see(await players.turn()))["moves"][0]
    await players.play(move)

    names = (await engine.get("/v1/games/presidente?words=true", headers={"Accept-Language": "it"})).json["words"]
    name = names["cards"][move["cards"][0]]["name"]
    await expect(page.get_by_role("status")).to_contain_text(name)
    chip = history.get_by_role("img", name=name)
    await expect(chip).to_have_css("color", COLOURS.get(move["cards"][0][1:], COLOURS["s"]))


async def test_a_cuccu_card_is_told_without_a_sign_that_few_fonts_have(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="ramino")
    await players.start()
    page = await open_table(browser, players, None)
    discarded = ""

    while discarded not in {"XI", "XII", "XIII", "XIIII", "XV"}:
        moves = (await players.see(await players.turn()))["moves"]
        move = max(moves, key=lambda move: len(move["card"]) if move["type"] == "discard" else 0)
        discarded = move.get("card", "")
        await players.play(move)

    await expect(page.locator(".latest")).to_contain_text(f"scarta {discarded}")


async def test_a_table_of_ten_with_wide_names_fits_a_phone_in_large_print(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 1, name=WIDE_NAME)
    for number in range(9):
        await engine.post(f"{players.path}/seats", {"name": f"{WIDE_NAME[:-1]}{number}"})
    await players.start()
    page = await browser.page("#/settings")
    await page.get_by_role("radio", name="Grandi").check()
    await sit(Visit(engine, browser, page), players)

    felt = page.locator(".felt")
    assert await felt.evaluate("felt => felt.scrollHeight - felt.clientHeight") == 0


async def test_what_one_taps_stays_where_it_is_while_the_hand_shrinks(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="presidente")
    await players.start()
    shown = TablePage(await open_table(browser, players, 0))
    board = shown.page.get_by_role("group", name="Il tavolo")
    await expect(board).to_be_visible()
    before = await board.bounding_box(), await shown.hand.bounding_box()

    while len((await players.see(0))["deal"]["hand"]) > 6:
        seat = await players.turn()
        moves = (await players.see(seat))["moves"]
        # seat 1 passes if it can, so that it does not go out first
        passes = [move for move in moves if seat == 1 and move["type"] == "pass"]
        await players.play([*passes, *moves][0])
    held = len((await players.see(0))["deal"]["hand"])

    await expect(shown.hand.get_by_role("button")).to_have_count(held)
    assert (await board.bounding_box(), await shown.hand.bounding_box()) == before


async def test_a_card_with_two_places_leaves_the_table_as_high_as_a_phone(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "diavoletto", 2, 4)
    shown = TablePage(await open_table(browser, players, 0))

    await shown.hand.get_by_role("button").first.click()

    await expect(shown.page.get_by_role("button", name="Annulla")).to_be_visible()
    felt = await shown.page.locator(".felt").element_handle()
    await shown.page.wait_for_function("felt => felt.scrollHeight === felt.clientHeight", arg=felt)


async def test_a_spectator_sees_the_table_and_no_hand(engine: RunningEngine, browser: Browser) -> None:
    players = await seat_players(engine, 2, game="presidente")
    await players.start()
    shown = TablePage(await open_table(browser, players, None))

    await expect(shown.main.get_by_text("Stai guardando")).to_be_visible()
    await expect(shown.hand).to_have_count(0)


# --- responses that no engine gives


def without(name: str) -> Callable[[JsonObject], None]:
    def change(table: JsonObject) -> None:
        del table[name]

    return change


def with_deal(**fields: Any) -> Callable[[JsonObject], None]:
    def change(table: JsonObject) -> None:
        table["deal"].update(fields)

    return change


def with_table(**fields: Any) -> Callable[[JsonObject], None]:
    return lambda table: table.update(fields)


WRONG = {
    "no seats": without("seats"),
    "no moves": without("moves"),
    "no match": without("match"),
    "no events": without("events"),
    "seats are a number": with_table(seats=7),
    "words are a text": with_table(words="words"),
    "events of nothing": with_table(events=[None, 3, {}]),
    "an unknown game": with_table(game="briscola"),
    "no hand": with_deal(hand=3),
    "a table of numbers": with_deal(table=[1, None, {"a": 1}]),
    "no captured cards": with_deal(captured=None),
    "a seat that is not there": with_deal(turn=99, dealer=-4, last=12),
    "cards that are none": with_deal(table=["<b>", "99x"], hand=["", "../../x"]),
}


def falsified(change: Callable[[JsonObject], None]) -> Callable[[Route], Awaitable[None]]:
    """Return a route handler that answers requests for a table's events with one changed event."""

    async def answer(route: Route) -> None:
        headers = {**route.request.headers, "accept": "application/json"}
        # the page may have the latest event already, so request all events
        whole = re.sub(r"after=\d+&?", "", route.request.url)
        fetched = await route.fetch(url=whole, headers=headers)
        table = (await fetched.json())["events"][-1]["table"]
        change(table)
        body = f"id: {table.get('version', 1)}\nevent: change\ndata: {msgspec.json.encode(table).decode()}\n\n"
        await route.fulfill(status=200, headers={"Content-Type": "text/event-stream"}, body=body)

    return answer


async def gives_up_waiting(page: Page) -> bool:
    """Skip ten seconds, so that the page tries again. Return whether the page has stopped showing "Un momento…"."""
    await page.clock.fast_forward(10_000)
    return not await page.get_by_role("heading", name=re.compile("^Un momento")).count()


async def test_forty_cards_in_a_column_fit_a_phone_and_all_can_be_looked_at(
    engine: RunningEngine, browser: Browser
) -> None:
    def pile_up(table: JsonObject) -> None:
        table["deal"]["columns"][0][0] = [f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789T"]

    players = await playing(engine, "diavoletto", 2, 4)
    page = await open_table(browser, players, 0)
    await page.route("**/events*", falsified(pile_up))
    await page.reload()

    column = page.get_by_role("button", name="Vedi le 40 carte")
    await expect(column).to_be_visible()
    felt = page.locator(".felt")
    assert await felt.evaluate(
        "felt => [felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth]"
    ) == [0, 0]
    await column.click()
    await expect(page.get_by_role("dialog").get_by_role("img")).to_have_count(40)


@pytest.mark.slow
async def test_an_answer_that_makes_no_sense_breaks_no_page(engine: RunningEngine, browser: Browser) -> None:
    browser.expect_errors(".")
    players = await seat_players(engine, 2)
    await players.start()
    page = await browser.tab(await browser.person())
    await page.clock.install()
    for wrong, change in WRONG.items():
        await page.route("**/events*", falsified(change))
        await page.goto(f"{browser.url}#/table/{players.table}")
        await expect(page.get_by_role("heading", name="Accomodati")).to_have_count(0)
        await expect(page.get_by_role("heading", level=1), wrong).to_be_visible()
        await until(partial(gives_up_waiting, page))
        assert await page.get_by_role("button").or_(page.get_by_role("link")).count() > 1, wrong
        await page.unroute_all(behavior="ignoreErrors")
        await page.goto(f"{browser.url}#/")
        await expect(page.get_by_role("heading", name="Accomodati"), wrong).to_be_visible()
