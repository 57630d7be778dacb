"""The address of a table that is passed on: words and a picture for programs that show links, the page for browsers."""

import asyncio
import re
from collections.abc import AsyncIterator
from html import unescape

import pytest

from tests.engine.http.engine_server import RunningEngine, running_engine, seat_players
from tests.web.conftest import website

TAG = re.compile(r'<meta property="og:([a-z:_]+)" content="([^"]*)">')


@pytest.fixture
async def engine(inline: None) -> AsyncIterator[RunningEngine]:
    async with running_engine(website=await asyncio.to_thread(website)) as engine:
        yield engine


async def tags(engine: RunningEngine, table: str, language: str = "en") -> dict[str, str]:
    """Return what a program that shows links reads of a table."""
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
        found = (await tags(engine, players.table))["image"]
        assert found.endswith(f"/social/{picture}.png")
        assert (await engine.get(found[found.index("/social") :])).headers["Content-Type"] == "image/png"


async def test_a_browser_goes_on_to_the_table(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2)
    page = (await engine.get(f"/t/{players.table}")).body.decode()
    assert f'content="0; url=../#/table/{players.table}"' in page


async def test_a_table_that_is_gone_is_no_error_and_a_strange_address_leads_nowhere_else(engine: RunningEngine) -> None:
    assert "gone" in (await tags(engine, "A" * 22))["description"]
    page = (await engine.get("/t/%22%3E%3Cscript%3E")).body.decode()
    assert "<script" not in page
    assert 'url=../"' in page
