"""Where a table stands: in a chat or a topic of it, in whose language, and under which letter among others."""

from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Address, Priority, Slot
from services.telegram.records import Room
from services.telegram.screens.screen import Screen
from shared.translate import Language


class Places:
    """The places of all tables."""

    def __init__(self, memory: Memory, outbox: Outbox) -> None:
        self._people = memory.people
        self._chats = memory.chats
        self._rooms = memory.rooms
        self._messages = memory.messages
        self._outbox = outbox

    async def letter(self, room: Room) -> str:
        """Return a table's letter; none where it stands alone."""
        if room.alone:
            return ""
        siblings = await self._rooms.siblings(room.chat, room.thread)
        return room.letter if any(each.ref != room.ref for each in siblings) else ""

    async def language(self, room: Room) -> Language:
        """Return the language in which a table is spoken of."""
        if not room.alone:
            return (await self._chats.chat(room.chat)).language
        person = await self._people.person(room.chat)
        return "en" if person is None else person.language

    async def show(
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
