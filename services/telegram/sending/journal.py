"""The journal of the outbox: stores what is still to be delivered, and restores it after a restart."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, Self, cast

from services.telegram import callback_data
from services.telegram.records import (
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

    async def recorded_messages(self) -> list[tuple[int, int]]:
        """Return the chats and ids of the messages of all tables, those of the table used last at the end."""


class _State(NamedTuple):
    """What is stored of a message that may change."""

    to: Address
    screen: Screen
    message_id: int | None
    replace: bool
    create: bool
    begun: int | None

    @classmethod
    def of(cls, message: OutgoingMessage) -> Self:
        """Return the state of a message."""
        return cls(message.to, message.screen, message.message_id, message.replace, message.create, message.begun)


class Journal:
    """Stores what is pending in a queue and which messages are to be deleted."""

    def __init__(self, store: DeliveryStore | None, queue: MessageQueue) -> None:
        self._store = store
        self._queue = queue
        self.deletions: set[tuple[int, int]] = set()
        """Chats and ids of messages that are to be deleted."""
        self._stored: dict[str, StoredDelivery] = {}
        self._states: dict[str, _State] = {}
        """Of the messages that are stored."""
        self._lock = asyncio.Lock()
        self._restored = asyncio.Event()
        if store is None:
            self._restored.set()

    @property
    def restored(self) -> bool:
        """Whether what was stored is in the queue."""
        return self._restored.is_set()

    async def save(self, *, tidy: bool = False) -> None:
        """Store what has changed since the last call. Raises what redis-py raises.

        A delivery that is done is deleted from the store only with `tidy`: after a kill it would be repeated without
        effect. One that would send a message twice, or show an older screen again, is deleted at once.
        Waits until what was stored is restored, which tells what the process before has begun.
        """
        if self._store is None:
            return
        await self._restored.wait()
        async with self._lock:
            now, states = self._pending()
            changed = {name: each for name, each in now.items() if self._stored.get(name) != each}
            done = {name: each for name, each in self._stored.items() if name not in now}
            removed = [name for name, each in done.items() if tidy or self._would_have_effect(name, each)]
            if changed or removed:
                await self._store.write(changed, removed)
            self._stored = {name: each for name, each in done.items() if name not in removed} | now
            self._states = {name: each for name, each in self._states.items() if name in self._stored} | states

    def _would_have_effect(self, name: str, done: StoredDelivery) -> bool:
        """Whether a delivery that is done would change something if it were repeated."""
        if isinstance(done, StoredDeletion):
            return False
        slot, state = _slot(done), self._states.get(name)
        return slot is None or state is None or self._queue.screen(slot, done.chat) != state.screen

    def _pending(self) -> tuple[dict[str, StoredDelivery], dict[str, _State]]:
        """Return what is to be delivered, and of that the states of messages."""
        pending, states = dict[str, StoredDelivery](), dict[str, _State]()
        for message in self._queue.pending():
            name, state = _name(message), _State.of(message)
            known = self._stored.get(name)
            same = message.unrecorded or self._states.get(name) == state
            pending[name], states[name] = known if same and known is not None else _stored(message), state
        for chat, message_id in self.deletions:
            pending[f"delete {chat} {message_id}"] = StoredDeletion(chat, message_id)
        return pending, states

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

    async def recorded_messages(self) -> list[tuple[int, int]]:
        """Return the chats and ids of the messages of all tables, oldest use first. Raises what redis-py raises."""
        return [] if self._store is None else await self._store.recorded_messages()

    def _restore(self, stored: StoredMessage) -> None:
        slot = _slot(stored)
        to, priority = Address(stored.chat, stored.thread), Priority(stored.priority)
        if slot is None:
            message = self._queue.add(to, _screen(stored), priority)
        elif self._queue.has(slot, stored.chat):  # drawn anew meanwhile; its sending before may have arrived
            message = self._queue.for_slot(slot, to, _screen(stored), priority, stored.message)
            message.begun = stored.begun if message.is_new else None
            return
        else:
            message = self._queue.for_slot(slot, to, _screen(stored), priority, stored.message)
            message.replace, message.create = stored.replace and stored.message is not None, stored.create
            message.begun = stored.begun
        message.since = stored.since


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
