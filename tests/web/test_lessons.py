"""Lessons on the page: they are played to the end by pressing the shown buttons, and other moves get answers."""

import re

import pytest
from playwright.async_api import expect

from locanda.games.lessons import scripts
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.sampling import costly_but_for, sampled
from tests.web.pressing import PLAYABLE, LessonPage, by_keyboard, by_pointer, open_lesson
from tests.web.scenes import Visit
from tests.web.visitors import Browser, Size

GAME = "gatto_rosso"
LESSONS = [*sampled([(name, how) for name in scripts() for how in "pk"], 5, 0)]
"""Pairs of a game and the way in which its lesson is played: by pointer (p) or keyboard (k)."""


async def lesson_of(browser: Browser, game: str, size: Size = "phone") -> LessonPage:
    """Open the lesson of a game on a page of a new person."""
    return await open_lesson(await browser.page("", size), browser.url, game)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("played", costly_but_for(("gatto_rosso", "p"), LESSONS), ids="-".join)
async def test_a_lesson_is_played_to_its_end_by_pressing_what_is_shown(
    browser: Browser, played: tuple[str, str]
) -> None:
    game, pressed = played
    lesson = await lesson_of(browser, game, "phone" if pressed == "p" else "desktop")
    urls: list[str] = []
    lesson.page.on("request", lambda request: urls.append(request.url))

    said = await lesson.make_moves(len(scripts()[game].steps), by_keyboard if pressed == "k" else by_pointer)

    assert len(set(said)) == len(said)
    end = lesson.page.get_by_role("region", name="Fine della partita")
    await expect(end).to_contain_text("Hai vinto!")
    await expect(end.get_by_role("link", name="Contro il computer")).to_be_visible()
    assert [url for url in urls if "/v1/tables" in url] == []
    await end.get_by_role("button", name="Ancora una volta").click()
    await expect(lesson.coach).to_have_text(said[0])


async def test_another_move_is_answered_and_changes_nothing(browser: Browser) -> None:
    lesson = await lesson_of(browser, GAME)
    hand = lesson.page.get_by_role("group", name="La tua mano").get_by_role("button")
    said, held = await lesson.coach.inner_text(), await hand.count()

    await hand.and_(lesson.page.get_by_label("re di fiori")).click()
    await expect(lesson.answer).to_contain_text("Si può fare anche questo.")
    await lesson.answer.get_by_role("button", name="Chiudi").click()

    await expect(lesson.coach).to_have_text(said)
    await expect(hand).to_have_count(held)


async def test_why_a_card_cannot_be_played_is_said_by_the_engine(browser: Browser) -> None:
    lesson = await lesson_of(browser, GAME)
    await lesson.make_moves(2)
    hand = lesson.page.get_by_role("group", name="La tua mano").get_by_role("button")
    labels = [await card.get_attribute("aria-label") or "" for card in await hand.all()]
    unplayable = next(number for number, label in enumerate(labels) if not PLAYABLE.search(label))

    await hand.nth(unplayable).click()

    await expect(lesson.answer).to_contain_text("J♦")


async def test_a_game_that_is_new_to_somebody_offers_its_lesson_once(engine: RunningEngine, browser: Browser) -> None:
    page = await browser.page(f"#/solo/{GAME}")
    await expect(page.get_by_text("È la prima volta?")).to_be_visible()
    await page.get_by_role("link", name="Impara giocando").click()
    await expect(page.locator(".advice")).to_be_visible()

    await page.goto(f"{browser.url}#/solo/{GAME}")

    await expect(page.get_by_role("button", name="Dai le carte")).to_be_visible()
    await expect(page.get_by_text("È la prima volta?")).to_have_count(0)


async def test_a_waiting_table_offers_the_lesson_of_its_game_until_it_is_begun(
    engine: RunningEngine, browser: Browser
) -> None:
    players = await seat_players(engine, 2, game=GAME)
    page = await browser.page(f"#/table/{players.table}")
    offer = page.get_by_text("È la prima volta?")
    await expect(offer).to_be_visible()
    await page.get_by_label("Il tuo nome").fill("Clara")
    await page.get_by_role("button", name="Siediti").click()
    await expect(page.get_by_role("button", name="Lascia il tavolo")).to_be_visible()
    await expect(offer).to_be_visible()

    await page.get_by_role("link", name="Impara giocando").click()
    await expect(page.locator(".advice")).to_be_visible()
    await page.goto(f"{browser.url}#/table/{players.table}")

    await expect(page.get_by_role("button", name="Lascia il tavolo")).to_be_visible()
    await expect(offer).to_have_count(0)


async def test_a_waiting_table_offers_no_lesson_to_somebody_who_has_played_the_game(
    engine: RunningEngine, browser: Browser
) -> None:
    page = await browser.page("#/settings")
    await Visit(engine, browser, page).take_seat(await seat_players(engine, 2, game=GAME))
    waiting = await seat_players(engine, 1, game=GAME)

    await page.goto(f"{browser.url}#/table/{waiting.table}")

    await expect(page.get_by_role("heading", name="Siediti")).to_be_visible()
    await expect(page.get_by_text("È la prima volta?")).to_have_count(0)


async def test_lobby_and_rules_lead_to_the_lesson(browser: Browser) -> None:
    page = await browser.page("#/")
    await page.get_by_role("link", name=re.compile("^Impara giocando: Gatto Rosso")).click()
    await expect(page.locator(".advice")).to_be_visible()
    await page.goto(f"{browser.url}#/rules/{GAME}")
    await page.get_by_role("link", name="Impara giocando").click()
    await expect(page.locator(".advice")).to_be_visible()
