"""An outbox to test with, and everything around it."""

from dataclasses import dataclass

import httpx
from telegram.error import NetworkError, TimedOut

from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Address, Priority, Slot
from services.telegram.screens.screen import Screen
from tests.telegram.fakes import FakeApi, FakeClock, FakeListener

GROUP, ANNA, BRUNO = -500, 11, 12
TABLE = Slot("Ab3-Ef_8", "table:1.1")
HAND = Slot("Ab3-Ef_8", "hand:11")


@dataclass
class Post:
    """An outbox with everything around it."""

    outbox: Outbox
    api: FakeApi
    clock: FakeClock
    listener: FakeListener

    def table(self, text: str, *, message: int | None = None, chat: int = GROUP, anew: bool = True) -> None:
        self.outbox.show(TABLE, Address(chat), Screen(text), message=message, anew=anew)

    def hand(self, text: str, *, fresh: bool = False, message: int | None = None) -> None:
        self.outbox.show(HAND, Address(ANNA), Screen(text), priority=Priority.HAND, fresh=fresh, message=message)


def lost(kind: type[httpx.TransportError]) -> NetworkError:
    """An error of python-telegram-bot whose cause is the network's."""
    error = TimedOut() if issubclass(kind, httpx.TimeoutException) else NetworkError("httpx")
    error.__cause__ = kind("")
    return error
