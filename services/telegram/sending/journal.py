"""The journal of the outbox: stores what is still to be delivered, and restores it after a restart."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, cast

from services.telegram import callback_data
from services.telegram.records import StoredButton, StoredDeletion, StoredMessage, slot_from_field, slot_to_field
from services.telegram.screens.screen import Button, Screen, Style
from services.telegram.sending.messages import Address, MessageQueue, MessageSlot, OutgoingMessage, Priority, Slot

PING_SECONDS = 600.0
"""After how long a nudge that was not delivered is pointless."""

StoredDelivery = StoredMessage | StoredDeletion


class DeliveryStore(Protocol):
    """Where deliveries are stored; the bot's Redis."""

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store deliveries, and delete those that are done."""

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries."""

    async def newest_hand(self) -> tuple[int, int] | None:
        """Return the person and the id of the newest hand message that was recorded."""


class Journal:
    """Stores what is pending in a queue and which messages are to be deleted."""

    def __init__(self, store: DeliveryStore | None, queue: MessageQueue) -> None:
        self._store = store
        self._queue = queue
        self.deletions: set[tuple[int, int]] = set()
        """Chats and ids of messages that are to be deleted."""
        self._stored: dict[str, StoredDelivery] = {}
        self._states: dict[str, tuple[object, ...]] = {}
        self._lock = asyncio.Lock()

    async def save(self, *, tidy: bool = False) -> None:
        """Store what has changed since the last call. Raises what redis-py raises.

        A delivery that is done is deleted from the store only with `tidy`: after a kill it would be repeated without
        effect. A message that would be sent twice is deleted at once.
        """
        if self._store is None:
            return
        async with self._lock:
            now = dict(self._pending())
            changed = {name: each for name, each in now.items() if self._stored.get(name) != each}
            done = {name: each for name, each in self._stored.items() if name not in now}
            removed = [name for name, each in done.items() if tidy or _would_be_sent_again(each)]
            if changed or removed:
                await self._store.write(changed, removed)
            kept = {name: each for name, each in done.items() if name not in removed}
            self._stored = kept | now

    def _pending(self) -> Iterator[tuple[str, StoredDelivery]]:
        states: dict[str, tuple[object, ...]] = {}
        for message in self._queue.pending():
            name = _name(message)
            states[name] = _state(message)
            known = self._stored.get(name)
            same = message.unrecorded or self._states.get(name) == states[name]
            yield name, known if same and known is not None else _stored(message)
        self._states = states
        for chat, message_id in self.deletions:
            yield f"delete {chat} {message_id}", StoredDeletion(chat, message_id)

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
        self._queue.changed.set()
        return [stored for stored in loaded.values() if isinstance(stored, StoredDeletion)]

    async def newest_hand(self) -> tuple[int, int] | None:
        """Return the person and the id of the newest hand message at any table. Raises what redis-py raises."""
        return None if self._store is None else await self._store.newest_hand()

    def _restore(self, stored: StoredMessage) -> None:
        slot = _slot(stored)
        to, priority = Address(stored.chat, stored.thread), Priority(stored.priority)
        if slot is None:
            message = self._queue.add(to, _screen(stored), priority)
        elif self._queue.has(slot, stored.chat):
            return
        else:
            message = self._queue.for_slot(slot, to, _screen(stored), priority, stored.message)
            message.replace, message.create = stored.replace and stored.message is not None, stored.create
            message.begun = stored.begun
        message.since = stored.since


def _would_be_sent_again(stored: StoredDelivery) -> bool:
    """Whether a delivery would have its effect twice: a table's message is known by its slot, once it is sent."""
    return isinstance(stored, StoredMessage) and not stored.ref and stored.message is None


def _state(message: OutgoingMessage) -> tuple[object, ...]:
    return message.to, message.screen, message.message_id, message.replace, message.create, message.begun


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
        since=message.since,
        ref=ref,
        slot=field,
        message=message.message_id,
        replace=message.replace,
        create=message.create,
        begun=message.begun,
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
