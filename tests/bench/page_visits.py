"""Tables of a running engine for the page's benchmark, and people who open them in a browser."""

from typing import Any

import msgspec
from playwright.async_api import BrowserContext, Page

from locanda.client import EngineClient
from locanda.messages import AnswerRematch, GameName, GivenOptions, OpenTable, SitDown, Table
from tests.bench.tables import NAMES
from tests.web.visitors import Browser

HAND = "[aria-label='La tua mano'] button"


class Players:
    """People at a table who play over the API: the first legal move, match after match."""

    def __init__(self, client: EngineClient, table: Table, tokens: list[str]) -> None:
        self._client = client
        self.table = table
        self.tokens = tokens
        self.deals = 0
        """The number of finished deals."""

    @classmethod
    async def started(cls, client: EngineClient, game: str, seats: int, **options: Any) -> "Players":
        """Open a table and start its match."""
        host = await client.open_table(OpenTable(game=GameName(game), name=NAMES[0], options=GivenOptions(options)))
        others = [await client.sit(host.table.id, SitDown(name=name)) for name in NAMES[1:seats]]
        tokens = [seated.token or "" for seated in (host, *others)]
        return cls(client, await client.start(host.table.id, tokens[0]), tokens)

    @property
    def turn(self) -> int | None:
        """The seat on turn, or None once the match is over."""
        return self.table.deal.turn if self.table.status == "playing" and self.table.deal else None

    async def look(self) -> None:
        """Fetch the table again, because a page has made a move."""
        self.table = await self._client.table(self.table.id)

    async def play(self) -> None:
        """Make a move for the player on turn, or start another match."""
        before, turn = self.table, self.turn
        if turn is None:
            for seat, token in enumerate(self.tokens):
                self.table = await self._client.answer_rematch(before.id, seat, token, AnswerRematch(stays=True))
            return
        seen = await self._client.table(before.id, self.tokens[turn])
        self.table = (await self._client.play(before.id, self.tokens[turn], seen.moves[0])).table
        self.deals += self.table.status == "over" or self.table.match.deal != before.match.deal


async def person(
    browser: Browser, players: Players | None = None, script: str = "", *, still: bool = True
) -> BrowserContext:
    """Return a browser with an empty cache. Its person has the first seat of a table."""
    context = await browser.person(still=still)
    if players:
        kept = {"table": players.table.id, "game": players.table.game, "seat": 0, "token": players.tokens[0]}
        text = msgspec.json.encode(kept | {"name": NAMES[0], "at": 1, "commitments": {}, "seeds": {}}).decode()
        key = f"locanda.seat.{players.table.id}"
        await context.add_init_script(f"localStorage.setItem({key!r}, {text!r});")
    if script:
        await context.add_init_script(script)
    return context


async def at_the_table(browser: Browser, players: Players, script: str = "", *, still: bool = True) -> Page:
    """Return a page of the person on the first seat, which shows their hand."""
    page = await (await person(browser, players, script, still=still)).new_page()
    await page.goto(f"{browser.url}#/table/{players.table.id}")
    await page.locator(HAND).first.wait_for()
    return page
