"""Messages: the wanted content, the known state, and the one step that removes the difference."""

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
"""Slots of results: a person who has read one needs no other."""
NOT_SENT = ShownMessage()
"""The record of a message that was not sent."""


class Priority(IntEnum):
    """The order in which waiting messages are sent, however old they are. Presses are answered without waiting.

    The numbers of `ANSWER` and `PING` are stored.
    """

    PLAY = 0
    """Hands, results, and what else a game waits for."""
    TABLE = 1
    ANSWER = 2
    PING = 4


def priority_of(slot: TableSlot) -> Priority:
    """Return the priority of a table's message."""
    return Priority.TABLE if isinstance(slot, LobbySlot | DealSlot) else Priority.PLAY


@dataclass(frozen=True, slots=True)
class Address:
    """A chat, and the topic in it."""

    chat: int
    thread: int | None = None


@dataclass(frozen=True, slots=True)
class MessageSlot:
    """The slot of one existing message that belongs to no table."""

    chat: int
    message: int


Slot: TypeAlias = TableSlot | MessageSlot


class Step(Enum):
    """The next step for a message."""

    RECORD = auto()
    """Store a sent message."""
    FIND = auto()
    """Look for it: a sending that was begun may have arrived."""
    SEND = auto()
    EDIT = auto()
    FORGET = auto()
    """Forget the slot whose message it was."""


STORED = {Step.RECORD, Step.FORGET}
"""The steps that make no call of the Bot API."""


@dataclass(slots=True, kw_only=True, eq=False)
class Message:
    """A message: its wanted content (`wanted`) and its known state; equal to itself alone."""

    to: Address
    wanted: Wanted
    priority: Priority
    asker: Asker = 0
    """The asker in whose turn it is sent: a person by their id, or a chat, also for its hands and tables."""
    slot: Slot | None = None
    record: ShownMessage = NOT_SENT
    former: TableSlot | None = None
    """The slot whose message it was, until what it has become is shown."""
    held: bool = False
    """Whether it waits until the update is forgotten in whose handling it was made."""
    shown: Screen | None = None
    """The screen that Telegram shows, as far as known."""
    replace: bool = False
    """Whether a new message is to replace the existing one although there is no new reason to notify the person."""
    recorded: bool = True
    """Whether the sent message is stored; messages of no table are stored elsewhere (`Journal`)."""
    failed: bool = False
    """Whether Telegram refuses the wanted content."""
    attempts: int = 0
    not_before: float = 0.0
    """The time before which nothing is done about it."""
    since: float = field(default_factory=time.time)
    """When it was made (Unix seconds)."""
    name: str = field(default_factory=token_urlsafe)
    """The name under which a message of no slot is stored."""

    @property
    def key(self) -> Slot | str:
        """The key with which it is found."""
        return self.slot or self.name

    @property
    def table(self) -> str | None:
        """The reference of the table, or of the evening, to which it belongs, if any."""
        return None if self.slot is None or isinstance(self.slot, MessageSlot) else self.slot.ref

    def become(self, slot: TableSlot, former: TableSlot) -> None:
        """Note that it is the message of another slot from now on, which is stored first."""
        self.slot, self.former, self.priority = slot, former, priority_of(slot)
        self.note(structs.replace(self.record, id=self.record.id or None))

    def note(self, record: ShownMessage) -> None:
        """Note what is known of what was sent, to be stored if the message is a table's."""
        self.record, self.recorded = record, self.table is None

    def want(self, wanted: Wanted, to: Address) -> None:
        """Set what it is to show. Telegram cannot take a photo away: a screen without one needs a new message."""
        has_photo = self.shown is not None and bool(self.shown.photo)
        self.replace = self.replace or (has_photo and not wanted.screen.photo and bool(self.record.id))
        self.wanted, self.failed = wanted, False
        self.to = self.to if to.chat == self.to.chat else to

    @property
    def step(self) -> Step | None:
        """The next step; None while it shows the wanted content."""
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
        """Whether a new message is wanted."""
        return not self.record.id or self._rings

    @property
    def _rings(self) -> bool:
        """Whether a new message is wanted in place of the known one."""
        return bool(self.record.id) and (self.replace or self.wanted.ring != self.record.ring)

    @property
    def _was_read(self) -> bool:
        """Whether a message that was sent counts though its id is not known: no result comes twice."""
        return isinstance(self.slot, RESULTS)

    @property
    def is_drawing(self) -> bool:
        """Whether a message of a table, or of an evening, is to be drawn again in their chat; hands come first."""
        in_chat = self.table is not None and not isinstance(self.slot, HandSlot)
        return in_chat and self.record.id is not None and self.former is None and not self._rings

    @property
    def is_answer(self) -> bool:
        """Whether a person has asked for it."""
        return self.priority >= Priority.ANSWER

    @property
    def is_silent(self) -> bool:
        """Whether it is sent without a sound: it asks nothing of anybody, as in a group an answer without buttons."""
        in_group = self.table is None and self.to.chat < 0 and self.priority is not Priority.PING
        return self.wanted.silent or (in_group and not self.wanted.screen.rows)

    def sent(self, message_id: int, wanted: Wanted) -> None:
        """Note that a new message shows what was wanted; those before it are to be deleted, once that is stored."""
        before = self.record
        replaced = {*before.replaced, *([before.id] if before.id and before.id != message_id else [])}
        self.note(ShownMessage(message_id, wanted.ring, wanted.since, wanted.grid, replaced=tuple(sorted(replaced))))
        self.replace = False
        self.edited(wanted.screen)

    def edited(self, screen: Screen) -> None:
        """Note that Telegram shows a screen."""
        self.shown, self.attempts, self.not_before = screen, 0, 0.0

    def deleted(self, message_id: int) -> None:
        """Note that a message that it has replaced is deleted."""
        left = tuple(replaced_id for replaced_id in self.record.replaced if replaced_id != message_id)
        self.note(structs.replace(self.record, replaced=left))

    def move(self, to: Address) -> None:
        """Note that its group has moved, where nothing that was sent can be edited."""
        self.to, self.shown, self.replace = to, None, False
        self.record = structs.replace(
            self.record, id=None if self.record.id is None else NO_ID, begun=None, replaced=()
        )

    def retire(self) -> None:
        """Note that its message is to be deleted, and none takes its place."""
        replaced = {*self.record.replaced, self.record.id or NO_ID} - {NO_ID}
        self.note(structs.replace(self.record, id=None, replaced=tuple(sorted(replaced))))

    def lose(self) -> None:
        """Record that its message is gone: its content is to be sent again."""
        self.record, self.shown = structs.replace(self.record, id=None, begun=None), None
        self.replace, self.failed = False, False
