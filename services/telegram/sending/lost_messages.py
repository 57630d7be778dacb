"""Finds sent messages whose answer was lost in an outage or crash, so that no message is sent twice.

Telegram numbers a bot's messages in private chats and basic groups in one common sequence. Each supergroup has a
sequence of its own. So a lost message has one of the next ids after the newest known id. A bot can edit only its own
messages (Bot API, editMessageText). So the lost message is the one with an unknown id that can be edited.
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
"""Maximum number of ids to try."""
ATTEMPTS, PAUSE = 3, 0.5
"""Attempts to edit the message of an id while Telegram gives no clear answer, and the seconds between attempts."""
KEPT = 512
"""Number of sent ids to remember: as many as Telegram's limit allows in 15 seconds."""


SHARED = 0
"""Key of the common sequence of private chats and basic groups."""


class SentIds:
    """The ids of the latest sent messages, by sequence."""

    def __init__(self) -> None:
        self._sent: deque[tuple[int, int]] = deque()
        self._newest: dict[int, int] = {}
        """The newest known id in each sequence."""
        self.unstored: dict[int, int] = {}
        """The newest id in each sequence that no table's record has and that is not stored yet."""

    def add(self, chat: int, message: int) -> None:
        """Add a sent message."""
        sequence = _sequence(chat)
        self._sent.append((sequence, message))
        self._newest[sequence] = max(message, self._newest.get(sequence, 0))
        if len(self._sent) > KEPT:
            self._sent.popleft()

    def see(self, chat: int, message: int) -> None:
        """Add an existing message if it is the newest; an earlier process may have sent it."""
        if message > (self.newest(chat) or NO_ID):
            self.add(chat, message)

    def see_loose(self, chat: int, message: int) -> None:
        """Add an existing message that belongs to no table, if it is the newest."""
        if message > (self.newest(chat) or NO_ID):
            self.add(chat, message)
            self.unstored[_sequence(chat)] = message

    def newest(self, chat: int) -> int | None:
        """Return the newest known id in a chat's sequence, or None."""
        return self._newest.get(_sequence(chat))

    def unknown(self, chat: int, after: int) -> Iterator[int]:
        """Yield the possible ids of a message that was sent after the id `after`, the most likely first."""
        known = {message for sequence, message in self._sent if sequence == _sequence(chat)}
        missing = (message for message in range(after + 1, after + KEPT) if message not in known)
        for _, message in zip(range(SEARCHED), missing, strict=False):
            yield message


def _sequence(chat: int) -> int:
    return chat if chat < SUPERGROUPS else SHARED


class UndeterminedError(Exception):
    """Telegram gives no clear answer now on whether a message has arrived."""


async def find_message(api: BotApi, clock: MonotonicClock, chat: int, ids: Iterator[int], screen: Screen) -> int | None:
    """Return the id of a message whose sending seemed to fail; None if it is not among `ids`.

    The search tries to edit the message of each id to `screen`. Raises `UndeterminedError` if Telegram gives no clear
    answer.
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
