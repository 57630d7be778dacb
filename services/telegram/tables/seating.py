"""Sitting down at a table, getting up, and coming back."""

from secrets import token_urlsafe

from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.records import Person, Room
from services.telegram.tables.looking import Looking
from services.telegram.tables.names import tidy, unlike
from services.telegram.tables.refusing import RefusedError
from shared.client import EngineClient
from shared.errors import MalformedError
from shared.messages import GiveSeed, OpenTable, Seated, SitDown


class Seating:
    """How people come and go. Raises `RefusedError` or `EngineError` where they cannot."""

    def __init__(self, engine: EngineClient, memory: Memory, looking: Looking) -> None:
        self._engine = engine
        self._rooms = memory.rooms
        self._seats = memory.seats
        self._looking = looking

    async def sit(self, ref: str, person: Person, key: str) -> Room:
        """Seat a person; the first one opens the engine's table."""
        room = await self._looking.room(ref)
        if await self._seats.token(ref, person.user) is not None:
            raise RefusedError("already_seated")
        table = await self._looking.seen(room)
        name = unlike(tidy(person.name), [seat.name for seat in table.seats] if table else [])
        if table is None:
            return await self._sit_first(room, person.user, name, key)
        sit = SitDown(name, client_seed=token_urlsafe(12))
        await self._keep_seat(room, person.user, await self._engine.sit(table.id, sit, key=key))
        return room

    async def _sit_first(self, room: Room, user: int, name: str, key: str) -> Room:
        wish = OpenTable(room.game, name, options=room.options, turn_seconds=room.seconds or None)
        try:
            seated = await self._engine.open_table(wish, key=key)
        except MalformedError:
            seated = await self._engine.open_table(structs.replace(wish, options={}), key=f"{key}-plain")
        opened = structs.replace(room, engine=seated.table.id)
        await self._rooms.keep(opened)
        await self._rooms.tell(room.ref, None)
        await self._keep_seat(opened, user, seated)
        if seated.token is not None:
            await self._engine.give_seed(seated.table.id, seated.seat, seated.token, GiveSeed(token_urlsafe(12)))
        return opened

    async def _keep_seat(self, room: Room, user: int, seated: Seated) -> None:
        if seated.token is not None:
            await self._seats.keep(room.ref, user, seated.token)
        await self._rooms.touch(room.ref)

    async def stand(self, ref: str, user: int) -> Room:
        """Let a person get up from an open table; after the last one it is as it was before the first."""
        room = await self._looking.room(ref)
        table, token = await self._looking.seen_by(room, user)
        if table.status != "open" or table.you is None:
            raise RefusedError("not_open")
        left = await self._engine.leave(table.id, table.you, token)
        await self._seats.forget(ref, user)
        if left.host is not None:
            return room
        emptied = structs.replace(
            room, engine=None, options=table.options, seconds=table.turn_seconds or 0, drafts=room.drafts + 1
        )
        await self._rooms.keep(emptied)
        return emptied

    async def leave(self, ref: str, user: int) -> Room:
        """Let a person go, whatever the table is doing: in mid-game a computer player takes his hand."""
        room = await self._looking.room(ref)
        table, token = await self._looking.seen_by(room, user)
        if table.status == "open":
            return await self.stand(ref, user)
        if table.you is not None:
            await self._engine.leave(table.id, table.you, token)
        await self._seats.forget(ref, user)
        return room

    async def leave_all(self, user: int, *, chat: int | None = None) -> list[Room]:
        """Let a person go from all his tables, or from those of one chat; return them."""
        left = []
        for room in await self._rooms.of_person(user):
            if chat is None or room.chat == chat:
                try:
                    left.append(await self.leave(room.ref, user))
                except RefusedError:
                    left.append(room)
        return left

    async def come_back(self, ref: str, user: int) -> None:
        """Give a person his hand back."""
        table, token = await self._looking.seen_by(await self._looking.room(ref), user)
        if table.you is not None:
            await self._engine.come_back(table.id, table.you, token)
