"""Who opened the table gathers the others, starts the match, and asks for another one."""

from msgspec import Struct

from services.terminal.desk import Desk
from services.terminal.places import KeptSeat
from shared.messages import GameInfo, SitDown, Table

COMPUTER = ("c", "computer")
NAMES = ("Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Irene", "Luca", "Anna")


class Gathering(Struct, frozen=True):
    """Whom the host waits for before he starts; with none named, he says so himself."""

    friends: int | None = None
    computers: int | None = None

    @property
    def automatic(self) -> bool:
        """Does the match start by itself?"""
        return self.friends is not None or self.computers is not None

    def complete(self, table: Table) -> bool:
        """Are all there?"""
        people = sum(seat.kind == "person" for seat in table.seats)
        computers = len(table.seats) - people
        return people > (self.friends or 0) and computers >= (self.computers or 0)


class Host:
    """The host's side of an open table, and of one whose match is over."""

    def __init__(self, desk: Desk, seat: KeptSeat, game: GameInfo, gathering: Gathering) -> None:
        self._desk = desk
        self._seat = seat
        self._game = game
        self._gathering = gathering
        self._told: tuple[bool, bool] | None = None
        self._offered = 0

    async def gather(self, table: Table) -> Table | None:
        """Start the match once all are there, and return the table; until then, say what to do."""
        enough = len(table.seats) >= self._game.players.min
        if table.you == table.host and self._gathering.automatic and self._gathering.complete(table) and enough:
            return await self.start(table)
        self._invite(table, enough=enough)
        return None

    def _invite(self, table: Table, *, enough: bool) -> None:
        """Say who may join and who starts, unless that was said just before."""
        told = (table.you == table.host, enough)
        if told == self._told:
            return
        self._told = told
        self._desk.paper.say()
        if table.you != table.host:
            self._desk.say("{name} starts the match.", name=table.seats[table.host or 0].name)
            return
        self._desk.say("Friends sit down with:")
        self._desk.paper.command(f"locanda play --table {self._seat.place.link}")
        if self._gathering.automatic:
            self._desk.say("The match starts as soon as all are there.")
        elif enough:
            self._desk.say("Enter starts the match; c seats a computer player.")
        else:
            self._desk.say("c seats a computer player.")

    async def said(self, table: Table, text: str) -> Table | None:
        """Do what the host asks for in the lobby, and return the table after it."""
        if table.you != table.host:
            self._desk.say("{name} starts the match.", name=table.seats[table.host or 0].name)
        elif text.casefold() in COMPUTER:
            return await seat_computer(self._desk, table, self._seat.token)
        elif not text:
            return await self.start(table)
        else:
            self._desk.say("I do not understand that. ? helps.")
        return None

    async def start(self, table: Table) -> Table:
        """Start the match, or the rematch."""
        return await self._desk.engine.start(table.id, self._seat.token)

    def offer_rematch(self, table: Table) -> None:
        """Say how to play once more, once for each match."""
        if table.match.number == self._offered:
            return
        self._offered = table.match.number
        self._desk.paper.say()
        if table.match.result is not None:
            self._desk.say("Whether the cards were dealt as promised, this tells:")
            self._desk.paper.command(f"locanda verify --table {self._seat.place.link}")
        if table.you == table.host:
            self._desk.say("Enter plays a rematch, q quits.")
        elif table.host is not None:
            self._desk.say("{name} may ask for a rematch; q quits.", name=table.seats[table.host].name)


async def seat_computer(desk: Desk, table: Table, token: str) -> Table:
    """Seat a computer player under a name that nobody has yet."""
    taken = {seat.name for seat in table.seats}
    name = next(name for name in NAMES if name not in taken)
    return (await desk.engine.sit(table.id, SitDown(name, kind="computer"), token)).table
