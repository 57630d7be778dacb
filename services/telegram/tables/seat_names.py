"""Names of seats: of computer players, of people, and of people whose data was deleted."""

from contextlib import suppress

from locanda.client import EngineClient
from locanda.errors import ConflictError, NotFoundError
from locanda.messages import Table
from services.common.names import clean_name, distinct
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, TableLookup

COMPUTERS = ("Ugo", "Ines", "Beppe", "Rosa", "Elio", "Alba", "Gino", "Nilde", "Ivo", "Tina")
"""Names of computer players, in order of use."""


def computer_name(table: Table) -> str:
    """Return an unused name for another computer player at a table."""
    taken = [seat.name for seat in table.seats]
    return next((name for name in COMPUTERS if name not in taken), None) or distinct(COMPUTERS[0], taken)


class SeatNames:
    """Changes the names of seats. Its methods raise `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._people = repositories.people
        self._chat_tables = repositories.chat_tables
        self._seats = repositories.seats
        self._lookup = lookup

    async def bring_up_to_date(self, chat_table: ChatTable) -> None:
        """Give each person's seat their current name, and each computer player's seat a name of a computer player.

        A computer player that took over from a person has the person's name until the next match.
        """
        table, token = await self._lookup.host_view(chat_table)
        for seat in table.seats:
            if seat.kind == "computer" and not any(_is_numbered(seat.name, name) for name in COMPUTERS):
                with suppress(ConflictError):
                    table = await self._engine.set_name(table.id, seat.seat, token, computer_name(table))
        for user in await self._lookup.seats(chat_table):
            person = await self._people.person(user)
            if person is not None:
                await self._name(chat_table, user, person.name)

    async def _name(self, chat_table: ChatTable, user: int, name: str) -> None:
        table, token = await self._lookup.view_for(chat_table, user)
        if table.you is not None:
            wanted = distinct(clean_name(name), [seat.name for seat in table.seats if seat.seat != table.you])
            if wanted != table.seats[table.you].name:
                with suppress(ConflictError):
                    await self._engine.set_name(table.id, table.you, token, wanted)

    async def forget(self, user: int) -> None:
        """Remove a person from all tables, and their name from seats that a computer player has taken over."""
        for chat_table in await self._chat_tables.of_person(user):
            with suppress(ActionRefusedError, NotFoundError):
                table, token = await self._lookup.view_for(chat_table, user)
                seat = table.you
                if seat is None and table.rematch is not None and table.rematch.you is not None:
                    seat = len(table.seats) + table.rematch.you
                if seat is not None:
                    await self._engine.leave_nameless(table.id, seat, token, computer_name(table))
        person = await self._people.person(user)
        for chat_table in await self._chat_tables.all():
            if person is not None and await self._seats.has_played(chat_table.ref, user):
                with suppress(ActionRefusedError, NotFoundError):
                    await self._forget_left(chat_table, clean_name(person.name))

    async def _forget_left(self, chat_table: ChatTable, name: str) -> None:
        table, token = await self._lookup.host_view(chat_table)
        for seat in table.seats:
            if seat.kind == "computer" and _is_numbered(seat.name, name):
                table = await self._engine.set_name(table.id, seat.seat, token, computer_name(table))


def _is_numbered(seat: str, name: str) -> bool:
    """Return whether a seat has this name, perhaps with a number that tells it from another seat with the name."""
    start, _, number = seat.rpartition(" ")
    return seat == name or (number.isdecimal() and start == name)
