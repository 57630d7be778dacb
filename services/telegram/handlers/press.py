"""A tap, and the answer to it."""

from msgspec import Struct

from services.telegram.records import Person
from shared.translate import Language


class Press(Struct, frozen=True):
    """Who tapped, and where."""

    id: str
    """Unique to the tap: delivered twice, it acts once."""
    person: Person
    chat: int
    thread: int | None
    message: int
    language: Language
    """Of the chat in which the button stands."""

    @property
    def private(self) -> bool:
        """Is this the private chat?"""
        return self.chat > 0


class Reply(Struct, frozen=True):
    """What the one who tapped is told: a toast, an alert to close, a chat that opens; or nothing."""

    text: str = ""
    alert: bool = False
    url: str | None = None
