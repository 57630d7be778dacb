"""Messages that arrived though their answer was lost or the bot was killed: found by their ids, so none comes twice.

Telegram numbers a bot's messages in private chats and basic groups in one sequence, those of a supergroup in one of its
own. So a message that arrived has one of the ids after the newest that was known before it was sent. Of messages with
unknown ids in its chat it is the bot's only one, and a bot can edit no others (Bot API, editMessageText): the id at
which an edit succeeds is the message's.
"""

import asyncio
from collections import deque
from collections.abc import Iterator

from telegram.error import TelegramError

from services.telegram.records import NO_ID, SUPERGROUPS
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import DeliveryError, MessageApi, classify
from services.telegram.sending.clock import MonotonicClock

SEARCHED = 10
"""Ids that are tried."""
ATTEMPTS, PAUSE = 3, 0.5
"""How often one id is tried while Telegram does not say what it is, and the seconds between."""
KEPT = 512
"""Newest messages whose ids are remembered: those of the last quarter of a minute at Telegram's limit."""


class SentIds:
    """The ids of the messages that were sent last."""

    def __init__(self) -> None:
        self._sent: deque[tuple[int, int]] = deque()
        self._newest: dict[int, int] = {}
        """The newest of them in each sequence."""

    def add(self, chat: int, message: int) -> None:
        """Remember a message."""
        sequence = _sequence(chat)
        self._sent.append((sequence, message))
        self._newest[sequence] = max(message, self._newest.get(sequence, 0))
        if len(self._sent) > KEPT:
            sequence, message = self._sent.popleft()
            if self._newest.get(sequence) == message:
                del self._newest[sequence]

    def see(self, chat: int, message: int) -> None:
        """Remember a message that is there, where it is the newest: of one that a process before has sent."""
        if message > (self.newest(chat) or NO_ID):
            self.add(chat, message)

    def newest(self, chat: int) -> int | None:
        """Return the newest id in the sequence that numbers a chat's messages; none where none is remembered."""
        return self._newest.get(_sequence(chat))

    def unknown(self, chat: int, after: int) -> Iterator[int]:
        """Yield the ids that a message may have which was sent after one with a certain id; the likeliest first."""
        known = {message for sequence, message in self._sent if sequence == _sequence(chat)}
        missing = (message for message in range(after + 1, after + KEPT) if message not in known)
        for _, message in zip(range(SEARCHED), missing, strict=False):
            yield message


def _sequence(chat: int) -> int:
    return chat if chat < SUPERGROUPS else 0


async def find_message(
    api: MessageApi, clock: MonotonicClock, chat: int, ids: Iterator[int], screen: Screen
) -> int | None:
    """Return the id of the message that shows a screen though its sending failed; none if none of these ids is its."""
    for message in ids:
        for _ in range(ATTEMPTS):
            match await _edited(api, chat, message, screen):
                case None | DeliveryError.NOT_MODIFIED:
                    return message
                case DeliveryError.MESSAGE_GONE | DeliveryError.HAS_PHOTO:
                    break
            await clock.wait(asyncio.Event(), PAUSE)
        else:
            return None
    return None


async def _edited(api: MessageApi, chat: int, message: int, screen: Screen) -> DeliveryError | None:
    try:
        await api.edit(chat, message, screen)
    except TelegramError as error:
        return classify(error)
    return None
