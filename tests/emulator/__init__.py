from tests.emulator.chats import Chat, NotSeenError
from tests.emulator.emulator import Emulator
from tests.emulator.flood import Limits
from tests.emulator.journal import Call, Event
from tests.emulator.people import NoAnswerError, Person, Tap
from tests.emulator.state import Button, Message, Shown
from tests.emulator.world import Answer

__all__ = [
    "Answer", "Button", "Call", "Chat", "Emulator", "Event", "Limits", "Message",
    "NoAnswerError", "NotSeenError", "Person", "Shown", "Tap",
]  # fmt: skip
