"""Outgoing messages: the screen that each is to show and the state of its delivery; their queue and their order."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from secrets import token_urlsafe
from typing import TypeAlias

from services.telegram.records import NO_ID, DealEndSlot, HandGrid, LobbySlot, MatchEndSlot, ShownMessage, TableSlot
from services.telegram.screens.screen import Screen
from services.telegram.sending.rate_limits import RateLimiter


class Priority(IntEnum):
    """The order in which waiting messages are sent. Button presses are answered without waiting."""

    HAND = 1
    NEWS = 2
    TABLE = 3
    PING = 4


@dataclass(frozen=True, slots=True)
class Address:
    """A chat, and the topic in it."""

    chat: int
    thread: int | None = None


@dataclass(frozen=True, slots=True)
class MessageSlot:
    """The slot of one existing message that belongs to no table."""

    message: int


Slot: TypeAlias = TableSlot | MessageSlot


@dataclass(slots=True, kw_only=True, eq=False)
class OutgoingMessage:
    """A message to be sent, or one already sent whose screen may change; equal to itself alone."""

    to: Address
    screen: Screen
    priority: Priority
    sequence: int
    """Position in the queue among messages of one priority; each delivery moves the message to the end."""
    slot: Slot | None = None
    message_id: int | None = None
    """The id of the message in Telegram; none before it was sent, `NO_ID` where the id is not known."""
    replace: bool = False
    """Whether a new message is to replace the existing one although there is no new reason to notify the person."""
    ring: str = ""
    """The reason for which the person is to be notified by a new message, unless it is `rung`."""
    rung: str = ""
    """The reason for which they were last notified."""
    since: float = 0.0
    """When the turn that `ring` names began (Unix seconds)."""
    grid: HandGrid | None = None
    """Where the cards of a hand are drawn."""
    create: bool = True
    """Whether to send a message where there is none (any more); otherwise an existing one is only edited."""
    shown: Screen | None = None
    """The screen that Telegram shows, as far as known."""
    not_before: float = 0.0
    """The time before which the message is not sent or edited."""
    earliest: float = 0.0
    """The time before which the limits did not admit it when they were last asked; they are asked again then."""
    waits_since: float = field(default_factory=time.time)
    """When it was first to be delivered (Unix seconds)."""
    name: str = field(default_factory=token_urlsafe)
    """The name under which a message without a slot is stored."""
    attempts: int = 0
    failed: bool = False
    begun: int | None = None
    """The newest id known in its chat before sending began, while it is being sent or after a kill during it."""
    unrecorded: bool = False
    """Whether it was sent and its id is not recorded yet."""
    superseded: set[int] = field(default_factory=set)
    """The messages that it has replaced, until they are deleted, which begins once its own id is recorded."""
    kept: bool = False
    """Whether it is stored until it is delivered: after a start nothing draws it again."""

    def change(self, screen: Screen, *, create: bool = True) -> None:
        """Set the screen to show. A new message that was asked for earlier is still asked for.

        Telegram cannot take a photo away: a screen without one then needs a new message.
        """
        self.screen, self.create, self.failed = screen, create, False
        has_photo = self.shown is not None and bool(self.shown.photo)
        self.replace = self.replace or (has_photo and not screen.photo and bool(self.message_id))

    @property
    def record(self) -> ShownMessage:
        """What is stored of it."""
        return ShownMessage(
            self.message_id, self.rung, self.since, self.grid, self.begun, tuple(sorted(self.superseded))
        )

    @property
    def pending(self) -> bool:
        """Whether there is anything to deliver or to record. The end of a deal or a match must not be sent twice."""
        if self.unrecorded:
            return True
        read = self.message_id == NO_ID and isinstance(self.slot, DealEndSlot | MatchEndSlot)
        if self.failed or (not self.message_id and (read or not self.create)):
            return False
        return self._rings or self.screen != self.shown

    @property
    def is_new(self) -> bool:
        """Whether delivery sends a message rather than edits one."""
        return not self.message_id or self._rings

    @property
    def _rings(self) -> bool:
        """Whether a new message is asked for in place of the one that is known."""
        return self.replace or self.ring != self.rung

    @property
    def is_drawing(self) -> bool:
        """Whether delivery updates a table's or a lobby's message."""
        return self.priority is Priority.TABLE and self.message_id is not None

    @property
    def sort_key(self) -> tuple[Priority, int]:
        """The key by which messages are sent: lowest first."""
        return self.priority, self.sequence


# --- the queue


class MessageQueue:
    """All outgoing messages by chat; within a chat by slot, or by name where a message will not change."""

    def __init__(self) -> None:
        self._messages: dict[int, dict[Slot | str, OutgoingMessage]] = {}
        self._touched: set[OutgoingMessage] = set()
        """Those with something to deliver, and perhaps others: most messages of tables show what they should."""
        self._sequence = count(1)
        self.busy_chats: set[int] = set()
        """Chats with a delivery in progress: one at a time per chat keeps the order."""
        self.changed = asyncio.Event()
        """Set when there may be more to deliver."""

    def next_sequence(self) -> int:
        """Return the sequence number for the end of the queue."""
        return next(self._sequence)

    def for_slot(
        self, slot: Slot, to: Address, screen: Screen, priority: Priority, known: ShownMessage | None = None
    ) -> OutgoingMessage:
        """Return the message of a slot; if the slot has none yet, a new one, of which `known` tells what was sent."""
        messages = self._messages.setdefault(to.chat, {})
        if slot not in messages:
            known = known or ShownMessage()
            messages[slot] = OutgoingMessage(
                to=to,
                screen=screen,
                priority=priority,
                sequence=self.next_sequence(),
                slot=slot,
                message_id=known.id,
                ring=known.ring,
                rung=known.ring,
                since=known.since,
                grid=known.grid,
                begun=known.begun,
            )
        self._touched.add(messages[slot])
        return messages[slot]

    def find(self, slot: Slot, chat: int) -> OutgoingMessage | None:
        """Return the message of a slot, if it has one."""
        return self._messages.get(chat, {}).get(slot)

    def keep_table(self, ref: str) -> None:
        """Have what is to be delivered of a table stored: after a start nothing draws the table again."""
        for message in self.pending():
            message.kept = message.kept or _table_of(message) == ref

    def add(self, to: Address, screen: Screen, priority: Priority) -> OutgoingMessage:
        """Add a message that will not change, and return it."""
        sequence = self.next_sequence()
        message = OutgoingMessage(to=to, screen=screen, priority=priority, sequence=sequence, kept=True)
        self._messages.setdefault(to.chat, {})[message.name] = message
        self._touched.add(message)
        self.changed.set()
        return message

    def recheck(self, slot: Slot, chat: int, *, replace: bool) -> None:
        """Send a slot's screen once more although it is shown; `replace`: as a new message.

        Its message may be missing.
        """
        message = self.find(slot, chat)
        if message is not None and message.create:
            message.shown, message.failed = None, False
            message.replace = message.replace or (replace and bool(message.message_id))
            self._touched.add(message)
            self.changed.set()

    def recheck_table(self, ref: str) -> None:
        """Send all screens of a table once more although they are shown: some messages may be missing."""
        for chat, messages in self._messages.items():
            for message in list(messages.values()):
                if _table_of(message) == ref and message.slot is not None:
                    self.recheck(message.slot, chat, replace=False)

    def mark_missing(self, slot: Slot, chat: int, message_id: int) -> None:
        """Record that a slot's message is missing in the chat, so that it is sent again."""
        message = self.find(slot, chat)
        if message is not None and message.message_id == message_id:
            message.message_id, message.shown, message.replace, message.failed = None, None, False, False
            message.earliest = 0.0  # it waited as a drawing, and is a new message now
            self._touched.add(message)
            self.changed.set()

    def pending(self) -> Iterator[OutgoingMessage]:
        """Yield the messages with something to deliver."""
        return (message for message in list(self._touched) if message.pending)

    def deliverable(self) -> Iterator[OutgoingMessage]:
        """Yield the pending messages of chats without a delivery in progress."""
        return (message for message in self.pending() if message.to.chat not in self.busy_chats)

    def adopt(self, slot: Slot, chat: int, message_id: int) -> None:
        """Set the message of a slot whose message is unknown or older."""
        message = self.find(slot, chat)
        if message is None or (message.message_id and message.is_new):
            return
        if (message.message_id or 0) < message_id:
            message.message_id, message.begun = message_id, None
            self._touched.add(message)

    def move_chat(self, old: int, new: int) -> None:
        """Move a group's pending messages to its supergroup, where none of the group's messages can be edited."""
        messages = self._messages.pop(old, None)
        if messages is None:
            return
        target = self._messages.setdefault(new, {})
        for key, message in messages.items():
            message.to, message.replace, message.earliest = Address(new), False, 0.0
            message.begun = None
            message.superseded.clear()
            message.message_id = None if message.message_id is None else NO_ID
            if message.pending and key not in target:
                target[key] = message
            else:
                self._touched.discard(message)
        self.changed.set()

    def forget_table(self, ref: str) -> None:
        """Remove a table's slots, except those with something to deliver."""
        for chat, messages in list(self._messages.items()):
            for key, message in list(messages.items()):
                if _table_of(message) == ref and not message.pending:
                    del messages[key]
            if not messages:
                del self._messages[chat]

    def remove_delivered(self) -> None:
        """Remove delivered messages that belong to no table."""
        for message in [message for message in self._touched if not message.pending]:
            self._touched.discard(message)
            if _table_of(message) is None:
                messages = self._messages.get(message.to.chat, {})
                messages.pop(message.slot or message.name, None)
                if not messages:
                    self._messages.pop(message.to.chat, None)


def _table_of(message: OutgoingMessage) -> str | None:
    """Return the reference of the table to which a message belongs, if any."""
    match message.slot:
        case None | MessageSlot():
            return None
        case slot:
            return slot.ref


def choose_next(
    messages: Iterable[OutgoingMessage], limiter: RateLimiter, now: float
) -> OutgoingMessage | float | None:
    """Return the message to deliver now, or else the time at which one may be delivered; None for an empty queue."""
    waiting = list(messages)
    for message in waiting:
        if message.earliest <= now:
            message.earliest = _earliest(message, limiter, now)
    ready = [message for message in waiting if message.earliest <= now]
    if not ready:
        return min((message.earliest for message in waiting), default=None)
    overall = limiter.earliest_overall(now)
    return overall if overall > now else min(ready, key=lambda message: message.sort_key)


def _earliest(message: OutgoingMessage, limiter: RateLimiter, now: float) -> float:
    """Return the earliest time for a delivery."""
    if message.is_drawing:
        earliest = limiter.earliest_drawing(message.to.chat, now, lobby=isinstance(message.slot, LobbySlot))
    else:
        earliest = limiter.earliest(message.to.chat, now)
    return max(message.not_before, earliest)
