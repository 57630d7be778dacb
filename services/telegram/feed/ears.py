"""What the outbox tells: which message shows what, where the bot may not write, which group has moved."""

from services.telegram.feed.feed import Feed
from services.telegram.feed.going import depart, follow_group
from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Slot
from services.telegram.painter.painter import Painter
from services.telegram.tables.seating import Seating

PUT_OUT = ("kicked", "not a member", "deactivated", "not found")
"""Telegram's words for a group that the bot is in no more."""
LEFT = ("blocked", "deactivated")
"""Telegram's words for a person who is gone for good."""


class Ears:
    """Listens to the outbox."""

    def __init__(self, memory: Memory, seating: Seating, painter: Painter, feed: Feed, outbox: Outbox) -> None:
        self._memory = memory
        self._seating = seating
        self._painter = painter
        self._feed = feed
        self._outbox = outbox

    async def placed(self, slot: Slot, message: int | None) -> None:
        """Remember a new message."""
        await self._memory.messages.place(slot.ref, slot.name, message or 0)
        kind, _, user = slot.name.partition(":")
        if kind == "hand":
            await self._painter.hands.has_rung(slot, int(user))
        elif kind in {"over", "end"}:
            self._feed.look_again(slot.ref)

    async def closed(self, chat: int, reason: str) -> None:
        """Note that the bot may not write to a chat; who is gone for good leaves his tables."""
        if chat < 0:
            if any(words in reason for words in PUT_OUT):
                await self._memory.chats.settle(chat, present=False)
            return
        await self._memory.people.reach(chat, reachable=False)
        if any(words in reason for words in LEFT):
            await depart(self._seating, self._feed, chat)
            return
        for ref in await self._memory.seats.rooms_of(chat):
            await self._feed.refresh(ref)

    async def moved(self, old: int, new: int) -> None:
        """Follow a group to the supergroup that it became."""
        await follow_group(self._memory, self._outbox, self._feed, old, new)
