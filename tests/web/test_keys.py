"""Keys that announce facts about the table, checked in the live region for screen readers."""

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Page, expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.sampling import sampled
from tests.web.pressing import LISTEN, SPOKEN, open_lesson, open_table, take_seat
from tests.web.table_scenes import playing
from tests.web.visitors import Browser

pytestmark = pytest.mark.costly

CHANGED = "([spoken, before]) => document.querySelector(spoken).textContent !== before"
SIGNS = re.compile("[♥♦♣♠▸·]")
SEEN: dict[str, Callable[[JsonObject], list[str]]] = {
    "gatto_rosso": lambda deal: deal["table"],
    "ramino": lambda deal: [*deal["discards"][-1:], *(card for meld in deal["melds"] for card in meld)],
    "diavoletto": lambda deal: [mazzetto["top"] for mazzetto in deal["mazzetti"] if mazzetto["top"]],
    "presidente": lambda deal: [*deal["table"]["cards"], *deal["shown"]] if deal["table"] else deal["shown"],
}
"""The visible cards on the table, for each game."""


async def answer(page: Page, key: str) -> str:
    """Press a key and return the announcement. It must differ from the last announcement."""
    spoken = page.locator(SPOKEN)
    before = await spoken.text_content()
    await page.keyboard.press(key)
    await page.wait_for_function(CHANGED, arg=[SPOKEN, before])
    return (await spoken.text_content() or "").rstrip("\N{NO-BREAK SPACE}")


async def names_of(engine: RunningEngine, game: str) -> dict[str, str]:
    """Return the Italian names of a game's cards, by card code."""
    details = (await engine.get(f"/v1/games/{game}?words=true", headers={"Accept-Language": "it"})).json
    return {code: card["name"] for code, card in details["words"]["cards"].items()}


async def shown(page: Page) -> Page:
    """Wait until the page shows a table in play."""
    await expect(page.get_by_role("button", name="Menu")).to_be_visible()
    return page


@pytest.mark.parametrize("game", [*sampled(SEEN, 2, 0)])
async def test_keys_say_hand_table_cards_points_and_turn_with_cards_by_name(
    engine: RunningEngine, browser: Browser, game: str
) -> None:
    players = await playing(engine, game, 2 if game == "diavoletto" else 3, 9)
    page = await shown(await open_table(browser, players, 0))
    language = {"Accept-Language": "it"}
    table = (await engine.get(f"{players.path}?words=true", token=players.tokens[0], headers=language)).json
    deal, names = table["deal"], await names_of(engine, game)

    said = {key: await answer(page, key) for key in "mtcpg"}

    hand = deal["hand"]
    assert said["m"] == f"La tua mano, {len(hand)}: {', '.join(names[card] for card in hand)}"
    assert [names[card] for card in SEEN[game](deal) if names[card] not in said["t"]] == []
    for seat, points in zip(table["seats"], table["words"]["score"], strict=True):
        assert f"{seat['name']}: {deal['counts'][seat['seat']]} in mano" in said["c"]
        assert f"{seat['name']}: {points}" in said["p"]
    assert said["g"].startswith("Tocca a te")
    assert not any(SIGNS.search(text) for text in said.values())
    assert ("Tallone" in said["t"]) == (game != "presidente")  # in Presidente, another fact names the cards left over


async def test_the_same_answer_is_read_again_in_capitals_too_and_in_english(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "gatto_rosso", 2, 3)
    context = await browser.person(language="en-GB")
    await take_seat(context, players, 0)
    page = await shown(await browser.tab(context, f"#/table/{players.table}"))

    first = await answer(page, "m")

    assert first.startswith("Your hand, ")
    assert await answer(page, "Shift+M") == first
    assert await answer(page, "m") == first


async def test_a_spectator_who_asks_for_their_hand_hears_that_they_watch(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await playing(engine, "ramino", 2, 3)
    page = await shown(await open_table(browser, players, None))

    assert await answer(page, "m") == "Stai guardando"


async def test_nothing_is_said_while_one_types_and_at_the_end_how_it_ended(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2)
    await players.start()
    await players.play_out()
    page = await open_table(browser, players, None)
    field = page.get_by_role("textbox", name="Il tuo nome")

    await field.fill("")
    await field.press_sequentially("mtcpg")
    await field.press("Control+m")
    await expect(field).to_have_value("mtcpg")
    await expect(page.locator(SPOKEN)).to_be_empty()

    await field.blur()
    table = (await engine.get(f"{players.path}?words=true", headers={"Accept-Language": "it"})).json
    assert table["words"]["result"][0] in await answer(page, "g")


async def test_the_menu_lists_the_keys(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "ramino", 2, 0)
    page = await shown(await open_table(browser, players, 0))

    await page.get_by_role("button", name="Menu").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Tasti").press("Enter")
    dialog = page.get_by_role("dialog", name="Tasti")
    listed = await dialog.locator("kbd").all_inner_texts()
    await dialog.get_by_role("button", name="Chiudi").press("Enter")
    await expect(dialog).to_be_hidden()

    assert len({await answer(page, key.lower()) for key in listed}) == 5


async def test_keys_answer_in_a_lesson(browser: Browser) -> None:
    page = await browser.page("")
    await open_lesson(page, browser.url, "gatto_rosso")

    assert (await answer(page, "m")).startswith("La tua mano, ")
    assert await answer(page, "p") == "Non ci sono ancora punti."


async def test_the_settings_turn_the_keys_off(engine: RunningEngine, browser: Browser) -> None:
    players = await playing(engine, "ramino", 2, 0)
    page = await browser.page("#/settings")
    await page.get_by_role("switch", name="Tasti M, T, C, P e G").click()
    await page.goto(f"{browser.url}#/table/{players.table}")
    await shown(page)

    await page.keyboard.press("m")
    await page.get_by_role("button", name="Menu").press("Enter")
    await expect(page.get_by_role("dialog", name="Menu")).to_be_visible()

    await expect(page.locator(SPOKEN)).to_be_empty()


@pytest.mark.parametrize(
    ("length", "turns", "board"),
    [("Il necessario", False, False), ("Anche a chi tocca", True, False), ("Anche il tavolo", True, True)],
)
async def test_a_round_is_said_once_and_as_long_as_one_wants(
    engine: RunningEngine, browser: Browser, length: str, *, turns: bool, board: bool
) -> None:
    players = await playing(engine, "presidente", 3, 0)
    context = await browser.person()
    page = await browser.tab(context, "#/settings")
    await page.get_by_role("radio", name=length).check(force=True)
    await take_seat(context, players, 0)
    page = await shown(await browser.tab(context, f"#/table/{players.table}"))
    await page.evaluate(LISTEN, SPOKEN)

    # The player's own move is announced at once. The moves of the other two come in one utterance with the next turn.
    said: list[str] = []
    while not said or not (await players.see())["deal"]["table"]:
        await players.play()
        await page.wait_for_function("most => said.length > most", arg=len(said))
        while await players.turn() != 0:
            await players.play()
        await page.wait_for_function("most => said.length > most", arg=len(said) + 1)
        before, said = len(said), await page.evaluate("said")
        assert len(said) == before + 2

    assert ("È il turno di" in said[-2]) == turns
    assert all(name in said[-1] for name in ("Ospite 1", "Ospite 2"))
    assert "Tocca a te" in said[-1]
    assert ("In tavola: " in said[-1]) == board
