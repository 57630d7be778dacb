"""Whole matches on two pages, one the size of a phone and one of a desktop, by pressing what is rendered."""

import pytest
from playwright.async_api import expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.pressing import TablePage, open_table, play_out
from tests.web.visitors import Browser

SHORT: dict[str, JsonObject] = {
    "gatto_rosso": {"three_suits": "s"},
    "ramino": {"target": 1, "idle_rounds": 2},
    "diavoletto": {"mazzetto_size": 13, "no_progress_turns": 4},
    "presidente": {"joker": True},
}
"""Options of each game with which a match is soon over."""


async def two_at_a_table(
    engine: RunningEngine, browser: Browser, game: str, **options: object
) -> tuple[SeatedPlayers, list[TablePage]]:
    players = await seat_players(engine, 2, game=game, options=options)
    phone = TablePage(await open_table(browser, players, 0, "phone"))
    desktop = TablePage(await open_table(browser, players, 1, "desktop"))
    await players.start()
    return players, [phone, desktop]


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", SHORT)
async def test_two_people_play_a_match_by_pressing_what_they_see(
    engine: RunningEngine, browser: Browser, game: str
) -> None:
    players, pages = await two_at_a_table(engine, browser, game, **SHORT[game])
    await play_out(players, pages)

    for each in pages:
        await expect(each.page.get_by_role("region", name="Fine della partita")).to_be_visible()
        await expect(each.page.get_by_role("link", name="Rivedi la partita")).to_be_visible()


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", ["gatto_rosso", "presidente"])
async def test_no_page_holds_a_card_of_another_hand(engine: RunningEngine, browser: Browser, game: str) -> None:
    players, pages = await two_at_a_table(engine, browser, game)
    spectator = await open_table(browser, players, None)
    for _ in range(12):
        turn = await players.turn()
        await expect(pages[turn].main.get_by_text("Tocca a te")).to_be_visible()
        await pages[turn].press()
        for seat in (0, 1):
            shown = [await watcher.content() for watcher in (pages[1 - seat].page, spectator)]
            hand = (await players.see(seat))["deal"]["hand"]  # after the pages: what they showed was no card of it
            assert [card for card in hand if any(f'#{card}"' in page for page in shown)] == []
