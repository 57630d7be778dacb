"""Parcels: what a message shows, what it is to show, and how far its delivery is."""

from dataclasses import dataclass
from enum import IntEnum

from services.telegram.screens.screen import Screen


class Priority(IntEnum):
    """Which of the messages that wait goes first. Taps are answered without waiting."""

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
class Slot:
    """A place for a message: the table's in its group, a hand in its private chat."""

    ref: str
    name: str


@dataclass(slots=True, kw_only=True)
class Parcel:
    """A message on its way, or one that may change."""

    to: Address
    screen: Screen
    priority: Priority
    number: int
    """Its place in the line: whoever has been served goes to the end."""
    slot: Slot | None = None
    message: int | None = None
    fresh: bool = False
    """A new message replaces the old one, so that the phone rings."""
    anew: bool = True
    """Is a message that vanished worth sending again?"""
    shown: Screen | None = None
    ready: float = 0.0
    """The time before which it does not go."""
    tries: int = 0
    failed: bool = False

    def change(self, screen: Screen, *, fresh: bool, anew: bool) -> None:
        """Let it show another screen; what was asked to be sent afresh stays so until it is."""
        self.screen, self.anew, self.failed = screen, anew, False
        self.fresh = self.fresh or (fresh and self.message is not None)

    @property
    def waits(self) -> bool:
        """Is there anything to deliver?"""
        if self.failed or (self.message is None and not self.anew):
            return False
        return self.fresh or self.screen != self.shown

    @property
    def is_new(self) -> bool:
        """Does it go as a new message, rather than change one?"""
        return self.message is None or self.fresh

    @property
    def rank(self) -> tuple[Priority, int]:
        """Return its place among all that may go: the lowest goes first."""
        return self.priority, self.number
