"""Starting a match, playing, and starting again."""

import asyncio
from secrets import token_urlsafe

from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.records import Choice, Room
from services.telegram.screens.games import DRAWINGS
from services.telegram.tables.looking import Looking
from services.telegram.tables.refusing import RefusedError, demand_open
from shared.client import EngineClient
from shared.errors import StaleError, UnauthorizedError
from shared.messages import GiveSeed, JsonObject

ASIDE = {"replaced", "away", "returned", "deadline_moved"}
"""Events of a table that leave its cards as they are."""


class Playing:
    """How matches are played. Raises `RefusedError` or `EngineError` where they cannot be."""

    def __init__(self, engine: EngineClient, memory: Memory, looking: Looking) -> None:
        self._engine = engine
        self._chats = memory.chats
        self._rooms = memory.rooms
        self._seats = memory.seats
        self._looking = looking

    async def start(self, ref: str, user: int, version: int, key: str) -> None:
        """Start the match; the chat's choice is remembered."""
        room = await self._looking.room(ref)
        await self._looking.demand_seated(room, user)
        table, token = await self._looking.hosted(room)
        demand_open(table, version)
        await self._engine.start(table.id, token, version=version, key=key)
        await self._chats.choose(room.chat, room.game, Choice(table.options, table.turn_seconds or 0))

    async def rematch(self, ref: str, user: int, match: int, key: str) -> Room:
        """Start another match with the same seats."""
        room = await self._looking.room(ref)
        await self._looking.demand_seated(room, user)
        table, token = await self._looking.hosted(room)
        if table.status != "over" or table.match.number != match:
            raise RefusedError("stale")
        await asyncio.gather(*(self._give_seed(table.id, each) for each in (await self._seats.tokens(ref)).values()))
        await self._engine.start(table.id, token, key=key)
        letter = await self._rooms.letter(room.chat, room.thread, of=ref)
        again = structs.replace(room, over=False, letter=letter)
        await self._rooms.keep(again)
        return again

    async def _give_seed(self, table: str, token: str) -> None:
        try:
            you = (await self._engine.table(table, token)).you
        except UnauthorizedError:
            return
        if you is not None:
            await self._engine.give_seed(table, you, token, GiveSeed(token_urlsafe(12)))

    async def play(self, ref: str, user: int, version: int, code: str, key: str) -> None:
        """Make a person's move."""
        room = await self._looking.room(ref)
        token = await self._seats.token(ref, user)
        if token is None or room.engine is None:
            raise RefusedError("not_seated")
        try:
            move = DRAWINGS[room.game].move(code)
        except (LookupError, ValueError):
            raise RefusedError("unknown_button") from None
        try:
            await self._play(room.engine, token, move, version, key)
        except UnauthorizedError:
            await self._seats.forget(ref, user)
            raise RefusedError("wrong_token") from None

    async def _play(self, table: str, token: str, move: JsonObject, version: int, key: str) -> None:
        try:
            await self._engine.play(table, token, move, version=version, key=key)
        except StaleError as error:
            now = error.problem.version
            if now is None or not await self._only_people_moved(table, version, now):
                raise
            await self._engine.play(table, token, move, version=now, key=f"{key}-again")

    async def _only_people_moved(self, table: str, before: int, now: int) -> bool:
        """Tell whether nothing has been played between two versions: somebody came or went, and the cards lie still."""
        page = await self._engine.event_page(table, after=before)
        since = [item for item in page.events if item.id <= now]
        complete = [item.id for item in since] == list(range(before + 1, now + 1))
        return complete and all(event["type"] in ASIDE for item in since for event in item.table.events)
