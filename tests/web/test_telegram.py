"""The page as a Mini App: opened with signed launch data, with Telegram's own script and a record of its calls."""

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, cards, hand
from tests.telegram.lobby_steps import deal, open_lobby, sit
from tests.telegram.mini_app.page import app_button, reference
from tests.web.mini_app import MiniApp
from tests.web.visitors import assert_accessible, assert_no_overflow

pytestmark = pytest.mark.costly

LIGHT = {
    "bg_color": "#ffffff",
    "secondary_bg_color": "#f1f1f1",
    "text_color": "#000000",
    "hint_color": "#707579",
    "link_color": "#2481cc",
    "button_color": "#2481cc",
    "button_text_color": "#ffffff",
}
"""Telegram's light theme. White text on its blue is not readable."""
ACCENT = """() => {
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    return [1, 3, 5].map((at) => parseInt(accent.slice(at, at + 2), 16));
}"""
ROOM = "getComputedStyle(document.documentElement).getPropertyValue('--room').trim()"


@pytest.fixture
def anna(telegram: Emulator) -> Person:
    return telegram.person("Anna", language="it")


@pytest.fixture
def bruno(telegram: Emulator) -> Person:
    return telegram.person("Bruno", language="it")


@pytest.fixture
def carla(telegram: Emulator) -> Person:
    return telegram.person("Carla", language="it")


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person, carla: Person) -> Chat:
    return telegram.supergroup("Amici", [anna, bruno, carla])


@pytest_asyncio.fixture(loop_scope="session")
async def harness(harness: BotHarness, anna: Person) -> BotHarness:
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    return harness


async def app_events(page: Page) -> dict[str, Any]:
    """Return the page's last request of each kind to Telegram's app."""
    return dict(await page.evaluate("window.asked"))


async def test_a_person_of_the_group_plays_a_card_of_their_own_hand(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)))
    held = page.get_by_role("group", name="La tua mano").get_by_role("button")
    await expect(held).to_have_count(len(cards(hand(anna))))
    await assert_no_overflow(page)
    reported = await app_events(page)
    assert "web_app_ready" in reported
    assert reported["web_app_setup_swipe_behavior"] == {"allow_vertical_swipe": False}
    assert reported["web_app_set_background_color"] == {"color": await page.evaluate(ROOM)}


async def test_the_waiting_table_passes_on_the_link_that_opens_the_app(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    button = app_button(group)
    page = await app.opens(anna, reference(button))

    await expect(page.get_by_label("Link del tavolo")).to_have_value(button.url or "")
    await page.get_by_role("button", name="Condividi").click()

    assert (await app_events(page))["web_app_open_tg_link"]["path_full"].startswith(
        "/share/url?url=https%3A%2F%2Ft.me%2F"
    )


async def test_a_light_theme_keeps_its_accent_and_the_frame_has_the_table_s_colour(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)), theme=LIGHT)
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    red, green, blue = await page.evaluate(ACCENT)
    assert blue > green > red  # the accent is a darker blue, on which the theme's white is readable
    await assert_accessible(page)
    assert (await app_events(page))["web_app_set_header_color"] == {"color": await page.evaluate(ROOM)}


async def test_nothing_secret_is_kept_or_shown_in_the_address(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)))
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    assert "tgWebApp" not in page.url
    assert "token" not in await page.evaluate("JSON.stringify(localStorage)")


async def test_a_stranger_watches_and_a_member_sits_down_as_themselves(
    app: MiniApp, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(anna, group)
    ref = reference(app_button(group))
    stranger = await app.opens(telegram.person("Dora", language="it"), ref)
    await expect(stranger.get_by_text("Anna")).to_be_visible()
    page = await app.opens(bruno, ref)
    await page.get_by_role("button", name="Siediti come Bruno").click()
    await group.sees("👤 Bruno")
    await expect(page.get_by_role("listitem").filter(has_text="Bruno")).to_contain_text("tu")
    app.browser.expect_errors("403")
    await stranger.get_by_role("button", name="Siediti come Dora").click()
    await expect(stranger.get_by_role("alert")).to_be_visible()
    assert group.shows("👤 Dora") is None


async def test_another_link_while_the_app_is_open_leads_to_its_table(
    app: MiniApp, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    await carla.starts()
    first = reference(app_button(group))
    page = await app.opens(anna, first)
    guest = page.get_by_role("listitem").filter(has_text="Bruno")
    await expect(guest).to_be_visible()
    await open_lobby(carla, group)
    await group.until(lambda place: reference(app_button(place)) != first)
    await page.evaluate("address => { location.hash = address }", app.address(anna, reference(app_button(group))))
    await expect(guest).to_have_count(0)
    await expect(page.get_by_role("listitem").filter(has_text="Carla")).to_be_visible()


async def test_an_old_app_without_back_button_or_colours_still_plays(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    page = await app.opens(anna, reference(app_button(group)), version="6.0")
    await expect(page.get_by_role("group", name="La tua mano")).to_be_visible()
    assert not {"web_app_setup_back_button", "web_app_setup_swipe_behavior"} & set(await app_events(page))


async def test_the_app_plays_in_a_frame_of_telegrams_web_client(
    app: MiniApp, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    # The test's engine has no TLS, and Telegram's script adds an empty style that the page's content policy refuses.
    app.browser.expect_errors("^Mixed Content", "^Applying inline style")
    frame = await app.opens_in_web_client(anna, reference(app_button(group)))
    held = frame.get_by_role("group", name="La tua mano").get_by_role("button")
    await expect(held).to_have_count(len(cards(hand(anna))))


async def test_the_app_says_what_to_do_where_the_table_is_gone(app: MiniApp, anna: Person, group: Chat) -> None:
    page = await app.opens(anna, "nosuchref")
    app.browser.expect_errors("403")
    await expect(page.get_by_role("heading", name="Questo tavolo non c'è più")).to_be_visible()
    await assert_accessible(page)


async def test_the_menu_of_a_groups_table_has_its_leaderboard(
    app: MiniApp, harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    ref = reference(app_button(group))
    assert harness.context is not None
    repositories = harness.context.repositories
    chat_table = await repositories.chat_tables.find(ref)
    assert chat_table is not None
    await repositories.leaderboards.count(chat_table, 1, {anna.id: 1, bruno.id: 0})
    page = await app.opens(anna, ref)
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Classifica del gruppo").click()
    board = page.get_by_role("dialog", name="Classifica del gruppo")
    places = board.get_by_role("listitem")
    await expect(places.first).to_contain_text("Bruno")
    await expect(places.first).to_contain_text("1 vittoria")
    await board.get_by_role("button", name="Prima il punteggio più alto").click()
    await expect(board.get_by_role("button", pressed=True)).to_have_text("Prima il punteggio più alto")
    await expect(places).to_have_count(2)
    await assert_accessible(page)
    await assert_no_overflow(page)


async def test_players_vote_on_closing_the_groups_table(
    app: MiniApp, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    ref = reference(app_button(group))
    pages = [await app.opens(person, ref) for person in (bruno, carla, anna)]
    app.browser.expect_errors("401", "403")  # a page may still ask for votes although the table has just been closed
    for page in pages:
        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("button", name="Chiudi il tavolo").click()
        await expect(page.get_by_role("dialog")).to_contain_text("0 voti su 3 per chiudere")
    await assert_accessible(pages[0])
    await pages[0].get_by_role("button", name="Sì, chiudilo").click()
    await group.sees("👍 Bruno")
    vote = pages[1].get_by_role("dialog")
    await expect(vote).to_contain_text("1 voto su 3 per chiudere")
    await expect(vote).to_contain_text("Bruno")
    await vote.get_by_role("button", name="Sì, chiudilo").click()
    await group.sees("👍 Bruno e Carla")
    await pages[2].get_by_role("button", name="Sì, chiudilo").click()
    for page in pages:
        await expect(page.get_by_role("heading", name="Il tavolo è chiuso")).to_be_visible()
    await assert_accessible(pages[0])
    await pages[0].get_by_role("button", name="Guarda senza sederti").click()
    await expect(pages[0].get_by_text("Stai guardando")).to_be_visible()
    await expect(pages[0].get_by_role("dialog")).to_have_count(0)
    assert group.shows(button="La mia mano") is None
