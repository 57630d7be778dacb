"""The outbox's store: the bot's Redis behind a protocol."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from services.telegram.records import ShownMessage, StoredDelivery, TableSlot


class MessageStore(Protocol):
    """The store of the outbox. Its methods raise what redis-py raises."""

    # --- the records of tables' messages

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return the messages of a table by slot."""

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of tables and evenings, each with its chat, those of the table used last at the end."""

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Store a message that is about to be sent in a slot, and later the sent one."""

    async def forget(self, slot: TableSlot) -> None:
        """Forget which message fills a slot: it stays as it is."""

    # --- pending messages of no table

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries."""

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store deliveries, and delete those that are done."""

    async def note_newest(self, messages: Mapping[int, int]) -> None:
        """Store the newest ids of messages by sequence, where no table's record tells them."""

    async def newest(self) -> dict[int, int]:
        """Return those that were stored."""

    # --- what Telegram says of chats

    async def close_chat(self, chat: int, reason: str) -> None:
        """Store that the bot may not write to a chat (any more), with Telegram's description of the error."""

    async def move_chat(self, old: int, new: int) -> None:
        """Move everything stored of a group to the supergroup that it has become."""
