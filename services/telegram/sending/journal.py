"""The journal: what is still to be sent, edited and deleted of messages that no table shows, stored until it is done.

The messages of tables need none: a start draws every table.
"""

import asyncio
import time
from typing import cast

from services.telegram import callback_data
from services.telegram.records import (
    ShownMessage,
    StoredButton,
    StoredDeletion,
    StoredDelivery,
    StoredMessage,
)
from services.telegram.screens.screen import Button, Screen, Style, Wanted
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, Messages, MessageSlot, Priority
from services.telegram.sending.store import DeliveryStore

PING_SECONDS = 600.0
"""After how long a nudge that was not delivered is pointless."""


class Journal:
    """Stores what is to be done about messages of no table, and which messages are to be deleted."""

    def __init__(self, store: DeliveryStore, messages: Messages, sent_ids: SentIds) -> None:
        self._store = store
        self._messages = messages
        self._sent_ids = sent_ids
        self.left: set[str] = set()
        """The names of the messages that an earlier process has left."""
        self.deletions: set[tuple[int, int]] = set()
        """Chats and ids of messages that are to be deleted, and of which no table's record tells."""
        self._stored: dict[str, StoredDelivery | None] = {}
        """What the store has; None where a write that got no answer leaves that in doubt."""
        self._lock = asyncio.Lock()
        self.restored = asyncio.Event()
        """Set once what was stored is known."""

    async def save(self) -> None:
        """Store what has changed since the last call. Raises what redis-py raises."""
        await self.restored.wait()
        async with self._lock:
            pending: dict[str, StoredDelivery] = {
                _name(message): _stored(message) for message in self._messages.pending() if message.table is None
            }
            pending |= {f"delete {chat} {number}": StoredDeletion(chat, number) for chat, number in self.deletions}
            changed = {name: each for name, each in pending.items() if self._stored.get(name) != each}
            removed = [name for name in self._stored if name not in pending]
            if changed or removed:
                self._stored |= dict.fromkeys(changed)
                await self._store.write(changed, removed)
            self._stored = {**pending}
            if self._sent_ids.unstored:
                newest = dict(self._sent_ids.unstored)
                await self._store.note_newest(newest)
                for sequence in newest.items() & self._sent_ids.unstored.items():
                    del self._sent_ids.unstored[sequence[0]]

    async def restore(self) -> list[tuple[int, ShownMessage]]:
        """Restore what was stored; return the messages of tables and evenings, each with its chat, oldest use first."""
        shown = await self._store.shown_messages()
        async with self._lock:
            stored = await self._store.load()
            self._stored = {**stored}
            for sequence, message in (await self._store.newest()).items():
                self._sent_ids.see(sequence, message)
            for name, each in stored.items():
                if isinstance(each, StoredDeletion):
                    self.deletions.add((each.chat, each.message))
                elif each.priority < Priority.PING or each.since > time.time() - PING_SECONDS:
                    self._restore(name, each)
        self.restored.set()
        self._messages.changed.set()
        return shown

    def _restore(self, name: str, stored: StoredMessage) -> None:
        if stored.ref:
            return  # by release 0.1.0: the table is drawn
        known = None if stored.message is None else MessageSlot(stored.chat, stored.message)
        self.left.add(name.removeprefix("send "))
        message = Message(
            to=Address(stored.chat, stored.thread),
            wanted=Wanted(_screen(stored), create=stored.create),
            priority=Priority(stored.priority),
            slot=known,
            record=ShownMessage(stored.message, begun=stored.begun),
            since=stored.since,
            name=name.removeprefix("send "),
        )
        if self._messages.find(known or message.name) is None:  # else it was edited anew meanwhile
            self._messages.add(message)
            self._messages.touch(message, 0.0)


def _name(message: Message) -> str:
    if isinstance(message.slot, MessageSlot):
        return f"edit {message.slot.chat} {message.slot.message}"
    return f"send {message.name}"


def _stored(message: Message) -> StoredMessage:
    screen = message.wanted.screen
    return StoredMessage(
        chat=message.to.chat,
        thread=message.to.thread,
        text=screen.text,
        rows=tuple(tuple(_stored_button(button) for button in row) for row in screen.rows),
        photo=screen.photo,
        priority=message.priority,
        since=message.since,
        message=message.record.id,
        begun=message.record.begun,
        create=message.wanted.create,
    )


def _stored_button(button: Button) -> StoredButton:
    data = None if button.data is None else callback_data.pack(button.data)
    return StoredButton(button.label, data, button.url, button.style, button.app)


def _screen(stored: StoredMessage) -> Screen:
    rows = (tuple(_button(button) for button in row if _is_known(button)) for row in stored.rows)
    return Screen(stored.text, tuple(row for row in rows if row), stored.photo)


def _is_known(button: StoredButton) -> bool:
    return button.data is None or callback_data.unpack(button.data) is not None


def _button(stored: StoredButton) -> Button:
    data = None if stored.data is None else callback_data.unpack(stored.data)
    return Button(stored.label, data, stored.url, cast("Style | None", stored.style), stored.app)
