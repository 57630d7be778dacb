"""Looking at a table: as the bot knows it, as anyone, a person or its host sees it."""

from services.telegram.memory.memory import Memory
from services.telegram.records import Room
from services.telegram.tables.refusing import RefusedError
from shared.client import EngineClient
from shared.errors import UnauthorizedError
from shared.messages import Table


class Looking:
    """Returns tables, and whoever sits there. Raises `RefusedError` or `EngineError` where it cannot."""

    def __init__(self, engine: EngineClient, memory: Memory) -> None:
        self._engine = engine
        self._rooms = memory.rooms
        self._seats = memory.seats

    async def room(self, ref: str) -> Room:
        """Return a table of the bot's."""
        room = await self._rooms.room(ref)
        if room is None:
            raise RefusedError("no_table")
        return room

    async def seen_by(self, room: Room, user: int) -> tuple[Table, str]:
        """Return the engine's table as a person who sits there sees it, and his token."""
        token = await self._seats.token(room.ref, user)
        if token is None or room.engine is None:
            raise RefusedError("not_seated")
        try:
            return await self._engine.table(room.engine, token), token
        except UnauthorizedError:
            await self._seats.forget(room.ref, user)
            raise RefusedError("wrong_token") from None

    async def seen(self, room: Room) -> Table | None:
        """Return the engine's table as anyone may see it; nothing while nobody has sat down."""
        return None if room.engine is None else await self._engine.table(room.engine)

    async def seats(self, room: Room) -> dict[int, int]:
        """Return the seats of the people who sit at a table."""
        seats = {}
        for user in await self._seats.tokens(room.ref):
            try:
                table, _ = await self.seen_by(room, user)
            except RefusedError:
                continue
            if table.you is not None:
                seats[user] = table.you
        return seats

    async def hosted(self, room: Room) -> tuple[Table, str]:
        """Return the table and its host's token."""
        if room.engine is None:
            raise RefusedError("nobody_seated")
        for token in (await self._seats.tokens(room.ref)).values():
            try:
                table = await self._engine.table(room.engine, token)
            except UnauthorizedError:
                continue
            if table.you == table.host:
                return table, token
        raise RefusedError("not_host")

    async def demand_seated(self, room: Room, user: int) -> None:
        """Raise `RefusedError` unless the person sits here, or nobody does and he opened the table."""
        tokens = await self._seats.tokens(room.ref)
        if user not in tokens and (tokens or user != room.opener):
            raise RefusedError("not_yours")
