"""People who play by pressing buttons on their page, found by the names and states that screen readers use."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import msgspec
from playwright.async_api import BrowserContext, ElementHandle, Locator, Page, expect

from tests.engine.http.engine_server import SeatedPlayers
from tests.web.visitors import PATIENCE, Browser, Size

PLAYABLE = re.compile("si può giocare")
NEXT = """async () => {
    const main = document.querySelector("main");
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    const mutation = () => new Promise((resolve) => new MutationObserver((_, observer) => {
        observer.disconnect();
        resolve();
    }).observe(main, all));
    const playable = "[aria-label*='si può giocare']";
    const buttons = (inside, such = "") => [...main.querySelectorAll(`${inside} button${such}`)];
    const said = (found, text) => found.textContent.trim() === text;
    const look = () => {
        const dismissal = buttons("dialog[open]").find((each) => said(each, "Avanti"));
        const offer = buttons("[role=group][aria-label='Mosse']").find((each) => !said(each, "Annulla"));
        if (dismissal ?? offer) return dismissal ?? offer;
        const hand = "[role=group][aria-label='La tua mano']";
        if (!buttons(hand, "[aria-pressed=true]").length) return buttons("", playable).at(-1);
        const [place] = buttons("[role=group][aria-label='Il tavolo']", playable);
        return place ?? buttons(hand, `${playable}[aria-pressed=false]`)[0];
    };
    const named = (each) => each.getAttribute("aria-label");
    const text = () => main.textContent + buttons("").map(named).join("|");
    const state = () => [...main.querySelectorAll("dialog[open], [aria-pressed=true]")].map(named).join("|");
    window.fetching ??= window.fetch;
    const posts = [];
    window.fetch = (...asked) => {
        const answer = window.fetching(...asked);
        if (asked[1]?.method === "POST") posts.push(answer.catch(() => {}));
        return answer;
    };
    let found;
    while (!(found = look())) await mutation();
    const [before, written] = [state(), text()];
    window.changed = (async () => {
        while (!posts.length && state() === before) await mutation();
        for (const post of posts) await post;
        while (main.querySelector(".sending") || (state() === before && text() === written)) await mutation();
    })();
    return found;
}"""
"""Waits in the page for the next button to press, and returns it: the one that dismisses a deal's result, an offered
move, a place for the selected card, or a card. `changed` waits until a sent move is answered and drawn, another card is
selected, or the result is gone. Other players' moves may change texts, too, so a changed text is not enough. The script
runs in the page, because each check from Python would take five round trips.
"""

COACHED = """async () => {
    const main = document.querySelector("main");
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    const mutation = () => new Promise((resolve) => new MutationObserver((_, observer) => {
        observer.disconnect();
        resolve();
    }).observe(main, all));
    const look = () => {
        const move = main.querySelector(".advice b")?.textContent.replace(/[.]$/, "");
        const offer = [...main.querySelectorAll(".bar .act")].find((each) => each.textContent.trim() === move);
        const card = main.querySelector(".holding.hinted[aria-pressed=false]");
        return offer ?? card ?? main.querySelector(".target.hinted, .hinted button");
    };
    const text = (each) => each.getAttribute("aria-label") ?? each.textContent;
    const state = () => [...main.querySelectorAll(".advice, .hand [aria-pressed=true]")].map(text).join();
    let found;
    while (!(found = look())) await mutation();
    const before = state();
    window.changed = (async () => {
        while (state() === before) await mutation();
    })();
    return found;
}"""
"""Waits for the next press that a lesson asks for, and returns its button: the move, a raised card, or the card's
target. `changed` waits until the lesson's text changes, or a card is selected.
"""

REMEMBER = """([key, text]) => {
    if (location.protocol !== "http:" || sessionStorage.getItem("remembered")) return;
    sessionStorage.setItem("remembered", "yes");
    localStorage.setItem(key, text);
}"""
"""Writes into the storage before the page's scripts run, but not again on a reload."""
KEYS = """(wanted) => {
    const active = document.activeElement;
    const hand = wanted.closest("[role=group][aria-label='La tua mano']");
    if (wanted === active) return [];
    if (hand?.contains(active)) {
        const cards = [...hand.querySelectorAll("button")];
        return ["Home", ...Array(cards.indexOf(wanted)).fill("ArrowRight")];
    }
    const focusable = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const stops = focusable.filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility());
    const tabs = stops.findIndex((each) => each === wanted || hand?.contains(each)) - stops.indexOf(active);
    return Array(Math.abs(tabs)).fill(tabs < 0 ? "Shift+Tab" : "Tab");
}"""
"""Returns the keys that move the focus to a button, or to the hand that contains the button."""
SPOKEN = "main + [role=status][aria-live=polite]"
"""The page's live regions for screen readers."""
LISTEN = """(spoken) => {
    window.said = [];
    const region = document.querySelector(spoken);
    const heard = () => window.said.push(region.textContent.trimEnd());
    new MutationObserver(heard).observe(region, { characterData: true, childList: true, subtree: true });
}"""
"""Records announcements in `said` from now on, each utterance once."""
MOST_WAYS = 4
"""The maximum number of steps from anywhere on a table to a card: into a dialog or past it, to the hand, and along it.
"""


async def by_pointer(_: Page, wanted: ElementHandle) -> None:
    """Press a button by mouse or finger."""
    await wanted.click()


async def by_keyboard(page: Page, wanted: ElementHandle) -> None:
    """Press a button by keyboard: tab to it, use the arrow keys within the hand, then press enter."""
    for _ in range(MOST_WAYS):
        keys = await wanted.evaluate(KEYS)
        if not keys:
            return await page.keyboard.press("Enter")
        for key in keys:
            await page.keyboard.press(key)
    raise AssertionError(f"the keyboard does not reach {wanted}")


class TablePage:
    """A player's page of a table, in Italian."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.main = page.get_by_role("main")
        self.hand = page.get_by_role("group", name="La tua mano")

    @property
    def yours(self) -> Locator:
        """The text that is shown when it is this player's turn."""
        return self.main.get_by_text("Tocca a te")

    async def press(self, how: Callable[[Page, ElementHandle], Awaitable[None]] = by_pointer) -> None:
        """Press the next button, and wait until the page has changed."""
        async with asyncio.timeout(PATIENCE / 1000):
            button = (await self.page.evaluate_handle(NEXT)).as_element()
            assert button is not None
            await how(self.page, button)
            await self.page.evaluate("window.changed")


class LessonPage:
    """A page on which a person takes a lesson."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.coach = page.locator(".advice")
        self.answer = page.locator(".word:has(button)")
        self.over = page.locator(".over")

    async def press(self, how: Callable[[Page, ElementHandle], Awaitable[None]] = by_pointer) -> None:
        """Press the button that the lesson asks for, and wait until the page has changed."""
        async with asyncio.timeout(PATIENCE / 1000):
            button = (await self.page.evaluate_handle(COACHED)).as_element()
            assert button is not None
            await how(self.page, button)
            await self.page.evaluate("window.changed")

    async def make_moves(
        self, moves: int, how: Callable[[Page, ElementHandle], Awaitable[None]] = by_pointer
    ) -> list[str]:
        """Make a number of the lesson's moves. Return the coach's text before each move."""
        said = []
        for _ in range(moves):
            said.append(await self.coach.inner_text())
            while await self.coach.count() and await self.coach.inner_text() == said[-1]:
                await self.press(how)
            await expect(self.coach.or_(self.over)).to_be_visible()
        return said


async def open_lesson(page: Page, url: str, game: str) -> LessonPage:
    """Open the lesson of a game, and wait for its first sentence."""
    await page.goto(f"{url}#/lesson/{game}")
    lesson = LessonPage(page)
    await expect(lesson.coach).to_be_visible()
    return lesson


async def open_table(
    browser: Browser, players: SeatedPlayers, seat: int | None, size: Size = "phone", *, still: bool = True
) -> Page:
    """Return a page of a table, for the person on a seat or for a spectator."""
    context = await browser.usual_person(size, still=still)
    script = None if seat is None else await seat_script(players, seat)
    return await browser.tab(context, f"#/table/{players.table}", script)


async def take_seat(context: BrowserContext, players: SeatedPlayers, seat: int) -> None:
    """Save a seat that was taken over the API into the storage of a person's browser, whenever a tab is opened."""
    await context.add_init_script(await seat_script(players, seat))


async def seat_script(players: SeatedPlayers, seat: int) -> str:
    """Return a script that saves a seat into the storage of a person's browser."""
    table = await players.see(seat)
    kept = {"table": players.table, "seat": seat, "token": players.tokens[seat], "game": table["game"], "at": 1}
    text = msgspec.json.encode(kept | {"name": "Anna", "commitments": {}, "seeds": {}}).decode()
    stored = msgspec.json.encode([f"locanda.seat.{players.table}", text]).decode()
    return f"({REMEMBER})({stored})"
