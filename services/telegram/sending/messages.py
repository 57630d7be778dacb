"""Outgoing messages: their priority, address and slot, the screen each is to show, and the state of its delivery."""

import time
from dataclasses import dataclass, field
from enum import IntEnum
from secrets import token_urlsafe
from typing import TypeAlias

from services.telegram.records import NO_ID, DealEndSlot, MatchEndSlot, TableSlot
from services.telegram.screens.screen import Screen


class Priority(IntEnum):
    """Which of the messages that wait is sent first. Button presses are answered without waiting."""

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
    """Whether a new message is to replace the existing one, so that the person's phone notifies them."""
    create: bool = True
    """Whether to send a message where there is none (any more); otherwise an existing one is only edited."""
    shown: Screen | None = None
    """The screen that Telegram shows, as far as known."""
    not_before: float = 0.0
    """The time before which the message is not sent or edited."""
    since: float = field(default_factory=time.time)
    """When it was first to be delivered (Unix seconds)."""
    name: str = field(default_factory=token_urlsafe)
    """The name under which a message without a slot is stored."""
    attempts: int = 0
    failed: bool = False
    begun: int | None = None
    """The newest id known in its chat before its sending that is under way, or that a kill has cut off."""
    unrecorded: bool = False
    """Whether it was sent and its id is not recorded yet."""
    superseded: int | None = None
    """The message that it has replaced, to be deleted once its own id is recorded."""

    def change(self, screen: Screen, *, replace: bool, create: bool) -> None:
        """Set the screen to show. A replacement that was asked for before stays asked for.

        Telegram cannot take the photo away from a message: one without is a new message.
        """
        self.screen, self.create, self.failed = screen, create, False
        has_photo = self.shown is not None and bool(self.shown.photo)
        replace = replace or (has_photo and not screen.photo)
        self.replace = self.replace or (replace and bool(self.message_id))

    @property
    def pending(self) -> bool:
        """Whether there is anything to deliver or to record. Nobody is to read the end of a deal or a match twice."""
        if self.unrecorded:
            return True
        read = self.message_id == NO_ID and isinstance(self.slot, DealEndSlot | MatchEndSlot)
        if self.failed or (not self.message_id and (read or not self.create)):
            return False
        return self.replace or self.screen != self.shown

    @property
    def is_new(self) -> bool:
        """Whether delivery sends a message rather than edits one."""
        return not self.message_id or self.replace

    @property
    def is_drawing(self) -> bool:
        """Whether delivery draws a table or a lobby again."""
        return self.priority is Priority.TABLE and self.message_id is not None

    @property
    def sort_key(self) -> tuple[Priority, int]:
        """The key by which messages are sent: lowest first."""
        return self.priority, self.sequence
