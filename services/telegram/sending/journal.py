"""The journal of the outbox: stores what is still to be delivered where no start draws it again, and restores it."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from services.telegram import callback_data
from services.telegram.records import (
    ShownMessage,
    StoredButton,
    StoredDeletion,
    StoredDelivery,
    StoredMessage,
    slot_from_field,
    slot_to_field,
)
from services.telegram.screens.screen import Button, Screen, Style
from services.telegram.sending.messages import Address, MessageQueue, MessageSlot, OutgoingMessage, Priority, Slot

PING_SECONDS = 600.0
"""After how long a nudge that was not delivered is pointless."""


class DeliveryStore(Protocol):
    """Where deliveries are stored; the bot's Redis."""

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store deliveries, and delete those that are done."""

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries."""

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of all tables, each with its chat, those of the table used last at the end."""


class Journal:
    """Stores what is pending in a queue and which messages are to be deleted."""

    def __init__(self, store: DeliveryStore | None, queue: MessageQueue) -> None:
        self._store = store
        self._queue = queue
        self.deletions: set[tuple[int, int]] = set()
        """Chats and ids of messages that are to be deleted."""
        self._stored: dict[str, StoredDelivery] = {}
        self._lock = asyncio.Lock()
        self._restored = asyncio.Event()
        if store is None:
            self._restored.set()

    @property
    def restored(self) -> bool:
        """Whether what was stored is in the queue."""
        return self._restored.is_set()

    async def save(self) -> None:
        """Store what has changed since the last call. Raises what redis-py raises.

        Waits until what was stored is restored, which tells what the process before has begun.
        """
        if self._store is None:
            return
        await self._restored.wait()
        async with self._lock:
            pending: dict[str, StoredDelivery] = {
                _name(message): _stored(message) for message in self._queue.pending() if message.kept
            }
            pending |= {f"delete {chat} {number}": StoredDeletion(chat, number) for chat, number in self.deletions}
            changed = {name: each for name, each in pending.items() if self._stored.get(name) != each}
            removed = [name for name in self._stored if name not in pending]
            if changed or removed:
                await self._store.write(changed, removed)
            self._stored = pending

    async def restore(self) -> list[StoredDeletion]:
        """Put stored messages into the queue, and return the messages that are to be deleted."""
        if self._store is None:
            return []
        async with self._lock:
            loaded = await self._store.load()
            self._stored = loaded | self._stored
        oldest_ping = time.time() - PING_SECONDS
        for stored in loaded.values():
            if isinstance(stored, StoredMessage) and (stored.priority < Priority.PING or stored.since > oldest_ping):
                self._restore(stored)
        self._restored.set()
        self._queue.changed.set()
        return [stored for stored in loaded.values() if isinstance(stored, StoredDeletion)]

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the messages of all tables, each with its chat, oldest use first. Raises what redis-py raises."""
        return [] if self._store is None else await self._store.shown_messages()

    def _restore(self, stored: StoredMessage) -> None:
        slot = _slot(stored)
        to, priority = Address(stored.chat, stored.thread), Priority(stored.priority)
        if slot is None:
            message = self._queue.add(to, _screen(stored), priority)
        elif self._queue.find(slot, stored.chat) is not None:  # drawn anew meanwhile
            return
        else:
            message = self._queue.for_slot(slot, to, _screen(stored), priority, ShownMessage(stored.message))
            message.replace, message.create = stored.replace and stored.message is not None, stored.create
            message.kept = True
        message.waits_since = stored.since


def _name(message: OutgoingMessage) -> str:
    match message.slot:
        case None:
            return f"send {message.name}"
        case MessageSlot(number):
            return f"edit {message.to.chat} {number}"
        case slot:
            return f"slot {slot.ref} {slot_to_field(slot)}"


def _stored(message: OutgoingMessage) -> StoredMessage:
    ref, field = "", ""
    if message.slot is not None and not isinstance(message.slot, MessageSlot):
        ref, field = message.slot.ref, slot_to_field(message.slot)
    return StoredMessage(
        chat=message.to.chat,
        thread=message.to.thread,
        text=message.screen.text,
        rows=tuple(tuple(_stored_button(button) for button in row) for row in message.screen.rows),
        photo=message.screen.photo,
        priority=message.priority,
        since=message.waits_since,
        ref=ref,
        slot=field,
        message=message.message_id,
        replace=message.replace or message.ring != message.rung,
        create=message.create,
    )


def _stored_button(button: Button) -> StoredButton:
    data = None if button.data is None else callback_data.pack(button.data)
    return StoredButton(button.label, data, button.url, button.style, button.app)


def _slot(stored: StoredMessage) -> Slot | None:
    if stored.ref:
        return slot_from_field(stored.ref, stored.slot)
    return MessageSlot(stored.message) if stored.message is not None else None


def _screen(stored: StoredMessage) -> Screen:
    rows = (tuple(_button(button) for button in row if _is_known(button)) for row in stored.rows)
    return Screen(stored.text, tuple(row for row in rows if row), stored.photo)


def _is_known(button: StoredButton) -> bool:
    return button.data is None or callback_data.unpack(button.data) is not None


def _button(stored: StoredButton) -> Button:
    data = None if stored.data is None else callback_data.unpack(stored.data)
    return Button(stored.label, data, stored.url, cast("Style | None", stored.style), stored.app)
