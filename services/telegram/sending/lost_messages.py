"""Finds messages that arrived though the answer was lost, or the bot was killed, so that none is sent twice.

Telegram numbers a bot's messages in private chats and basic groups in one sequence, those of a supergroup in a sequence
of its own. So the message's id is one of those that follow the newest id known before it was sent. A bot can edit only
its own messages (Bot API, editMessageText): the unknown id at which an edit succeeds is the message's.
"""

import asyncio
from collections import deque
from collections.abc import Iterator

from telegram.error import TelegramError

from services.telegram.records import NO_ID, SUPERGROUPS
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import TEMPORARY, BotApi, DeliveryError, classify
from services.telegram.sending.clock import MonotonicClock

SEARCHED = 10
"""Ids that are tried."""
ATTEMPTS, PAUSE = 3, 0.5
"""The number of tries of an id while Telegram gives no clear answer, and the seconds between them."""
KEPT = 512
"""Newest messages whose ids are remembered: those of the last quarter of a minute at Telegram's limit."""


SHARED = 0
"""The sequence of private chats and basic groups."""


class SentIds:
    """The ids of the latest messages, by sequence."""

    def __init__(self) -> None:
        self._sent: deque[tuple[int, int]] = deque()
        self._newest: dict[int, int] = {}
        """The newest of them in each sequence."""
        self.unstored: dict[int, int] = {}
        """Of each sequence, the newest that no table's record tells, until it is stored."""

    def add(self, chat: int, message: int) -> None:
        """Remember a message."""
        sequence = _sequence(chat)
        self._sent.append((sequence, message))
        self._newest[sequence] = max(message, self._newest.get(sequence, 0))
        if len(self._sent) > KEPT:
            self._sent.popleft()

    def see(self, chat: int, message: int) -> None:
        """Remember a message that exists, if it is the newest; an earlier process may have sent it."""
        if message > (self.newest(chat) or NO_ID):
            self.add(chat, message)

    def see_loose(self, chat: int, message: int) -> None:
        """Remember a message that exists and is no table's."""
        if message > (self.newest(chat) or NO_ID):
            self.add(chat, message)
            self.unstored[_sequence(chat)] = message

    def newest(self, chat: int) -> int | None:
        """Return the newest id in the sequence that numbers a chat's messages, if any."""
        return self._newest.get(_sequence(chat))

    def unknown(self, chat: int, after: int) -> Iterator[int]:
        """Yield the ids that a message sent after the id `after` may have, the likeliest first."""
        known = {message for sequence, message in self._sent if sequence == _sequence(chat)}
        missing = (message for message in range(after + 1, after + KEPT) if message not in known)
        for _, message in zip(range(SEARCHED), missing, strict=False):
            yield message


def _sequence(chat: int) -> int:
    return chat if chat < SUPERGROUPS else SHARED


class UndeterminedError(Exception):
    """Telegram does not currently say whether a message has arrived."""


async def find_message(api: BotApi, clock: MonotonicClock, chat: int, ids: Iterator[int], screen: Screen) -> int | None:
    """Return the id of the message that shows a screen though sending it failed; None if it is not among `ids`.

    Raises `UndeterminedError`.
    """
    for message in ids:
        for _ in range(ATTEMPTS):
            match await _edited(api, chat, message, screen):
                case None | DeliveryError.NOT_MODIFIED:
                    return message
                case DeliveryError.MESSAGE_GONE | DeliveryError.NOT_EDITABLE | DeliveryError.HAS_PHOTO:
                    break
                case kind if kind not in TEMPORARY:
                    return None
            await clock.wait(asyncio.Event(), PAUSE)
        else:
            raise UndeterminedError
    return None


async def _edited(api: BotApi, chat: int, message: int, screen: Screen) -> DeliveryError | None:
    try:
        await api.edit(chat, message, screen)
    except TelegramError as error:
        return classify(error)
    return None
