"""Matches are played to their end by pressing rendered buttons: on a phone, on a desktop, in a chat."""

from itertools import count

import pytest
from playwright.async_api import expect

from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from services.engine.service import codec
from services.engine.table import playing
from services.engine.table.state import TransitionContext, game_of, turn_of
from services.telegram.records import LastChoice
from services.telegram.repositories.repositories import Repositories
from tests.e2e.players import GroupPlayers, tap_of
from tests.emulator import Person
from tests.engine.fast_forward import fast_forward
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.sampling import WHOLE, long_but_for, sampled
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
"""The button of each game, and the options of a short match. tests/packages adds the example games."""
SHORT |= {name: (f"🎴 {name.capitalize()}", {}) for name in GAME_NAMES if name in ("briscola", "scopa", "tressette")}
MOST_PRESSES = 600
PRESSED = 8
"""The number of moves at the end of a match that `make test` makes by pressing buttons, too."""


async def nearly_over(players: SeatedPlayers) -> None:
    """Play the first legal moves until few moves are left, without pressing.

    `make test-all` presses all moves instead.
    """
    if not WHOLE:
        made, most = count(), await moves_left(players) - PRESSED
        await fast_forward(players.engine.context.service, players.table, lambda _: next(made) >= most)


async def moves_left(players: SeatedPlayers) -> int:
    """Return the number of moves to the end of the match if the first legal move is always played."""
    snapshot = (await players.engine.store.load(players.table)).snapshot
    assert snapshot
    table, made = codec.decode(snapshot.data), 0
    while (turn := turn_of(table)) is not None:
        table = playing.play(table, turn, game_of(table).moves(table.deal)[0], TransitionContext(0)).table
        made += 1
    return made


@pytest.mark.costly
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", [*sampled(SHORT, 4, 0)])
async def test_people_on_pages_and_in_a_chat_play_a_match_at_one_table(
    app: MiniApp, harness: BotHarness, engine: RunningEngine, game: str
) -> None:
    button, options = SHORT[game]
    assert harness.context is not None
    group, repositories = GroupPlayers(harness.telegram), harness.context.repositories
    await repositories.chats.remember_choice(group.group.id, game, LastChoice(options, 0))
    if game == "diavoletto":
        group.people.remove(group.bruno)  # Diavoletto is for two
    await group.begin(button)
    for person in group.people:
        await repositories.people.update(person.id, passing="never")  # the bot must not pass for these people
    ref = reference(app_button(group.group))
    players = await seated(group, repositories, engine, ref)
    await nearly_over(players)
    pages = {group.anna: TablePage(await app.opens(group.anna, ref, "phone"))}
    if game != "diavoletto":
        pages[group.bruno] = TablePage(await app.opens(group.bruno, ref, "desktop"))

    for _ in range(MOST_PRESSES):
        table = await players.see()
        if table["status"] == "over":
            break
        await press_or_tap(group, group.people[table["deal"]["turn"]], pages)

    for seated_page in pages.values():
        await expect(seated_page.page.get_by_role("region", name="Fine della partita")).to_be_visible()
        await expect(seated_page.page.get_by_role("link", name="Rivedi la partita")).to_be_visible()
    await group.group.sees(button="Ci sto")


async def seated(group: GroupPlayers, repositories: Repositories, engine: RunningEngine, ref: str) -> SeatedPlayers:
    """Return the people at a group's table with their seats and tokens, in the order in which they took the seats."""
    chat_table, tokens = await repositories.chat_tables.find(ref), await repositories.seats.tokens(ref)
    assert chat_table is not None
    assert chat_table.engine is not None
    return SeatedPlayers(engine, chat_table.engine, [tokens[person.id] for person in group.people])


async def press_or_tap(group: GroupPlayers, person: Person, pages: dict[Person, TablePage]) -> None:
    """Let the person on turn press a button on their page. If they have no page, let them tap in their private chat."""
    if person in pages:
        await expect(pages[person].yours).to_be_visible()
        await pages[person].press()
    else:
        await person.private.until(lambda _: tap_of(person))
        await group.tap_next(person)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", long_but_for("diavoletto", SHORT))
async def test_the_keyboard_alone_plays_a_match(engine: RunningEngine, browser: Browser, game: str) -> None:
    options = {"three_suits": "s"} if game == "gatto_rosso" else SHORT[game][1]
    players = await seat_players(engine, 2, game=game, options=options)
    table = await players.start()
    await nearly_over(players)
    shown = TablePage(await open_table(browser, players, 0))
    while table["status"] != "over":
        if await players.turn() == 1:
            await players.play()
        else:
            await expect(shown.yours).to_be_visible()
            await shown.press(by_keyboard)
        table = await players.see()

    await by_keyboard(shown.page, await shown.page.get_by_role("button", name="Ci sto").element_handle())
    await players.answer_rematch(1, stays=True)
    await expect(shown.hand).to_be_visible()


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "game", long_but_for("gatto_rosso", [game for game in SHORT if game not in ("ramino", "diavoletto")])
)
async def test_no_page_holds_a_card_of_another_hand(engine: RunningEngine, browser: Browser, game: str) -> None:
    players = await seat_players(engine, 2, game=game)
    pages = [TablePage(await open_table(browser, players, seat)) for seat in (0, 1)]
    await players.start()
    spectator = await open_table(browser, players, None)
    # wait for the table, because the lobby shows cards too
    for page in (*(player.page for player in pages), spectator):
        await expect(page.get_by_role("group", name="Il tavolo")).to_be_visible()
    for _ in range(4):
        turn = await players.turn()
        await expect(pages[turn].yours).to_be_visible()
        await pages[turn].press()
        for seat in (0, 1):
            shown = [await watcher.content() for watcher in (pages[1 - seat].page, spectator)]
            # read after the pages: no card of this hand may be on a page that was read before
            hand = (await players.see(seat))["deal"]["hand"]
            assert [card for card in hand if any(f'#{card}"' in page for page in shown)] == []
