"""A person at a table: hears what happens and what is typed, one thing after the other, and acts."""

import asyncio
from secrets import token_urlsafe

from services.terminal import story
from services.terminal.board import show_board, show_lobby
from services.terminal.desk import Desk
from services.terminal.failures import FailureError, failure
from services.terminal.following import following
from services.terminal.hosting import Gathering, Host
from services.terminal.keyboard import Closed, Found, Heard, Line, Lost
from services.terminal.places import KeptSeat, Seats
from services.terminal.turn import Turn
from shared.errors import (
    ConflictError,
    EngineError,
    NotFoundError,
    StaleError,
    UnauthorizedError,
)
from shared.messages import EventItem, GameDetails, GiveSeed, Table
from shared.translate import spoken

QUIT = ("q", "quit", "esci")
LEAVE = ("leave", "lascia")
HELP = ("?", "h", "help", "aiuto")
RULES = ("r", "rules", "regole")
AGAIN = ("t", "table", "tavolo")


class Player:
    """Plays on one seat until the person has had enough."""

    def __init__(self, desk: Desk, seat: KeptSeat, seats: Seats, game: GameDetails, gathering: Gathering) -> None:
        self._desk = desk
        self._seat = seat
        self._seats = seats
        self._game = game
        self._host = Host(desk, seat, game, gathering)
        self._turn = Turn(desk, seat, game.game)
        self._table: Table | None = None
        self._lost = False
        self._seeded = 0
        self._done = False

    async def play(self) -> None:
        """Follow the table and act on it. Raises `FailureError` when it is gone, or the seat."""
        place = self._seat.place
        async with following(self._desk.engine, place.table, self._seat.token, self._desk.ears):
            try:
                while not self._done:
                    await self._take(await self._desk.ears.next())
            except asyncio.CancelledError:
                self._say_where_to_return()
                raise

    async def _take(self, heard: Heard) -> None:
        match heard:
            case EventItem() if self._table is None or heard.id > self._table.version:
                await self._news(heard)
            case Line(text):
                self._desk.paper.answered()
                await self._answer(text)
            case Closed():
                self._farewell()
            case Lost() if not self._lost:
                self._lost = True
                self._desk.say("The connection is lost; I keep trying …")
            case Found() if self._lost:
                self._lost = False
                self._desk.say("… and here we are again.")
            case EngineError():
                self._give_up(heard)
        if self._expects_an_answer() and self._desk.ears.idle:
            self._desk.paper.ask()

    def _expects_an_answer(self) -> bool:
        table = self._table
        if self._done or self._lost or table is None:
            return False
        return bool(table.moves) or self._away(table) or (table.status != "playing" and table.you == table.host)

    def _give_up(self, error: EngineError) -> None:
        if isinstance(error, UnauthorizedError | NotFoundError):
            self._seats.forget(self._seat.place.table)
        raise FailureError(failure(error, self._table, self._desk.server, self._desk.words))

    # --- what happens

    async def _news(self, item: EventItem) -> None:
        first, self._table = self._table is None, item.table
        if first:
            self._show(item.table)
        else:
            story.tell(self._desk.paper, item, self._desk.words)
        try:
            await self._adopt(await self._react(item.table, first=first))
        except (ConflictError, StaleError):
            pass  # the table has moved on, and its next event is on the way
        except EngineError as error:
            self._complain(error)

    async def _adopt(self, table: Table | None) -> None:
        """Take the answer to one's own act for the news that it is; what others did before comes first."""
        if table is not None and self._table is not None and table.version == self._table.version + 1:
            await self._news(EventItem(table.version, "change", table))

    async def _react(self, table: Table, *, first: bool) -> Table | None:
        """Do or ask what the table calls for, and return the table after it."""
        seeded = await self._give_seed(table)
        if seeded is not None:
            return seeded
        if table.status == "open":
            return await self._host.gather(table)
        if table.status == "over":
            self._host.offer_rematch(table)
        elif self._away(table):
            if first:
                return await self._come_back(table)
            self._desk.say("A computer player holds your hand meanwhile: press Enter to take it again.")
        elif table.moves or story.dealt(table):
            if not first:
                self._show(table)
            self._turn.ask(table)
        return None

    def _show(self, table: Table) -> None:
        paper, words = self._desk.paper, self._desk.words
        if table.status == "open":
            show_lobby(paper, table, self._game, words)
        elif table.status == "over":
            story.match_over(paper, table, words)
        else:
            show_board(paper, table, self._game, words)
            self._waiting(table)

    def _waiting(self, table: Table) -> None:
        if table.deal is not None and table.deal.turn not in (None, table.you):
            self._desk.paper.say()
            self._desk.say("It is {name}'s turn", name=table.seats[table.deal.turn or 0].name)

    async def _give_seed(self, table: Table) -> Table | None:
        """Give one's own share in the shuffle of the match that comes next, once, and return the table after it."""
        coming = table.match.number + (table.status == "over")
        if table.status == "playing" or table.you is None or coming == self._seeded:
            return None
        self._seeded = coming
        token = self._seat.token
        return await self._desk.engine.give_seed(table.id, table.you, token, GiveSeed(token_urlsafe(12)))

    # --- what is typed

    async def _answer(self, text: str) -> None:
        table, word = self._table, text.casefold()
        if word in QUIT:
            self._farewell()
        elif table is not None:
            try:
                if not await self._said_anywhere(table, word):
                    await self._adopt(await self._said_here(table, text))
            except EngineError as error:
                self._complain(error)

    async def _said_anywhere(self, table: Table, word: str) -> bool:
        """Do what may be asked for at any time; tell whether it was that."""
        if word in HELP:
            self._help(table)
        elif word in RULES:
            rules = self._game.rules
            self._desk.paper.markdown(rules.it if spoken(self._desk.words) == "it" else rules.en)
            self._turn.ask(table)
        elif word in AGAIN:
            self._show(table)
            self._turn.ask(table)
        elif word in LEAVE:
            await self._leave(table)
        else:
            return False
        return True

    async def _said_here(self, table: Table, text: str) -> Table | None:
        """Do what a line means at this table, and return the table after it."""
        if table.status == "open":
            return await self._host.said(table, text)
        if table.status == "over":
            return await self._host.start(table)
        if self._away(table):
            return await self._come_back(table)
        if table.moves:
            return await self._turn.said(table, text)
        self._waiting(table)
        return None

    def _help(self, table: Table) -> None:
        gettext = self._desk.gettext
        rows = [
            ("r", gettext("how it is played")),
            ("t", gettext("the table once more")),
            ("q", gettext("quit; your seat is kept")),
            ("leave", gettext("leave the table for good: a computer player takes your hand")),
        ]
        if table.status == "open":
            rows = [("c", gettext("seat a computer player")), ("Enter", gettext("start")), *rows]
        if table.status == "playing":
            cards = self._turn.example
            how = gettext("the number of a move, its cards as in {cards}, or its first letters", cards=cards)
            rows = [(gettext("your move"), how), *rows]
        self._desk.paper.rows(rows)

    async def _leave(self, table: Table) -> None:
        if table.you is not None:
            await self._desk.engine.leave(table.id, table.you, self._seat.token)
        self._seats.forget(table.id)
        self._desk.say("You have left the table.")
        self._done = True

    async def _come_back(self, table: Table) -> Table | None:
        if table.you is None:
            return None
        return await self._desk.engine.come_back(table.id, table.you, self._seat.token)

    def _away(self, table: Table) -> bool:
        return table.you is not None and table.seats[table.you].away

    def _complain(self, error: EngineError) -> None:
        if isinstance(error, UnauthorizedError | NotFoundError):
            self._give_up(error)
        self._desk.paper.say(failure(error, self._table, self._desk.server, self._desk.words))

    def _farewell(self) -> None:
        self._done = True
        self._say_where_to_return()

    def _say_where_to_return(self) -> None:
        """Say how the seat is taken up again."""
        self._desk.say("Your seat is kept. To come back:")
        self._desk.paper.command(f"locanda play --table {self._seat.place.link}")
