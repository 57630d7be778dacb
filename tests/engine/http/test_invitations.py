"""The shared address of a table: texts and a picture for programs that preview links, the page for browsers."""

import asyncio
import re
from collections.abc import AsyncIterator
from html import unescape

import pytest

from tests.engine.http.engine_server import RunningEngine, running_engine, seat_players
from tests.web.conftest import website

TAG = re.compile(r'<meta property="og:([a-z:_]+)" content="([^"]*)">')

PRELOADED = re.compile(r'<link rel="(?:module)?preload"[^>]* href="\.\./([^"]+)">')


@pytest.fixture
async def engine(inline: None) -> AsyncIterator[RunningEngine]:
    async with running_engine(website=await asyncio.to_thread(website)) as engine:
        yield engine


async def tags(engine: RunningEngine, table: str, language: str = "en") -> dict[str, str]:
    """Return the meta tags that a program reads to preview a link."""
    page = await engine.get(f"/t/{table}", headers={"Accept-Language": language})
    assert page.status == 200
    return {name: unescape(text) for name, text in TAG.findall(page.body.decode())}


async def test_a_link_says_who_waits_who_plays_and_who_has_won(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, game="presidente")
    waiting = await tags(engine, players.table)
    assert waiting["title"] == "Presidente · Locanda"
    assert waiting["description"] == "Table of Anna: 2 of 5 seats are taken. Sit down, or watch."
    await players.start()
    assert (await tags(engine, players.table, "it"))["description"] == "Anna, Ospite 1 giocano. Vieni a guardare."
    await players.play_out()
    assert "wins!" in (await tags(engine, players.table))["description"]


async def test_its_picture_is_there_and_shows_the_deck(engine: RunningEngine) -> None:
    for game, picture in (("ramino", "cuccu"), ("presidente", "cards")):
        players = await seat_players(engine, 2, game=game)
        picture_url = (await tags(engine, players.table))["image"]
        assert picture_url.endswith(f"/social/{picture}.png")
        assert (await engine.get(picture_url[picture_url.index("/social") :])).headers["Content-Type"] == "image/png"


async def test_it_is_the_page_which_may_do_there_what_it_may_at_its_own_address(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2)
    page, own = await engine.get(f"/t/{players.table}"), await engine.get("/")
    assert f'src="../static/{website().version}/app.js"' in page.body.decode()
    assert page.headers["Content-Security-Policy"] == own.headers["Content-Security-Policy"]
    zipped = await engine.get(f"/t/{players.table}", headers={"Accept-Encoding": "gzip"})
    assert (zipped.headers["Content-Encoding"], zipped.body) == ("gzip", page.body)


async def test_what_it_loads_at_once_is_there(engine: RunningEngine) -> None:
    players, waiting = await seat_players(engine, 2), await seat_players(engine, 2)
    await players.start()
    for table in (players.table, waiting.table):
        page = (await engine.get(f"/t/{table}")).body.decode()
        names = PRELOADED.findall(page)
        assert len(names) > 5
        assert [(await engine.get(f"/{name}")).status for name in names] == [200] * len(names)


async def test_a_table_that_is_gone_is_no_error_and_a_strange_address_adds_nothing(engine: RunningEngine) -> None:
    gone = (await engine.get(f"/t/{'A' * 22}")).body
    assert "gone" in (await tags(engine, "A" * 22))["description"]
    assert (await engine.get("/t/%22%3E%3Cscript%3E")).body == gone
