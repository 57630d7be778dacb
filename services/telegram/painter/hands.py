"""Hands: what each who sits at a table sees in his private chat, and for which turn his phone rings."""

import asyncio
from collections.abc import Mapping

from msgspec import Struct, structs

from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Address, Priority, Slot
from services.telegram.records import Room
from services.telegram.screens.hand import hand_screen, left_screen
from services.telegram.screens.scene import Scene
from services.telegram.screens.selecting import questions
from shared.client import EngineClient
from shared.errors import UnauthorizedError
from shared.messages import Table
from shared.translate import Language


class Seen(Struct, frozen=True):
    """A person at a table, and the table as he sees it."""

    user: int
    token: str
    table: Table
    language: Language
    reachable: bool


def hand_slot(ref: str, user: int) -> Slot:
    """Return the slot of a person's hand at a table."""
    return Slot(ref, f"hand:{user}")


class Hands:
    """Draws hands."""

    def __init__(self, engine: EngineClient, memory: Memory, outbox: Outbox) -> None:
        self._engine = engine
        self._people = memory.people
        self._chats = memory.chats
        self._seats = memory.seats
        self._messages = memory.messages
        self._outbox = outbox
        self._rung: dict[Slot, str] = {}
        """For which turn each hand was sent afresh."""

    async def seen(self, room: Room) -> list[Seen]:
        """Return who sits at a table, and what each sees."""
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

    async def draw(self, room: Room, scene: Scene, people: list[Seen], since: int) -> None:
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
                before = self._rung.get(hand_slot(room.ref, seen.user), rung.get(seen.user, ""))
                ahead = seen.table.version > scene.table.version
                if before or not ahead:
                    turn = before if ahead else _turn_to_ring(own, since, before)
                    self._hand(own, seen, known, turn, fresh=turn != before)

    def _hand(self, scene: Scene, seen: Seen, known: Mapping[str, int], turn: str, *, fresh: bool) -> None:
        """Show a hand to its owner, whose phone has rung for a turn when it arrives."""
        slot = hand_slot(scene.ref, seen.user)
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
        slot = hand_slot(room.ref, user)
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
        for slot in [slot for slot in self._rung if slot.ref == ref]:
            del self._rung[slot]


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
