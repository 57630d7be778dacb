"""Matches that are played by ear: by announcements to screen readers, and by names, roles and states of buttons."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

import pytest
from playwright.async_api import Error, Page, expect

from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.sampling import costly_but_for
from tests.web.pressing import LISTEN, SPOKEN, open_table
from tests.web.test_keys import SIGNS, shown
from tests.web.test_matches import SHORT, nearly_over
from tests.web.visitors import PATIENCE, Browser

GAMES = ("gatto_rosso", "ramino", "diavoletto", "presidente")
MATCHES = 100
MOST_SAID = 2
"""The maximum number of utterances for each move."""
TURN = "Tocca a te"
WHOSE = re.compile(r"Tocca a te|È il turno di ")
"""The pattern of announcements about turns."""
OWN_TURN = "([whose, turn]) => said.findLast((each) => each.match(whose))?.includes(turn) ?? false"
ASKED = 5_000
"""Milliseconds after which the listener presses the key for the turn. Moves made while the page loads are not
announced.
"""
LINE = re.compile(r"""^( *)- '?(button|group|dialog)(?: "((?:[^"\\\\]|\\\\.)*)")?(.*)$""")
"""A line of the accessibility tree. A line whose name contains a colon is in quotes."""


@dataclass
class Button:
    """A button as a screen reader sees it, with the groups and the dialog that contain it, the outermost first."""

    name: str
    around: tuple[str, ...]
    pressed: bool

    @property
    def playable(self) -> bool:
        return "si può giocare" in self.name


def buttons(tree: str) -> list[Button]:
    """Return the enabled buttons of an accessibility tree."""
    shown: list[Button] = []
    around: list[tuple[int, str]] = []
    for line in tree.splitlines():
        matched = LINE.match(line)
        if not matched:
            continue
        depth, role, name, rest = len(matched[1]), matched[2], (matched[3] or "").replace("''", "'"), matched[4]
        around = [place for place in around if place[0] < depth]
        if role != "button":
            around.append((depth, "dialog" if role == "dialog" else name))
        elif "[disabled]" not in rest:
            shown.append(Button(name, tuple(place for _, place in around), "[pressed]" in rest))
    return shown


def next_press(all_: list[Button]) -> Button | None:
    """Return the next button to press: dismiss the result, make a move, choose a card's place, or select a card."""
    moves = [button for button in all_ if "Mosse" in button.around]
    ways = [button for button in all_ if "dialog" in button.around and button.name == "Avanti"]
    ways += [button for button in moves if button.name != "Annulla"]
    hand = [button for button in all_ if "La tua mano" in button.around]
    if any(button.pressed for button in hand):
        ways += [button for button in all_ if "Il tavolo" in button.around and button.playable]
        ways += [button for button in hand if button.playable and not button.pressed]
    else:
        ways += [button for button in reversed(all_) if button.playable]
    # Deselect a card that fits no move, for example after one press too many.
    ways += moves
    return ways[0] if ways else None


class Listener:
    """A person who plays by ear."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def said(self) -> list[str]:
        """Return all announcements."""
        said: list[str] = await self.page.evaluate("said")
        return said

    async def own_turn(self, patience: float) -> None:
        """Wait until the last announcement about turns says that it is the listener's turn."""
        await self.page.wait_for_function(OWN_TURN, arg=[WHOSE.pattern, TURN], timeout=patience)

    async def play(self) -> None:
        """Once the page has announced the person's turn, press the next button until there is an announcement.

        The announcement tells of a move, or of the refusal of a press that came too late.
        """
        try:
            await self.own_turn(ASKED)
        except Error:
            await self.page.keyboard.press("g")
            await self.own_turn(PATIENCE)
        heard = len(await self.said())
        tree = ""
        async with asyncio.timeout(PATIENCE / 1000):
            while len(await self.said()) == heard:
                seen = await self.page.get_by_role("main").aria_snapshot()
                button = next_press(buttons(seen))
                if seen == tree or not button:
                    await asyncio.sleep(0.02)
                    continue
                where = self.page.get_by_role("dialog") if "dialog" in button.around else self.page.get_by_role("main")
                wanted = await where.get_by_role("button", name=button.name, exact=True).element_handles()
                if not wanted:
                    continue  # the page has changed meanwhile
                with suppress(Error):  # the button may also disappear now, so do not wait for it
                    await wanted[-1].press("Enter")
                    tree = seen


async def play_by_what_is_said(engine: RunningEngine, browser: Browser, game: str, *, whole: bool) -> None:
    """Play a match between a listener and another player to its end."""
    players = await seat_players(engine, 2 if game == "diavoletto" else 3, game=game, options=SHORT[game][1])
    await players.start()
    if not whole:
        await nearly_over(players)
    browser.expect_errors("412")  # a press on an outdated screen is refused with 412
    page = await shown(await open_table(browser, players, 0))
    await page.evaluate(LISTEN, SPOKEN)
    listener, before = Listener(page), (await players.see())["version"]
    await page.keyboard.press("g")
    while (table := await players.see())["status"] == "playing":
        if table["deal"]["turn"] == 0:
            await listener.play()
        else:
            await players.play()
    await expect(page.get_by_role("region", name="Fine della partita")).to_be_visible()
    await check(listener, table["version"] - before, players)


async def check(listener: Listener, moves: int, players: SeatedPlayers) -> None:
    """Check that the end is announced, and the number and the words of all announcements."""
    language = {"Accept-Language": "it"}
    words = (await players.engine.get(f"{players.path}?words=true", headers=language)).json["words"]
    await listener.page.wait_for_function("(result) => said.at(-1).includes(result)", arg=words["result"][0])
    said = await listener.said()
    assert len(said) <= 1 + MOST_SAID * moves
    assert not [line for line in said if SIGNS.search(line)]


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", costly_but_for("gatto_rosso", GAMES))
async def test_a_match_can_be_played_by_ear(engine: RunningEngine, browser: Browser, game: str) -> None:
    await play_by_what_is_said(engine, browser, game, whole=False)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(MATCHES))
async def test_a_hundred_matches_can_be_played_by_ear(
    engine: RunningEngine, browser: Browser, game: str, number: int
) -> None:
    assert number < MATCHES
    await play_by_what_is_said(engine, browser, game, whole=True)
