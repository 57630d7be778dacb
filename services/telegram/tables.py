"""What people do at tables: the bot's memory and the engine's tables brought together. Draws nothing."""

import asyncio
from secrets import token_urlsafe

from msgspec import structs

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.records import Choice, Person, Room
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.selecting import selecting
from shared.client import EngineClient
from shared.errors import MalformedError, StaleError, UnauthorizedError
from shared.messages import ChangeTable, GiveSeed, JsonObject, OpenTable, Seated, SitDown, Table
from shared.words.options import changed

COMPUTERS = ("Ugo", "Ines", "Beppe", "Rosa", "Elio", "Alba", "Gino", "Nilde", "Ivo", "Tina")
"""The regulars of the inn."""
LONGEST_NAME = 32
ASIDE = {"replaced", "away", "returned", "deadline_moved"}
"""Events of a table that leave its cards as they are."""


class RefusedError(Exception):
    """Something cannot be done; the code is one of `screens.refusals`, the facts explain it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Tables:
    """The acts of people. Each raises `RefusedError` or `EngineError` where it cannot be done."""

    def __init__(self, engine: EngineClient, memory: Memory, catalogue: Catalogue) -> None:
        self._engine = engine
        self._chats = memory.chats
        self._rooms = memory.rooms
        self._seats = memory.seats
        self._catalogue = catalogue

    # --- looking

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

    async def _hosted(self, room: Room) -> tuple[Table, str]:
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

    # --- opening and closing

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
                await self.leave(room.ref, user)
            except RefusedError:
                continue
        await self._rooms.drop(room)

    # --- sitting

    async def sit(self, ref: str, person: Person, key: str) -> Room:
        """Seat a person; the first one opens the engine's table."""
        room = await self.room(ref)
        if await self._seats.token(ref, person.user) is not None:
            raise RefusedError("already_seated")
        table = await self.seen(room)
        name = _unlike(_tidy(person.name), [seat.name for seat in table.seats] if table else [])
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
        room = await self.room(ref)
        table, token = await self.seen_by(room, user)
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
        room = await self.room(ref)
        table, token = await self.seen_by(room, user)
        if table.status == "open":
            return await self.stand(ref, user)
        if table.you is not None:
            await self._engine.leave(table.id, table.you, token)
        await self._seats.forget(ref, user)
        return room

    async def leave_all(self, user: int, *, chat: int | None = None) -> list[Room]:
        """Let a person go from all his tables, or from those of one chat; return them."""
        left = []
        for room in await self._rooms.existing(await self._seats.rooms_of(user)):
            if chat is None or room.chat == chat:
                try:
                    left.append(await self.leave(room.ref, user))
                except RefusedError:
                    left.append(room)
        return left

    async def come_back(self, ref: str, user: int) -> None:
        """Give a person his hand back."""
        table, token = await self.seen_by(await self.room(ref), user)
        if table.you is not None:
            await self._engine.come_back(table.id, table.you, token)

    # --- an open table

    async def computers(self, ref: str, version: int, step: int, key: str) -> None:
        """Seat a computer player, or send the last one away."""
        table, token = await self._hosted(await self.room(ref))
        _demand_open(table, version)
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
        room = await self.room(ref)
        game = await self._catalogue.game(room.game)
        if game is None:
            raise RefusedError("no_table")
        if room.engine is None:
            _demand_version(room.drafts, version)
            return await self._redraft(room, options=changed(game, room.options, name, value))
        table, token = await self._hosted(room)
        _demand_open(table, version)
        options = changed(game, table.options, name, value)
        if options == table.options:
            return room
        await self._engine.change_table(table.id, token, ChangeTable(options=options))
        return room

    async def set_time(self, ref: str, version: int, seconds: int) -> Room:
        """Set the time for a turn."""
        room = await self.room(ref)
        if room.engine is None:
            _demand_version(room.drafts, version)
            return await self._redraft(room, seconds=seconds)
        table, token = await self._hosted(room)
        _demand_open(table, version)
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

    # --- playing

    async def start(self, ref: str, user: int, version: int, key: str) -> None:
        """Start the match; the chat's choice is remembered."""
        room = await self.room(ref)
        await self.demand_seated(room, user)
        table, token = await self._hosted(room)
        _demand_open(table, version)
        await self._engine.start(table.id, token, version=version, key=key)
        await self._chats.choose(room.chat, room.game, Choice(table.options, table.turn_seconds or 0))

    async def rematch(self, ref: str, user: int, match: int, key: str) -> Room:
        """Start another match with the same seats."""
        room = await self.room(ref)
        await self.demand_seated(room, user)
        table, token = await self._hosted(room)
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
        room = await self.room(ref)
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

    async def pick(self, ref: str, user: int, version: int, place: int, *, up: bool) -> None:
        """Take a card up, or put it back; where only one may be up, it takes the other's place."""
        table = await self._on_turn(ref, user, version)
        how = selecting(table)
        before = await self._seats.picked(ref, user, version) if how is not None and how.several else frozenset()
        await self._seats.pick(ref, user, version, before | {place} if up else before - {place})

    async def put_back(self, ref: str, user: int, version: int) -> None:
        """Put all cards back."""
        await self._on_turn(ref, user, version)
        await self._seats.pick(ref, user, version, frozenset())

    async def _on_turn(self, ref: str, user: int, version: int) -> Table:
        table, _ = await self.seen_by(await self.room(ref), user)
        if table.version != version:
            raise RefusedError("stale")
        if table.deal is None or table.you is None or table.deal.turn != table.you:
            raise RefusedError("not_your_turn", turn=None if table.deal is None else table.deal.turn)
        return table

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

    async def demand_seated(self, room: Room, user: int) -> None:
        """Raise `RefusedError` unless the person sits here, or nobody does and he opened the table."""
        tokens = await self._seats.tokens(room.ref)
        if user not in tokens and (tokens or user != room.opener):
            raise RefusedError("not_yours")


def _demand_open(table: Table, version: int) -> None:
    if table.status != "open":
        raise RefusedError("not_open")
    _demand_version(table.version, version)


def _demand_version(now: int, version: int) -> None:
    if now != version:
        raise RefusedError("stale")


def _tidy(name: str) -> str:
    """Return a person's name as the engine takes it: printable, on one line, not too long."""
    printable = "".join(sign for sign in name if sign.isprintable() and not "\u2066" <= sign <= "\u2069")
    return " ".join(printable.split())[:LONGEST_NAME].strip() or "?"


def _unlike(name: str, others: list[str]) -> str:
    """Return the name, numbered where another at the table bears the same."""
    number, found = 1, name
    while found in others:
        number += 1
        found = f"{name[: LONGEST_NAME - 3]} {number}"
    return found
