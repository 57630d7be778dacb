"""The painter: draws a table anew, in the group and for each person. Every screen comes from the state alone."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct, structs

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Address, Priority, Slot
from services.telegram.records import Chat, Room
from services.telegram.screens.end import deal_over_screen, match_over_screen
from services.telegram.screens.hand import hand_screen, left_screen
from services.telegram.screens.lobby import Lobby, closed_screen, lobby_screen, started_screen
from services.telegram.screens.options import options_screen
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import Screen
from services.telegram.screens.selecting import questions
from services.telegram.screens.table import finished_deal_screen, table_screen
from services.telegram.story import DealEnd, Story
from shared.client import EngineClient
from shared.errors import UnauthorizedError
from shared.messages import GameInfo, Table
from shared.translate import Language
from shared.words.options import summary


class Seen(Struct, frozen=True):
    """A person at a table, and the table as he sees it."""

    user: int
    token: str
    table: Table
    language: Language
    reachable: bool


class Painter:
    """Draws tables into the outbox."""

    def __init__(
        self,
        engine: EngineClient,
        memory: Memory,
        catalogue: Catalogue,
        outbox: Outbox,
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine
        self._people = memory.people
        self._chats = memory.chats
        self._rooms = memory.rooms
        self._seats = memory.seats
        self._messages = memory.messages
        self._catalogue = catalogue
        self._outbox = outbox
        self._now = now
        self._choosing: set[str] = set()
        """Tables whose lobby shows the options."""
        self._rung: dict[Slot, str] = {}
        """For which turn each hand was sent afresh."""

    # --- the lobby

    def open_options(self, ref: str) -> None:
        """Let the lobby show the options."""
        self._choosing.add(ref)

    def close_options(self, ref: str) -> None:
        """Let the lobby show its seats again."""
        self._choosing.discard(ref)

    async def lobby(self, room: Room, table: Table | None) -> None:
        """Draw an open table."""
        if room.alone:
            return
        chat = await self._chats.chat(room.chat)
        shown = await self._lobby(room, table, chat)
        if shown is not None:
            screen = options_screen if room.ref in self._choosing else lobby_screen
            await self._show(room, "lobby", screen(shown, chat.language), priority=Priority.NEWS)

    async def closed(self, room: Room) -> None:
        """Draw a table that is closed before it is forgotten."""
        if room.alone:
            return
        chat = await self._chats.chat(room.chat)
        shown = await self._lobby(structs.replace(room, engine=None), None, chat)
        if shown is None:
            return
        screen = closed_screen(shown, chat.language)
        for slot in await self._messages.of(room.ref):
            if slot == "lobby" or slot.startswith("table:"):
                await self._show(room, slot, screen, anew=False)

    async def _lobby(self, room: Room, table: Table | None, chat: Chat) -> Lobby | None:
        game = await self._catalogue.game(room.game)
        if game is None:
            return None
        options = room.options if table is None else table.options
        return Lobby(
            ref=room.ref,
            game=game,
            options=options,
            turn_seconds=(room.seconds or None) if table is None else table.turn_seconds,
            version=room.drafts if table is None else table.version,
            letter=await self._letter(room),
            seats=() if table is None else table.seats,
            differing=tuple(summary(game, options, chat.language)),
            commitment="" if table is None else table.match.commitment,
        )

    async def _letter(self, room: Room) -> str:
        if room.alone:
            return ""
        siblings = await self._rooms.siblings(room.chat, room.thread)
        return room.letter if any(each.ref != room.ref for each in siblings) else ""

    # --- a table with cards

    async def table(self, room: Room, story: Story) -> None:
        """Draw a table as it stands, for the group and for each who sits there."""
        table, game = story.table, await self._catalogue.game(room.game)
        if table is None or game is None or table.deal is None:
            return
        people = await self._seen(room)
        scene = await self._scene(room, game, table, story, people)
        if not room.alone:
            await self._group(room, scene)
        await self._hands(room, scene, people, story.since)

    async def _scene(self, room: Room, game: GameInfo, table: Table, story: Story, people: list[Seen]) -> Scene:
        lost = frozenset(seen.table.you for seen in people if seen.table.you is not None and not seen.reachable)
        return Scene(
            ref=room.ref,
            game=game,
            table=table,
            now=self._now(),
            letter=await self._letter(room),
            alone=room.alone,
            acts=story.acts,
            unreachable=lost,
        )

    async def _seen(self, room: Room) -> list[Seen]:
        tokens = await self._seats.tokens(room.ref)
        found = await asyncio.gather(*(self._seen_by(room, user, token) for user, token in tokens.items()))
        return [seen for seen in found if seen is not None]

    async def _seen_by(self, room: Room, user: int, token: str) -> Seen | None:
        try:
            table = await self._engine.table(room.engine or "", token)
        except UnauthorizedError:
            await self._seats.forget(room.ref, user)
            return None
        person = await self._people.person(user)
        if person is None:
            return Seen(user, token, table, "en", reachable=False)
        return Seen(user, token, table, person.language, person.reachable)

    async def _group(self, room: Room, scene: Scene) -> None:
        chat = await self._chats.chat(room.chat)
        table, match = scene.table, scene.table.match
        known = await self._messages.of(room.ref)
        if match.number == 1 and match.deal == 1:
            lobby = await self._lobby(room, table, chat)
            if lobby is not None:
                await self._show(room, "lobby", started_screen(lobby, chat.language), anew=False)
        before = f"table:{match.number}.{match.deal - 1}"
        if before in known:
            await self._show(room, before, finished_deal_screen(scene, match.deal - 1, chat.language), anew=False)
        current, over = f"table:{match.number}.{match.deal}", table.status == "over"
        await self._show(room, current, table_screen(scene, chat.language), anew=not over)
        if over:
            await self._show(
                room, f"over:{match.number}", match_over_screen(scene, chat.language), priority=Priority.NEWS
            )

    async def deal_end(self, room: Room, end: DealEnd) -> str:
        """Tell the end of a deal, unless it has been told; return its slot."""
        slot = f"end:{end.table.match.number}.{end.deal}"
        game = await self._catalogue.game(room.game)
        if game is None or slot in await self._messages.of(room.ref):
            return slot
        letter = await self._letter(room)
        scene = Scene(ref=room.ref, game=game, table=end.table, now=self._now(), letter=letter, alone=room.alone)
        screen = deal_over_screen(scene, end.deal, end.result, await self._language(room), end.event)
        await self._show(room, slot, screen, priority=Priority.NEWS)
        return slot

    async def rematched(self, room: Room, before: Table) -> None:
        """Take the button off the message that ended the match before."""
        game = await self._catalogue.game(room.game)
        if game is None or before.match.result is None:
            return
        letter = await self._letter(room)
        scene = Scene(ref=room.ref, game=game, table=before, now=self._now(), letter=letter, alone=room.alone)
        screen = match_over_screen(scene, await self._language(room), rematch=False)
        await self._show(room, f"over:{before.match.number}", screen, anew=False)

    async def _language(self, room: Room) -> Language:
        if not room.alone:
            return (await self._chats.chat(room.chat)).language
        person = await self._people.person(room.chat)
        return "en" if person is None else person.language

    async def _show(
        self, room: Room, slot: str, screen: Screen, *, priority: Priority = Priority.TABLE, anew: bool = True
    ) -> None:
        """Show a screen in the table's place; a message that is to stay (`anew` false) is only edited."""
        if not room.alone and not (await self._chats.chat(room.chat)).present:
            return
        message = (await self._messages.of(room.ref)).get(slot)
        self._outbox.show(
            Slot(room.ref, slot),
            Address(room.chat, room.thread),
            screen,
            message=message,
            priority=priority,
            anew=anew,
        )

    # --- hands

    async def _hands(self, room: Room, scene: Scene, people: list[Seen], since: int) -> None:
        """Show everybody his hand as it is by now, which may be ahead of what the scene tells.

        For which turn a phone is to ring comes with the event that is on its way then, and so does the first hand: sent
        before, it would be sent again at once.
        """
        chat = await self._chats.chat(room.chat)
        place = "" if room.alone else chat.title
        rung, known = await self._messages.rung(room.ref), await self._messages.of(room.ref)
        for seen in people:
            if seen.reachable:
                own = await self._own(room, structs.replace(scene, table=seen.table, place=place), seen)
                before = self._rung.get(Slot(room.ref, f"hand:{seen.user}"), rung.get(seen.user, ""))
                ahead = seen.table.version > scene.table.version
                if before or not ahead:
                    turn = before if ahead else _turn_to_ring(own, since, before)
                    self._hand(own, seen, known, turn, fresh=turn != before)
            if room.alone and scene.table.status == "over":
                screen = match_over_screen(scene, seen.language)
                await self._show(room, f"over:{scene.table.match.number}", screen, priority=Priority.NEWS)

    def _hand(self, scene: Scene, seen: Seen, known: Mapping[str, int], turn: str, *, fresh: bool) -> None:
        """Show a hand to its owner, whose phone has rung for a turn when it arrives."""
        slot = Slot(scene.ref, f"hand:{seen.user}")
        self._rung[slot] = turn
        self._outbox.show(
            slot,
            Address(seen.user),
            hand_screen(scene, seen.language),
            message=known.get(slot.name),
            priority=Priority.HAND,
            fresh=fresh,
            anew=seen.table.status == "playing",
        )

    async def _own(self, room: Room, scene: Scene, seen: Seen) -> Scene:
        """Return the scene with what its viewer has taken up, and what the engine says of that."""
        table = seen.table
        picked = await self._seats.picked(room.ref, seen.user, table.version)
        asked = questions(table, picked) if table.you is not None and scene.turn == table.you else ()
        if not asked:
            return scene
        verdicts = await asyncio.gather(*(self._engine.check(table.id, seen.token, move) for move in asked))
        return structs.replace(scene, picked=picked, verdicts=tuple(verdicts))

    async def farewell(self, room: Room, user: int) -> None:
        """Draw the hand of somebody who has left."""
        person, chat = await self._people.person(user), await self._chats.chat(room.chat)
        if person is None:
            return
        slot = Slot(room.ref, f"hand:{user}")
        message = (await self._messages.of(room.ref)).get(slot.name)
        screen = left_screen(chat.title, person.language)
        self._outbox.show(slot, Address(user), screen, message=message, priority=Priority.HAND, anew=False)

    async def has_rung(self, slot: Slot, user: int) -> None:
        """Remember that a fresh hand has arrived."""
        turn = self._rung.get(slot)
        if turn is not None:
            await self._messages.ring(slot.ref, user, turn)

    def forget(self, ref: str) -> None:
        """Forget a table."""
        self._choosing.discard(ref)
        for slot in [slot for slot in self._rung if slot.ref == ref]:
            del self._rung[slot]
        self._outbox.forget(ref)


def _turn_to_ring(scene: Scene, since: int, before: str) -> str:
    """Return for which turn the phone should have rung by now: once a deal, and once for each turn of the viewer.

    Whoever plays alone is looking at the screen already, and whoever is away is not to be disturbed.
    """
    table = scene.table
    deal = f"{table.match.number}" if scene.alone else f"{table.match.number}.{table.match.deal}"
    if table.status != "playing":
        return before
    present = table.you is not None and not table.seats[table.you].away
    if scene.turn == table.you and present and not scene.alone:
        return f"{deal}@{since}"
    return before if before.partition("@")[0] == deal else deal
