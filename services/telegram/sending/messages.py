"""Messages of the outbox: their known state, their wanted content, and the next step towards that content.

A message of a table or evening has a slot, which is the message's purpose, such as the lobby or a person's hand. Other
messages, such as answers, belong to no table.
"""

import time
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from secrets import token_urlsafe
from typing import TypeAlias

from msgspec import structs

from services.common.fair_queue import Asker
from services.telegram.records import (
    NO_ID,
    DealEndSlot,
    DealSlot,
    HandSlot,
    LobbySlot,
    MatchEndSlot,
    ShownMessage,
    SummarySlot,
    TableSlot,
)
from services.telegram.screens.screen import Screen, Wanted

RESULTS = (DealEndSlot, MatchEndSlot, SummarySlot)
"""Slots of results, which are never sent twice."""
NOT_SENT = ShownMessage()


class Priority(IntEnum):
    """Priority of waiting messages, lowest first. Answers to presses do not wait. The numbers are stored."""

    PLAY = 0
    """Hands, results, and other messages that a game waits for."""
    TABLE = 1
    ANSWER = 2
    PING = 4


def priority_of(slot: TableSlot) -> Priority:
    """Return the priority of a table's message."""
    return Priority.TABLE if isinstance(slot, LobbySlot | DealSlot) else Priority.PLAY


@dataclass(frozen=True, slots=True)
class Address:
    """A chat and, if any, a topic in it."""

    chat: int
    thread: int | None = None


@dataclass(frozen=True, slots=True)
class MessageSlot:
    """The slot of an existing message that belongs to no table."""

    chat: int
    message: int


Slot: TypeAlias = TableSlot | MessageSlot


class Step(Enum):
    """The next step of a message."""

    RECORD = auto()
    """Store the message's record."""
    FIND = auto()
    """Search for the message: a sending without an answer may have arrived."""
    SEND = auto()
    EDIT = auto()
    FORGET = auto()
    """Delete the record of the slot that the message was in before."""


STORED = {Step.RECORD, Step.FORGET}
"""Steps without a call of the Bot API."""


@dataclass(slots=True, kw_only=True, eq=False)
class Message:
    """A message, with its wanted content and its known state; compared by identity."""

    to: Address
    wanted: Wanted
    priority: Priority
    asker: Asker = 0
    """The person (by id) or chat that caused the message, for fair turns; a table's message belongs to its chat."""
    slot: Slot | None = None
    record: ShownMessage = NOT_SENT
    former: TableSlot | None = None
    """The message's previous slot, until the message shows its new content."""
    held: bool = False
    """Whether the message is held back until the handling of its update ends."""
    shown: Screen | None = None
    """The screen that Telegram shows; None if unknown."""
    replace: bool = False
    """Whether a new message replaces the existing one, although there is no new reason for a notification."""
    recorded: bool = True
    """Whether the record is stored; messages that belong to no table are stored in the `Journal`."""
    failed: bool = False
    """Whether Telegram has refused the wanted content."""
    attempts: int = 0
    not_before: float = 0.0
    """The earliest time of the next step (clock of the outbox)."""
    since: float = field(default_factory=time.time)
    """When the message was created (Unix seconds)."""
    name: str = field(default_factory=token_urlsafe)
    """Name under which a message without a slot is stored."""

    @property
    def key(self) -> Slot | str:
        """The slot or, without one, the name."""
        return self.slot or self.name

    @property
    def table(self) -> str | None:
        """The reference of the message's table or evening, if any."""
        return None if self.slot is None or isinstance(self.slot, MessageSlot) else self.slot.ref

    def become(self, slot: TableSlot, former: TableSlot) -> None:
        """Move the message to another slot; its record in the new slot is stored before the old one is deleted."""
        self.slot, self.former, self.priority = slot, former, priority_of(slot)
        self.note(structs.replace(self.record, id=self.record.id or None))

    def note(self, record: ShownMessage) -> None:
        """Set the record, and mark it for storing if the message belongs to a table."""
        self.record, self.recorded = record, self.table is None

    def want(self, wanted: Wanted, to: Address) -> None:
        """Set the wanted content. Telegram cannot remove a photo, so content without a photo needs a new message."""
        has_photo = self.shown is not None and bool(self.shown.photo)
        self.replace = self.replace or (has_photo and not wanted.screen.photo and bool(self.record.id))
        self.wanted, self.failed = wanted, False
        self.to = self.to if to.chat == self.to.chat else to

    @property
    def step(self) -> Step | None:
        """The next step; None if the message shows the wanted content or Telegram has refused it."""
        if not self.recorded:
            return Step.RECORD
        if self.failed:
            return None
        if self.record.begun is not None:
            return Step.FIND
        if not self._differs:
            return None if self.former is None else Step.FORGET
        return Step.SEND if self.is_new else Step.EDIT

    @property
    def _differs(self) -> bool:
        if self._rings:
            return True
        if not self.record.id and (not self.wanted.create or (self._was_read and self.record.id == NO_ID)):
            return False
        return self.wanted.screen != self.shown

    @property
    def is_new(self) -> bool:
        """Whether a new message must be sent."""
        return not self.record.id or self._rings

    @property
    def _rings(self) -> bool:
        """Whether a new message must replace the existing one."""
        return bool(self.record.id) and (self.replace or self.wanted.ring != self.record.ring)

    @property
    def _was_read(self) -> bool:
        """Whether a sent message counts as delivered even without a known id, so that no result is sent twice."""
        return isinstance(self.slot, RESULTS)

    @property
    def is_drawing(self) -> bool:
        """Whether the next step redraws an existing message in the chat of a table or evening; hands do not count."""
        in_chat = self.table is not None and not isinstance(self.slot, HandSlot)
        return in_chat and self.record.id is not None and self.former is None and not self._rings

    @property
    def is_answer(self) -> bool:
        """Whether a person has asked for the message."""
        return self.priority >= Priority.ANSWER

    @property
    def is_silent(self) -> bool:
        """Whether to send the message without sound: it asks for nothing, such as a group answer without buttons."""
        in_group = self.table is None and self.to.chat < 0 and self.priority is not Priority.PING
        return self.wanted.silent or (in_group and not self.wanted.screen.rows)

    def sent(self, message_id: int, wanted: Wanted) -> None:
        """Record that a new message shows `wanted`. Earlier messages are deleted after that is stored."""
        before = self.record
        replaced = {*before.replaced, *([before.id] if before.id and before.id != message_id else [])}
        self.note(ShownMessage(message_id, wanted.ring, wanted.since, wanted.grid, replaced=tuple(sorted(replaced))))
        self.replace = False
        self.edited(wanted.screen)

    def edited(self, screen: Screen) -> None:
        """Record that Telegram shows a screen."""
        self.shown, self.attempts, self.not_before = screen, 0, 0.0

    def deleted(self, message_id: int) -> None:
        """Record that a replaced message is deleted."""
        left = tuple(replaced_id for replaced_id in self.record.replaced if replaced_id != message_id)
        self.note(structs.replace(self.record, replaced=left))

    def move(self, to: Address) -> None:
        """Record that the message's group became a supergroup, where earlier messages cannot be edited."""
        self.to, self.shown, self.replace = to, None, False
        self.record = structs.replace(
            self.record, id=None if self.record.id is None else NO_ID, begun=None, replaced=()
        )

    def retire(self) -> None:
        """Mark the message for deletion without a successor."""
        replaced = {*self.record.replaced, self.record.id or NO_ID} - {NO_ID}
        self.note(structs.replace(self.record, id=None, replaced=tuple(sorted(replaced))))

    def lose(self) -> None:
        """Record that the message no longer exists, so its content must be sent again."""
        self.record, self.shown = structs.replace(self.record, id=None, begun=None), None
        self.replace, self.failed = False, False
