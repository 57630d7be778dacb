"""People who play at a table by pressing what their page shows, found by roles and names."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import msgspec
from playwright.async_api import BrowserContext, Locator, Page

from tests.engine.http.engine_server import SeatedPlayers
from tests.web.visitors import PATIENCE, Browser, Size

PLAYABLE = re.compile("si può giocare")
CHANGE = """() => {
    const main = document.querySelector("main");
    const before = main.innerText;
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    return { seen: new Promise((resolve) => {
        const look = () => main.innerText !== before && resolve();
        new MutationObserver(look).observe(main, all);
    }) };
}"""
"""Waits in the page for another text: by polling it would be seen a tenth of a second late, at each press."""

REMEMBER = """([key, text]) => {
    if (location.protocol !== "http:" || sessionStorage.getItem("remembered")) return;
    sessionStorage.setItem("remembered", "yes");
    localStorage.setItem(key, text);
}"""
"""Writes into the storage before the page's own scripts run, but not again when it is loaded anew."""
MOST_TABS = 60
"""More presses of the tab key than there are places for it on a table."""
WHERE = """(wanted) => {
    const hand = wanted.closest("[role=group][aria-label='La tua mano']");
    const active = document.activeElement;
    return wanted === active ? "there" : hand?.contains(active) && hand !== active ? "in the hand" : "elsewhere";
}"""
"""Tells where the focus is, seen from a button."""


class TablePage:
    """A player's page of a table, in Italian."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.main = page.get_by_role("main")
        self.hand = page.get_by_role("group", name="La tua mano")

    @property
    def offers(self) -> Locator:
        """The buttons that play what is selected, or need no cards."""
        return self.page.get_by_role("group", name="Mosse").get_by_role("button").filter(has_not_text="Annulla")

    @property
    def dismissal(self) -> Locator:
        """The button that puts the result of a deal away."""
        return self.page.get_by_role("dialog").get_by_role("button", name="Avanti")

    @property
    def yours(self) -> Locator:
        """What says that it is this player's turn."""
        return self.main.get_by_text("Tocca a te")

    async def next(self) -> Locator:
        """Return what may be pressed next: a move that is offered, a place for the card that is selected, a card."""
        selected = self.hand.get_by_role("button", pressed=True)
        playable = self.page.get_by_role("button", name=PLAYABLE)
        places = playable.and_(self.page.get_by_role("group", name="Il tavolo").get_by_role("button"))
        dismissible, offered, chosen, open_places = await asyncio.gather(
            *(each.count() for each in (self.dismissal, self.offers, selected, places))
        )
        if dismissible:
            return self.dismissal
        if offered:
            return self.offers.first
        if not chosen:
            return playable.last
        return places.first if open_places else playable.and_(self.hand.get_by_role("button", pressed=False)).first

    async def press(self, how: Callable[[Locator], Awaitable[None]] = Locator.click) -> None:
        """Press what may be pressed next, and wait until the page has changed."""
        changed = await self.page.evaluate_handle(CHANGE)
        await how(await self.next())
        async with asyncio.timeout(PATIENCE / 1000):
            await changed.evaluate("change => change.seen")


async def by_keyboard(wanted: Locator) -> None:
    """Press a button by the keys alone: tab to it, within the hand the arrows, then enter."""
    keyboard = wanted.page.keyboard
    for _ in range(MOST_TABS):
        if await wanted.evaluate(WHERE) == "in the hand":
            await keyboard.press("Home")
        while (where := await wanted.evaluate(WHERE)) == "in the hand":
            await keyboard.press("ArrowRight")
        if where == "there":
            return await keyboard.press("Enter")
        await keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


async def open_table(browser: Browser, players: SeatedPlayers, seat: int | None, size: Size = "phone") -> Page:
    """Return a page of a table, in front of the person on a seat or a spectator."""
    context = await browser.person(size)
    if seat is not None:
        await take_seat(context, players, seat)
    return await browser.tab(context, f"#/table/{players.table}")


async def take_seat(context: BrowserContext, players: SeatedPlayers, seat: int) -> None:
    """Let a person's tabs have a seat that was taken over the API."""
    table = await players.see(seat)
    kept = {"table": players.table, "seat": seat, "token": players.tokens[seat], "game": table["game"], "at": 1}
    text = msgspec.json.encode(kept | {"name": "Anna", "commitments": {}, "seeds": {}}).decode()
    await remember(context, f"locanda.seat.{players.table}", text)


async def remember(context: BrowserContext, key: str, text: str) -> None:
    """Write into a person's storage as each of their tabs is opened."""
    stored = msgspec.json.encode([key, text]).decode()
    await context.add_init_script(f"({REMEMBER})({stored})")
