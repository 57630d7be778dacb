"""Journal of pending deliveries: sendings, edits and deletions of messages that belong to no table.

Entries are stored until they are done. Messages of tables need no journal, because every table is drawn after a start.
"""

import asyncio
import time
from collections.abc import Iterable
from typing import cast

import structlog

from services.telegram import callback_data
from services.telegram.records import ShownMessage, StoredButton, StoredDeletion, StoredDelivery, StoredMessage
from services.telegram.screens.screen import Button, Screen, Style, Wanted
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, MessageSlot, Priority
from services.telegram.sending.store import MessageStore

log = structlog.get_logger(__name__)

SAVE_SECONDS = 0.5
PING_SECONDS = 600.0
"""Seconds after which an undelivered nudge is dropped."""


class Journal:
    """Stores the pending deliveries of messages that belong to no table; writes only changes."""

    def __init__(self, store: MessageStore, sent_ids: SentIds) -> None:
        self._store = store
        self._sent_ids = sent_ids
        self.left: set[str] = set()
        """Names of messages that an earlier process left undelivered."""
        self._pending: dict[str, Message | StoredDeletion] = {}
        self._stored: dict[str, StoredDelivery | None] = {}
        """The stored entries by name; None if a write had no answer, so the stored value is unknown."""
        self._changed: set[str] = set()
        """Names of entries to store or to delete."""
        self._lock = asyncio.Lock()
        self.restored = asyncio.Event()
        """Set once the stored entries have been loaded."""
        self.unsaved = asyncio.Event()
        """Set while some changes are not stored."""

    def note(self, message: Message) -> None:
        """Record a change of a message that belongs to no table."""
        self._note(_name(message), message if message.step is not None else None)

    def note_deletion(self, chat: int, message: int, *, done: bool) -> None:
        """Record that a message that no table's record names must be deleted or, with `done`, was deleted."""
        deletion = StoredDeletion(chat, message)
        self._note(_name(deletion), None if done else deletion)

    def is_deleted(self, chat: int, message: int) -> bool:
        """Return whether a deletion of this message is pending."""
        return _name(StoredDeletion(chat, message)) in self._pending

    def _note(self, name: str, pending: Message | StoredDeletion | None) -> None:
        if pending is not None:
            self._pending[name] = pending
        else:
            self._pending.pop(name, None)
        self._changed.add(name)
        self.unsaved.set()

    async def save(self) -> None:
        """Store the changes since the last call. Raises redis-py's errors."""
        await self.restored.wait()
        async with self._lock:
            self.unsaved.clear()
            names, self._changed = self._changed, set()
            try:
                await self._write(names)
                await self._write_newest()
            except BaseException:
                self._changed |= names
                self.unsaved.set()
                raise

    async def try_to_save(self) -> None:
        """Store the changes; give up after `SAVE_SECONDS` or an error."""
        try:
            async with asyncio.timeout(SAVE_SECONDS):
                await self.save()
        except Exception as error:  # noqa: BLE001  (no error of the store may stop the bot)
            log.warning("deliveries_not_saved", reason=type(error).__name__)

    async def save_message(self, message: Message) -> None:
        """Record a change of a message, and store all changes. Raises redis-py's errors."""
        self.note(message)
        await self.save()

    async def _write(self, names: Iterable[str]) -> None:
        pending = {name: _stored(self._pending[name]) for name in names if name in self._pending}
        changed = {name: stored for name, stored in pending.items() if self._stored.get(name) != stored}
        removed = [name for name in names if name in self._stored and name not in pending]
        if changed or removed:
            self._stored |= dict.fromkeys(changed)
            await self._store.write(changed, removed)
        self._stored |= changed
        for name in removed:
            del self._stored[name]

    async def _write_newest(self) -> None:
        newest = dict(self._sent_ids.unstored)
        if newest:
            await self._store.note_newest(newest)
        for sequence, message in newest.items():
            if self._sent_ids.unstored[sequence] == message:
                del self._sent_ids.unstored[sequence]

    async def restore(self) -> tuple[list[tuple[int, ShownMessage]], list[Message], list[StoredDeletion]]:
        """Load the journal.

        Returns the messages of tables and evenings with their chats (last used table last), the pending messages, and
        the pending deletions.
        """
        shown = await self._store.shown_messages()
        async with self._lock:
            self._stored = {**await self._store.load()}
            for sequence, newest in (await self._store.newest()).items():
                self._sent_ids.see(sequence, newest)
        self._changed |= {*self._stored}  # `save` deletes entries that are no longer pending
        deletions = [stored for stored in self._stored.values() if isinstance(stored, StoredDeletion)]
        messages = [
            _message(name.removeprefix("send "), stored)
            for name, stored in self._stored.items()
            if isinstance(stored, StoredMessage) and not _is_pointless(stored)
        ]
        self.left |= {message.name for message in messages}
        self.restored.set()
        return shown, messages, deletions


def _is_pointless(stored: StoredMessage) -> bool:
    """Return whether a stored message need not be sent: an old nudge, or a table's message stored by release 0.1.0."""
    return bool(stored.ref) or (stored.priority >= Priority.PING and stored.since <= time.time() - PING_SECONDS)


def _message(name: str, stored: StoredMessage) -> Message:
    return Message(
        to=Address(stored.chat, stored.thread),
        wanted=Wanted(_screen(stored), create=stored.create),
        priority=Priority.PING if stored.priority >= Priority.PING else Priority.ANSWER,
        asker=("chat", stored.chat),
        slot=None if stored.message is None else MessageSlot(stored.chat, stored.message),
        record=ShownMessage(stored.message, begun=stored.begun),
        since=stored.since,
        name=name,
    )


def _name(delivery: Message | StoredDeletion) -> str:
    if isinstance(delivery, StoredDeletion):
        return f"delete {delivery.chat} {delivery.message}"
    if isinstance(delivery.slot, MessageSlot):
        return f"edit {delivery.slot.chat} {delivery.slot.message}"
    return f"send {delivery.name}"


def _stored(delivery: Message | StoredDeletion) -> StoredDelivery:
    return delivery if isinstance(delivery, StoredDeletion) else _stored_message(delivery)


def _stored_message(message: Message) -> StoredMessage:
    screen = message.wanted.screen
    return StoredMessage(
        chat=message.to.chat,
        thread=message.to.thread,
        text=screen.text,
        rows=tuple(tuple(_stored_button(button) for button in row) for row in screen.rows),
        photo=screen.photo,
        document=screen.document,
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
    return Screen(stored.text, tuple(row for row in rows if row), stored.photo, stored.document)


def _is_known(button: StoredButton) -> bool:
    return button.data is None or callback_data.unpack(button.data) is not None


def _button(stored: StoredButton) -> Button:
    data = None if stored.data is None else callback_data.unpack(stored.data)
    return Button(stored.label, data, stored.url, cast("Style | None", stored.style), stored.app)
