"""Whole matches at one table, by pressing what is rendered: a page on a phone, one on a desktop, and a chat."""

import pytest
from playwright.async_api import expect

from locanda.messages import JsonObject
from services.telegram.records import LastChoice
from tests.e2e.players import GroupPlayers, tap_of
from tests.engine.http.engine_server import RunningEngine, seat_players
from tests.telegram.harness import BotHarness
from tests.telegram.mini_app.page import app_button, reference
from tests.web.mini_app import MiniApp
from tests.web.pressing import TablePage, by_keyboard, open_table
from tests.web.visitors import Browser

SHORT: dict[str, tuple[str, JsonObject]] = {
    "gatto_rosso": ("Gatto Rosso", {}),
    "ramino": ("🦉 Ramino", {"target": 1, "idle_rounds": 2}),
    "diavoletto": ("😈 Diavoletto", {"mazzetto_size": 13, "no_progress_turns": 4}),
    "presidente": ("🎩 Presidente", {"joker": True}),
}
"""The button of each game, and options with which a match is soon over."""
MOST_PRESSES = 600


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", SHORT)
async def test_people_on_pages_and_in_a_chat_play_a_match_at_one_table(
    app: MiniApp, harness: BotHarness, game: str
) -> None:
    button, options = SHORT[game]
    assert harness.context is not None
    group, repositories = GroupPlayers(harness.telegram), harness.context.repositories
    await repositories.chats.remember_choice(group.group.id, game, LastChoice(options, 0))
    if game == "diavoletto":
        group.people.remove(group.bruno)  # it is for two
    await group.begin(button)
    for person in group.people:
        await repositories.people.set_passing(person.id, "never")  # or the bot would pass for people on pages too
    ref = reference(app_button(group.group))
    pages = {"Anna": TablePage(await app.opens(group.anna, ref, "phone"))}
    if game != "diavoletto":
        pages["Bruno"] = TablePage(await app.opens(group.bruno, ref, "desktop"))

    await play_out(app, group, pages)

    for each in pages.values():
        await expect(each.page.get_by_role("region", name="Fine della partita")).to_be_visible()
        await expect(each.page.get_by_role("link", name="Rivedi la partita")).to_be_visible()
    await group.group.sees(button="Rivincita")


async def play_out(app: MiniApp, group: GroupPlayers, pages: dict[str, TablePage]) -> None:
    """Let who has a page press what it shows, and the others tap in their private chat, until the match is over."""
    shown = pages["Anna"]
    await expect(shown.hand).to_be_visible()
    for _ in range(MOST_PRESSES):
        table = await app.engine.table(shown.page.url[-22:])
        if table.status == "over":
            return
        assert table.deal is not None
        assert table.deal.turn is not None
        name = table.seats[table.deal.turn].name
        if name in pages:
            await expect(pages[name].yours).to_be_visible()
            await pages[name].press()
        else:
            await group.carla.private.until(lambda _: tap_of(group.carla))
            await group.tap_next(group.carla)
    raise AssertionError("the match does not end")


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", SHORT)
async def test_the_keyboard_alone_plays_a_match(engine: RunningEngine, browser: Browser, game: str) -> None:
    options = {"three_suits": "s"} if game == "gatto_rosso" else SHORT[game][1]
    players = await seat_players(engine, 2, game=game, options=options)
    shown = TablePage(await open_table(browser, players, 0))
    table = await players.start()
    while table["status"] != "over":
        if table["deal"]["turn"] == 1:
            await players.play()
        else:
            await expect(shown.yours).to_be_visible()
            await shown.press(by_keyboard)
        table = await players.see()

    await by_keyboard(shown.page.get_by_role("button", name="Rivincita"))
    await expect(shown.hand).to_be_visible()


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", ["gatto_rosso", "presidente"])
async def test_no_page_holds_a_card_of_another_hand(engine: RunningEngine, browser: Browser, game: str) -> None:
    players = await seat_players(engine, 2, game=game)
    pages = [TablePage(await open_table(browser, players, seat)) for seat in (0, 1)]
    await players.start()
    spectator = await open_table(browser, players, None)
    for page in (*(each.page for each in pages), spectator):  # the lobby shows cards too
        await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    for _ in range(6):
        turn = await players.turn()
        await expect(pages[turn].yours).to_be_visible()
        await pages[turn].press()
        for seat in (0, 1):
            shown = [await watcher.content() for watcher in (pages[1 - seat].page, spectator)]
            hand = (await players.see(seat))["deal"]["hand"]  # after the pages: what they showed was no card of it
            assert [card for card in hand if any(f'#{card}"' in page for page in shown)] == []
