"""Shelves: the parcels of each chat, those that wait and those whose message may still change."""

import asyncio
from collections.abc import Iterator
from itertools import count

from services.telegram.outbox.parcels import Address, Parcel, Priority, Slot
from services.telegram.screens.screen import Screen


class Shelves:
    """All parcels, by chat; in a chat by slot, or by number where a message will not change."""

    def __init__(self) -> None:
        self._parcels: dict[int, dict[Slot | int, Parcel]] = {}
        self._numbers = count(1)
        self.busy: set[int] = set()
        """Chats to which a parcel is on its way: one at a time, so that they arrive in order."""
        self.stirred = asyncio.Event()
        """Set when there may be more to deliver."""

    def number(self) -> int:
        """Return the number of the line's end."""
        return next(self._numbers)

    def of_slot(self, slot: Slot, to: Address, screen: Screen, priority: Priority, message: int | None) -> Parcel:
        """Return a slot's parcel; one that is put up for it where there is none yet."""
        shelf = self._parcels.setdefault(to.chat, {})
        if slot not in shelf:
            shelf[slot] = Parcel(
                to=to, screen=screen, priority=priority, number=self.number(), slot=slot, message=message or None
            )
        return shelf[slot]

    def add(self, to: Address, screen: Screen, priority: Priority) -> None:
        """Add a message that will not change."""
        number = self.number()
        self._parcels.setdefault(to.chat, {})[number] = Parcel(to=to, screen=screen, priority=priority, number=number)
        self.stirred.set()

    def waiting(self) -> Iterator[Parcel]:
        """Yield the parcels that wait."""
        return (parcel for shelf in self._parcels.values() for parcel in shelf.values() if parcel.waits)

    def deliverable(self) -> Iterator[Parcel]:
        """Yield those of them that wait for no other of their chat to arrive."""
        return (parcel for parcel in self.waiting() if parcel.to.chat not in self.busy)

    def adopt(self, slot: Slot, chat: int, message: int) -> None:
        """Let a message fill a slot whose message is unknown, or is an older one."""
        parcel = self._parcels.get(chat, {}).get(slot)
        if parcel is not None and (parcel.message or 0) < message and not parcel.fresh:
            parcel.message = message

    def move(self, old: int, new: int) -> None:
        """Move a group's parcels to the supergroup that it became: there, all messages are new."""
        shelf = self._parcels.pop(old, None)
        if shelf is None:
            return
        target = self._parcels.setdefault(new, {})
        for key, parcel in shelf.items():
            parcel.to, parcel.message, parcel.fresh = Address(new), None, False
            if parcel.waits:
                target.setdefault(key, parcel)
        self.stirred.set()

    def forget(self, ref: str) -> None:
        """Forget a table's slots; what still waits in them is delivered first."""
        for shelf in self._parcels.values():
            for key, parcel in list(shelf.items()):
                if parcel.slot is not None and parcel.slot.ref == ref and not parcel.waits:
                    del shelf[key]

    def tidy(self) -> None:
        """Forget what has been delivered and belongs to no table, and the chats for which nothing is left."""
        for chat, shelf in list(self._parcels.items()):
            for key, parcel in list(shelf.items()):
                if (parcel.slot is None or not parcel.slot.ref) and not parcel.waits:
                    del shelf[key]
            if not shelf:
                del self._parcels[chat]
