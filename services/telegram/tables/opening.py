"""Opening a table, setting what is played at it while it is open, and closing it."""

from msgspec import structs

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.records import Room
from services.telegram.tables.looking import Looking
from services.telegram.tables.refusing import RefusedError, demand_open, demand_version
from services.telegram.tables.seating import Seating
from shared.client import EngineClient
from shared.messages import ChangeTable, JsonObject, SitDown
from shared.words.options import changed

COMPUTERS = ("Ugo", "Ines", "Beppe", "Rosa", "Elio", "Alba", "Gino", "Nilde", "Ivo", "Tina")
"""The regulars of the inn."""


class Opening:
    """What is done before a match begins. Raises `RefusedError` or `EngineError` where it cannot be."""

    def __init__(
        self, engine: EngineClient, memory: Memory, catalogue: Catalogue, looking: Looking, seating: Seating
    ) -> None:
        self._engine = engine
        self._chats = memory.chats
        self._rooms = memory.rooms
        self._seats = memory.seats
        self._catalogue = catalogue
        self._looking = looking
        self._seating = seating

    async def open(self, room: Room) -> Room:
        """Set up a table, with what the chat chose for its game the last time."""
        choice = await self._chats.choice(room.chat, room.game)
        chat = await self._chats.chat(room.chat)
        opened = structs.replace(
            room,
            letter=await self._rooms.letter(room.chat, room.thread),
            options=choice.options if choice else {},
            seconds=0 if room.alone else choice.seconds if choice else chat.seconds,
        )
        await self._rooms.keep(opened)
        return opened

    async def close(self, room: Room) -> None:
        """Close a table: everybody leaves, and it is forgotten."""
        for user in await self._seats.tokens(room.ref):
            try:
                await self._seating.leave(room.ref, user)
            except RefusedError:
                continue
        await self._rooms.drop(room)

    async def computers(self, ref: str, version: int, step: int, key: str) -> None:
        """Seat a computer player, or send the last one away."""
        table, token = await self._looking.hosted(await self._looking.room(ref))
        demand_open(table, version)
        if step > 0:
            taken = {seat.name for seat in table.seats}
            name = next((name for name in COMPUTERS if name not in taken), COMPUTERS[0])
            await self._engine.sit(table.id, SitDown(name, kind="computer"), token, key=key)
            return
        seats = [seat.seat for seat in table.seats if seat.kind == "computer"]
        if not seats:
            raise RefusedError("no_computer")
        await self._engine.leave(table.id, seats[-1], token)

    async def set_option(self, ref: str, version: int, name: str, value: int) -> Room:
        """Set an option of an open table, or of the wishes for one."""
        room = await self._looking.room(ref)
        game = await self._catalogue.game(room.game)
        if game is None:
            raise RefusedError("no_table")
        if room.engine is None:
            demand_version(room.drafts, version)
            return await self._redraft(room, options=changed(game, room.options, name, value))
        table, token = await self._looking.hosted(room)
        demand_open(table, version)
        options = changed(game, table.options, name, value)
        if options == table.options:
            return room
        await self._engine.change_table(table.id, token, ChangeTable(options=options))
        return room

    async def set_time(self, ref: str, version: int, seconds: int) -> Room:
        """Set the time for a turn."""
        room = await self._looking.room(ref)
        if room.engine is None:
            demand_version(room.drafts, version)
            return await self._redraft(room, seconds=seconds)
        table, token = await self._looking.hosted(room)
        demand_open(table, version)
        await self._engine.change_table(table.id, token, ChangeTable(turn_seconds=seconds or None))
        return room

    async def _redraft(self, room: Room, *, options: JsonObject | None = None, seconds: int | None = None) -> Room:
        redrafted = structs.replace(
            room,
            options=room.options if options is None else options,
            seconds=room.seconds if seconds is None else seconds,
            drafts=room.drafts + 1,
        )
        await self._rooms.keep(redrafted)
        return redrafted
