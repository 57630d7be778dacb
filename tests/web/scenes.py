"""Every screen of the page in an interesting state, for screenshots and for tests of every screen."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec
from playwright.async_api import Page, expect

from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import open_lesson
from tests.web.visitors import Browser

WIDE_NAME = "W" * 32
NO_TABLE = "A" * 22
PUBLIC = "https://carte.example.org"


@dataclass
class Visit:
    """A person with a page of the scene, and the scene's engine."""

    engine: RunningEngine
    browser: Browser
    page: Page

    async def goto(self, address: str) -> None:
        """Go to an address within the page, as a link does."""
        await self.page.goto(self.browser.url + address)

    async def take_seat(self, players: SeatedPlayers, seat: int = 0) -> None:
        """Save a seat that was taken over the API into this person's browser."""
        kept = {
            "table": players.table,
            "seat": seat,
            "token": players.tokens[seat],
            "name": "Anna",
            "at": 1_790_000_000_000,
        }
        table = await players.see(seat)
        await keep_seat(self.page, kept | {"game": table["game"], "commitments": {}, "seeds": {}})


async def keep_seat(page: Page, kept: JsonObject) -> None:
    """Write a seat into the storage of the browser that shows a page."""
    text = msgspec.json.encode(kept).decode()
    await page.evaluate("([table, text]) => localStorage.setItem(`locanda.seat.${table}`, text)", [kept["table"], text])


async def is_public(page: Page) -> None:
    """Let a page's engine report a public address."""
    server = {"release": "1.0.0", "public_url": PUBLIC}
    await page.route("**/v1/server", lambda route: route.fulfill(json=server))


Scene: TypeAlias = Callable[[Visit], Awaitable[None]]
SCENES: dict[str, Scene] = {}


def scene(function: Scene) -> Scene:
    """Register a scene under the name of its function."""
    SCENES[function.__name__] = function
    return function


# --- the lobby and its forms


@scene
async def lobby(visit: Visit) -> None:
    await seat_players(visit.engine, 2, listed=True)
    await visit.take_seat(await seat_players(visit.engine, 2, game="presidente"))
    await visit.goto("#/settings")
    await visit.goto("#/")
    await expect(visit.page.locator("[data-game]")).to_have_count(len(GAME_NAMES))


@scene
async def against_the_computer(visit: Visit) -> None:
    await visit.goto("#/solo/gatto_rosso")
    await expect(visit.page.get_by_role("heading", name="Gatto Rosso Gatto Grigio")).to_be_visible()


@scene
async def new_table(visit: Visit) -> None:
    await visit.goto("#/new/presidente")
    await visit.page.locator("summary").click()


@scene
async def rules(visit: Visit) -> None:
    await visit.goto("#/rules/diavoletto")
    await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()


@scene
async def settings(visit: Visit) -> None:
    await visit.goto("#/settings")
    await expect(visit.page.get_by_role("switch").first).to_be_visible()


@scene
async def my_tables(visit: Visit) -> None:
    waiting = await seat_players(visit.engine, 1)
    playing = await seat_players(visit.engine, 2, game="diavoletto")
    await playing.start()
    for players in (waiting, playing):
        await visit.take_seat(players)
    await keep_seat(visit.page, {"table": NO_TABLE, "game": "ramino", "token": "x", "name": WIDE_NAME, "at": 0})
    visit.browser.expect_errors("404")
    await visit.goto("#/mine")
    await expect(visit.page.get_by_role("button")).to_have_count(1)


# --- lessons


@scene
async def lesson(visit: Visit) -> None:
    await open_lesson(visit.page, visit.browser.url, "gatto_rosso")


@scene
async def lesson_with_several_cards(visit: Visit) -> None:
    page = await open_lesson(visit.page, visit.browser.url, "presidente")
    await page.make_moves(3)


@scene
async def lesson_with_figures(visit: Visit) -> None:
    page = await open_lesson(visit.page, visit.browser.url, "ramino")
    await page.make_moves(3)


@scene
async def lesson_of_builds(visit: Visit) -> None:
    page = await open_lesson(visit.page, visit.browser.url, "diavoletto")
    await page.make_moves(4)


@scene
async def lesson_of_another_move(visit: Visit) -> None:
    page = await open_lesson(visit.page, visit.browser.url, "gatto_rosso")
    await visit.page.locator(".hand button").nth(2).click()
    await expect(page.answer).to_be_visible()


@scene
async def end_of_a_lesson(visit: Visit) -> None:
    page = await open_lesson(visit.page, visit.browser.url, "presidente")
    await page.make_moves(6)
    await expect(page.over).to_be_visible()


# --- the waiting table


@scene
async def waiting_table(visit: Visit) -> None:
    players = await seat_players(visit.engine, 2, game="presidente", options={"tax": True}, turn_seconds=60)
    await visit.engine.post(
        f"{players.path}/seats", {"name": "Carla", "kind": "computer", "level": "hard"}, token=players.tokens[0]
    )
    await visit.take_seat(players)
    await is_public(visit.page)
    await visit.goto(f"#/table/{players.table}")
    code = visit.page.locator("details").filter(has_text="QR")
    await expect(code).to_be_visible()
    if await code.get_attribute("open") is None:  # on large screens the section is already open
        await code.locator("summary").click()
    await expect(visit.page.locator(".qr")).to_be_visible()


@scene
async def waiting_table_of_a_stranger(visit: Visit) -> None:
    players = await seat_players(visit.engine, 2)
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("textbox").first).to_be_visible()


@scene
async def waiting_table_of_ten_with_wide_names(visit: Visit) -> None:
    players = await seat_players(visit.engine, 1, name=WIDE_NAME)
    for number in range(9):
        name = WIDE_NAME[: -len(str(number))] + str(number)
        await visit.engine.post(f"{players.path}/seats", {"name": name})
    await visit.take_seat(players)
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("listitem")).to_have_count(10)


# --- errors


@scene
async def no_such_table(visit: Visit) -> None:
    visit.browser.expect_errors("404")
    await visit.goto(f"#/table/{NO_TABLE}")
    await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()


@scene
async def wrong_token(visit: Visit) -> None:
    players = await seat_players(visit.engine, 1)
    await keep_seat(
        visit.page, {"table": players.table, "game": "gatto_rosso", "token": "A" * 43, "name": "Anna", "at": 0}
    )
    visit.browser.expect_errors("401")
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("button")).to_be_visible()


@scene
async def nothing_here(visit: Visit) -> None:
    await visit.goto("#/nowhere")
    await expect(
        visit.page.get_by_role("heading", name=re.compile("Qui non c'è nulla|There is nothing here"))
    ).to_be_visible()


@scene
async def engine_away(visit: Visit) -> None:
    visit.browser.expect_errors("ERR_FAILED")
    await visit.page.route("**/v1/**", lambda route: route.abort())
    await visit.page.reload()
    await expect(visit.page.get_by_role("alert")).to_be_visible()
