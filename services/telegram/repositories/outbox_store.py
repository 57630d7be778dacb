"""Storage of the outbox."""

from services.telegram.records import HandSlot, ShownMessage
from services.telegram.repositories.departures import depart, migrate
from services.telegram.repositories.repositories import Repositories

REMOVED_FROM_GROUP = ("kicked", "not a member", "deactivated", "not found")
"""Parts of Telegram's error descriptions for a group that the bot has left."""
PERSON_GONE = ("blocked", "deactivated")
"""Parts of Telegram's error descriptions for a person who has blocked the bot or deleted their account."""


class OutboxStore:
    """The outbox's `MessageStore`, on top of the repositories."""

    def __init__(self, repositories: Repositories) -> None:
        self._repositories = repositories
        self.shown = repositories.messages.shown
        self.record = repositories.messages.record
        self.forget = repositories.messages.forget
        self.load = repositories.deliveries.load
        self.write = repositories.deliveries.write
        self.note_newest = repositories.deliveries.note_newest
        self.newest = repositories.deliveries.newest

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of all tables and evenings with their chats; the last used table comes last.

        A group with a plan for evenings has at least one message: the search for lost messages begins after its id.
        """
        chat_tables, evenings = self._repositories.chat_tables, self._repositories.evenings
        messages = [(chat, ShownMessage(await evenings.seen(chat))) for chat in await evenings.chats()]
        for evening in await evenings.known():
            messages += [(evening.chat, message) for message in (await self.shown(evening.ref)).values()]
        return messages + [
            (slot.user if isinstance(slot, HandSlot) else chat_table.chat, message)
            for chat_table in [await chat_tables.find(ref) for ref in await chat_tables.refs()]
            if chat_table is not None
            for slot, message in (await self.shown(chat_table.ref)).items()
        ]

    async def close_chat(self, chat: int, reason: str) -> None:
        """Record that the bot may not write to a chat. People who blocked it or deleted their account leave tables."""
        if chat < 0:
            if any(text in reason for text in REMOVED_FROM_GROUP):
                await self._repositories.chats.set_presence(chat, present=False)
            return
        await self._repositories.people.update(chat, reachable=False)
        if any(text in reason for text in PERSON_GONE):
            await depart(self._repositories, chat, "left")

    async def move_chat(self, old: int, new: int) -> None:
        """Move all data of a group to the supergroup that it became."""
        await migrate(self._repositories, old, new)
