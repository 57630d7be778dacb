"""Protocol of the outbox's storage, which `repositories/outbox_store.py` implements."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from services.telegram.records import ShownMessage, StoredDelivery, TableSlot


class MessageStore(Protocol):
    """Storage of the outbox. Its methods raise redis-py's errors."""

    # --- records of tables' messages

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return the messages of a table by slot."""

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of tables and evenings with their chats; the last used table comes last."""

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Store the record of a slot's message, before and after it is sent."""

    async def forget(self, slot: TableSlot) -> None:
        """Delete the record of a slot's message; the message itself stays in the chat."""

    # --- pending messages that belong to no table

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries."""

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store the deliveries in `changed`, and delete the finished deliveries in `removed`."""

    async def note_newest(self, messages: Mapping[int, int]) -> None:
        """Store the newest message ids by sequence that no table's record has."""

    async def newest(self) -> dict[int, int]:
        """Return the stored newest message ids by sequence."""

    # --- changes of chats that Telegram reports

    async def close_chat(self, chat: int, reason: str) -> None:
        """Record that the bot may not write to a chat; `reason` is Telegram's error description."""

    async def move_chat(self, old: int, new: int) -> None:
        """Move all data of a group to the supergroup that it became."""
