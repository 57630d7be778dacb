from tests.emulator.chats import Chat, NotSeenError
from tests.emulator.emulator import Emulator
from tests.emulator.flood import FloodLimits
from tests.emulator.journal import ChatEvent, RecordedCall
from tests.emulator.people import NoAnswerError, PendingTap, Person
from tests.emulator.state import InlineButton, Message, Shown
from tests.emulator.world import TapAnswer

__all__ = [
    "Chat",
    "ChatEvent",
    "Emulator",
    "FloodLimits",
    "InlineButton",
    "Message",
    "NoAnswerError",
    "NotSeenError",
    "PendingTap",
    "Person",
    "RecordedCall",
    "Shown",
    "TapAnswer",
]  # fmt: skip
