"""People who play at a table by pressing what their page shows, found by roles and names."""

import re

from playwright.async_api import Locator, Page, expect

from tests.engine.http.engine_server import SeatedPlayers
from tests.web.visitors import Browser, Size

PLAYABLE = re.compile("si può giocare")
MOST_PRESSES = 600


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

    async def next(self) -> Locator:
        """Return what may be pressed next: a move that is offered, a place for the card that is selected, a card."""
        if await self.dismissal.count():
            return self.dismissal
        if await self.offers.count():
            return self.offers.first
        selected = self.hand.get_by_role("button", pressed=True)
        playable = self.page.get_by_role("button", name=PLAYABLE)
        if await selected.count():
            places = playable.and_(self.page.get_by_role("group", name="Il tavolo").get_by_role("button"))
            if await places.count():
                return places.first
            return playable.and_(self.hand.get_by_role("button", pressed=False)).first
        return playable.last

    async def press(self) -> None:
        """Press what may be pressed next, and wait until the page has changed."""
        before = await self.main.inner_text()
        await (await self.next()).click()
        await expect(self.main).not_to_have_text(before, use_inner_text=True)


async def open_table(browser: Browser, players: SeatedPlayers, seat: int | None, size: Size = "phone") -> Page:
    """Return a page of a table, in front of the person on a seat or a spectator."""
    context = await browser.person(size)
    page = await browser.tab(context)
    if seat is not None:
        table = await players.see(seat)
        kept = {"table": players.table, "seat": seat, "token": players.tokens[seat], "game": table["game"], "at": 1}
        script = "kept => localStorage.setItem(`locanda.seat.${kept.table}`, JSON.stringify(kept))"
        await page.evaluate(script, kept | {"name": "Anna", "commitments": {}, "seeds": {}})
    await page.goto(f"{browser.url}#/table/{players.table}")
    return page


async def play_out(players: SeatedPlayers, pages: list[TablePage]) -> None:
    """Let everybody press what their page shows until the match is over."""
    for _ in range(MOST_PRESSES):
        table = await players.see()
        if table["status"] == "over":
            return
        page = pages[table["deal"]["turn"]]
        await expect(page.main.get_by_text("Tocca a te")).to_be_visible()
        await page.press()
    raise AssertionError("the match does not end")
