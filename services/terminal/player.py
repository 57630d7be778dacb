"""Follows a table until its end: as a player, who reacts to events and typed lines, or as a spectator."""

import asyncio

from locanda.errors import ConflictError, EngineError, NotFoundError, StaleError, UnauthorizedError
from locanda.messages import EventItem, GameDetails, GameInfo, SaidRemark, Table
from locanda.messages.links import TableLink
from locanda.translations import language_of

from .board import newly_dealt, show_events, show_table
from .input import ConnectionLost, ConnectionMade, EndOfInput, InputItem, Resized, TypedLine
from .lobby import MatchStart, StartCondition
from .remarks import MUTE, SAY, follow_names, handle_say, print_remark, toggle_muted
from .saved_seats import SavedSeat, SavedSeats
from .session import CommandError, Session
from .shuffles import AGREES, Shuffles, report_check
from .turn import Turn, print_hint, print_review

QUIT = ("q", "quit", "esci")
LEAVE = ("leave", "lascia")
HELP = ("?", "h", "help", "aiuto")
RULES = ("r", "rules", "regole")
TABLE = ("t", "table", "tavolo")
HINT = ("hint", "consiglio")
REVIEW = ("review", "rivedi")


class ConnectionState:
    """Whether the event stream is open. Prints each change, except that the first connection was made."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.lost = False

    def handle(self, item: InputItem) -> None:
        """Record and print a change of the connection; ignore other items."""
        if isinstance(item, ConnectionLost) and not self.lost:
            self.lost = True
            self._session.say("The connection is lost; I keep trying …")
        elif isinstance(item, ConnectionMade) and self.lost:
            self.lost = False
            self._session.say("… and here we are again.")


class Player:
    """A person at a seat, until they quit or leave."""

    def __init__(
        self, session: Session, seat: SavedSeat, seats: SavedSeats, game: GameDetails, condition: StartCondition
    ) -> None:
        self._session = session
        self._seat = seat
        self._seats = seats
        self._game = game
        self._match_start = MatchStart(session, seat, game, condition)
        self._turn = Turn(session, seat, game.game, self._show)
        self._connection = ConnectionState(session)
        self._table: Table | None = None
        self._shuffles = Shuffles(session, seat, seats)
        self._done = False

    async def play(self) -> None:
        """Follow the table and play at it. Raises `CommandError` if the table or the seat no longer exists."""
        session = self._session
        async with session.input.following(session.engine, self._seat.link.table, self._seat.token):
            try:
                while not self._done:
                    await self._handle(await session.input.next())
            except asyncio.CancelledError:
                self._print_how_to_return()
                raise

    async def _handle(self, item: InputItem) -> None:
        match item:
            case EventItem() if self._table is None or item.id > self._table.version:
                await self._handle_event(item)
            case SaidRemark() if self._table is not None:
                print_remark(self._session, self._table, item, self._seats)
            case TypedLine(text):
                self._session.output.line_typed()
                await self._handle_line(text)
            case EndOfInput():
                self._quit()
            case Resized() if self._table is not None and self._table.status == "playing":
                self._session.output.clear()
                self._show(self._table)
                self._turn.ask(self._table, calls=False)
            case EngineError():
                self._give_up(item)
            case _:
                self._connection.handle(item)
        if self._expects_a_line() and self._session.input.empty:
            self._session.output.prompt()

    def _expects_a_line(self) -> bool:
        table = self._table
        if self._done or self._connection.lost or table is None:
            return False
        starts = table.status == "open" and table.you == table.host
        answers = table.status == "over" and table.you is not None
        return bool(table.moves) or _away(table) or starts or answers

    # --- events of the table

    async def _handle_event(self, item: EventItem) -> None:
        before, self._table = self._table, item.table
        first = before is None
        self._session.output.forget_choices()
        if before is None:
            self._show(item.table)
        else:
            follow_names(self._seats, before, item.table)
            show_events(self._session.output, item, self._session.translations)
        try:
            await self._adopt(await self._react(item.table, first=first))
        except (ConflictError, StaleError):
            pass  # the table has changed since the call; its next event will follow
        except EngineError as error:
            self._print_error(error)

    async def _adopt(self, table: Table | None) -> None:
        """Handle a call's response as the next event, unless other events come before it."""
        if table is not None and self._table is not None and table.version == self._table.version + 1:
            await self._handle_event(EventItem(table.version, "change", table))

    async def _react(self, table: Table, *, first: bool) -> Table | None:
        """React to a new version of the table. Returns the table if a call has changed it."""
        if table.status == "over":
            await self._shuffles.check(table)
        seeded = await self._shuffles.give_seed(table)
        if seeded is not None:
            return seeded
        if table.status == "open":
            return await self._match_start.gather(table)
        if table.status == "over":
            self._match_start.offer_rematch(table)
        elif _away(table):
            if first:
                return await self._come_back(table)
            self._session.say("A computer player is playing for you. Press Enter to take your hand back.")
        elif table.moves or newly_dealt(table):
            if not first:
                self._show(table)
            self._turn.ask(table)
        return None

    def _show(self, table: Table) -> None:
        show_table(self._session.output, table, self._game, self._session.translations)
        if table.status == "playing":
            self._print_whose_turn(table)

    def _print_whose_turn(self, table: Table) -> None:
        if table.deal is not None and table.deal.turn not in (None, table.you):
            self._session.output.line()
            self._session.say("It is {name}'s turn", name=table.seats[table.deal.turn or 0].name)

    # --- input

    async def _handle_line(self, line: str) -> None:
        table, word = self._table, line.casefold()
        if word in QUIT:
            self._quit()
        elif table is not None:
            try:
                if not await self._handle_command(table, word):
                    await self._adopt(await self._handle_answer(table, line))
            except EngineError as error:
                self._print_error(error)

    async def _handle_command(self, table: Table, word: str) -> bool:
        """Execute a command that is always possible. Return whether the line was such a command."""
        first, _, rest = word.partition(" ")
        if word in HELP:
            self._print_help(table)
        elif first in SAY:
            await handle_say(self._session, table, self._seat.token, rest.strip())
        elif first in MUTE:
            toggle_muted(self._session, self._seats, table, rest.strip())
        elif word in RULES:
            rules = self._game.rules
            self._session.output.markdown(rules.it if language_of(self._session.translations) == "it" else rules.en)
            self._turn.ask(table)
        elif word in TABLE:
            self._show(table)
            self._turn.ask(table)
        elif word in LEAVE:
            await self._leave(table)
        elif word in HINT:
            await print_hint(self._session, table, self._seat.token)
        elif word in REVIEW:
            await print_review(self._session, table, self._seat.token)
        else:
            return False
        return True

    async def _handle_answer(self, table: Table, line: str) -> Table | None:
        """Execute a line according to the table's state. Returns the table if a call has changed it."""
        if table.status == "open":
            return await self._match_start.handle_line(table, line)
        if table.status == "over":
            return await self._match_start.handle_line_after_match(table, line)
        if _away(table):
            return await self._come_back(table)
        if table.moves:
            return await self._turn.handle_line(table, line)
        self._print_whose_turn(table)
        return None

    def _print_help(self, table: Table) -> None:
        gettext = self._session.gettext
        rows = [
            ("r", gettext("how it is played")),
            ("t", gettext("show the table again")),
            (gettext("say"), gettext("make a remark at the table")),
            (gettext("mute"), gettext("hide or show the remarks of others; with a name, of one person")),
            ("q", gettext("quit; your seat is kept")),
            (gettext("leave"), gettext("leave the table for good: a computer player takes your hand")),
        ]
        if table.status == "open":
            lock = (gettext("lock"), gettext("lock the table to others, or unlock it"))
            rows = [("c", gettext("seat a computer player")), lock, ("Enter", gettext("start")), *rows]
        if table.status == "over":
            rows = [("Enter", gettext("play another match")), (gettext("stop"), gettext("play no more matches")), *rows]
            rows = [(gettext("review"), gettext("your moves beside those of a strong player")), *rows]
        if table.status == "playing":
            cards = self._turn.card_example
            how = gettext(
                "arrow keys and Enter, its number, its cards as in {cards}, or its first letters", cards=cards
            )
            hint = [(gettext("hint"), gettext("what a strong player would do here"))] if table.hints else []
            rows = [(gettext("your move"), how), *hint, *rows]
        self._session.output.rows(rows)

    async def _leave(self, table: Table) -> None:
        if table.you is not None:
            await self._session.engine.leave(table.id, table.you, self._seat.token)
        self._seats.forget(self._seat)
        self._session.say("You have left the table.")
        self._done = True

    async def _come_back(self, table: Table) -> Table | None:
        if table.you is None:
            return None
        return await self._session.engine.come_back(table.id, table.you, self._seat.token)

    # --- errors and quitting

    def _print_error(self, error: EngineError) -> None:
        if isinstance(error, UnauthorizedError | NotFoundError):
            self._give_up(error)
        self._session.output.line(self._session.error_text(error, self._table))

    def _give_up(self, error: EngineError) -> None:
        if isinstance(error, UnauthorizedError | NotFoundError):
            self._seats.forget(self._seat)
        raise CommandError(self._session.error_text(error, self._table))

    def _quit(self) -> None:
        self._done = True
        self._print_how_to_return()

    def _print_how_to_return(self) -> None:
        self._session.say("Your seat is kept. To come back:")
        self._session.output.command(f"locanda play --table {self._seat.link.url}")


def _away(table: Table) -> bool:
    """Return whether a computer player is playing the viewer's hand."""
    return table.you is not None and table.seats[table.you].away


async def watch(session: Session, link: TableLink, game: GameInfo) -> None:
    """Follow a table as a spectator until its match is over.

    Then checks the shuffle, if the commitment was seen before the match. Raises `CommandError` if the table no longer
    exists.
    """
    output, translations = session.output, session.translations
    table: Table | None = None
    commitment: str | None = None
    connection = ConnectionState(session)
    session.say("You are watching; Enter shows the table, Ctrl-C ends.")
    async with session.input.following(session.engine, link.table, None):
        while table is None or table.status != "over":
            match await session.input.next():
                case EventItem() as item:
                    first, table = table is None, item.table
                    if table.status == "open":
                        commitment = commitment or table.match.commitment
                    if not first:
                        show_events(output, item, translations)
                    if first or (table.status == "playing" and newly_dealt(table)):
                        show_table(output, table, game, translations)
                case SaidRemark() as said if table is not None:
                    print_remark(session, table, said)
                case TypedLine() | Resized() if table is not None:
                    output.line_typed()
                    show_table(output, table, game, translations)
                case EngineError() as error:
                    raise CommandError(session.error_text(error, table))
                case item:
                    connection.handle(item)
    if table.match.result is not None and commitment is not None:
        await report_check(session, table, commitment, {}, AGREES)
