"""Waiting answers: messages that belong to no table, limited for each person and chat."""

from collections import defaultdict
from collections.abc import Container

from services.common.fair_queue import Asker
from services.telegram.sending.messages import Address, Message, Priority, Step

ASKER_ANSWERS, CHAT_ANSWERS = 10, 20
"""Maximum number of waiting answers for a person, and in a chat. A warning or nudge may exceed it by one."""


class Answers:
    """The waiting answers, by the person or chat that caused them, and by chat."""

    def __init__(self) -> None:
        self._by_asker = defaultdict[Asker, dict[Message, None]](dict)
        self._in_chat = defaultdict[Asker, dict[Message, None]](dict)

    def find(self, asker: Asker, to: Address, text: str, but: Container[Message]) -> Message | None:
        """Return a waiting answer of the same sender with the same chat and text, except those in `but`."""
        for message in self._by_asker.get(asker, ()):
            same = message.to == to and message.wanted.screen.text == text
            if same and message.step is Step.SEND and message not in but:
                return message
        return None

    def has_place_for(self, message: Message) -> bool:
        """Return whether this answer may wait besides the waiting ones."""
        asker, more = message.asker, message.priority is Priority.PING
        is_person = isinstance(asker, int)
        by_asker, in_chat = len(self._by_asker.get(asker, ())), len(self._in_chat.get(message.to.chat, ()))
        return (by_asker < ASKER_ANSWERS + more or not is_person) and in_chat < CHAT_ANSWERS + more

    def add(self, message: Message) -> None:
        """Add an answer."""
        self._by_asker[message.asker][message] = None
        self._in_chat[message.to.chat][message] = None

    def remove(self, message: Message) -> None:
        """Remove an answer that was sent or dropped."""
        _remove(self._by_asker, message.asker, message)
        _remove(self._in_chat, message.to.chat, message)


def _remove(messages: defaultdict[Asker, dict[Message, None]], key: Asker, message: Message) -> None:
    messages[key].pop(message, None)
    if not messages[key]:
        del messages[key]
