"""What becomes of a message whose call failed."""

from enum import Enum, auto

import httpx
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError


class Fate(Enum):
    """What became of a message whose call failed."""

    SHOWN = auto()
    """It already looks like that."""
    VANISHED = auto()
    """The message to edit is not there any more."""
    NO_TOPIC = auto()
    """The topic is not there any more."""
    NO_CLOCK = auto()
    """The server does not know date-time entities."""
    HELD = auto()
    """The chat is flooded: later."""
    MIGRATED = auto()
    """The group has become a supergroup."""
    FORBIDDEN = auto()
    """The bot may not write there."""
    FAILED = auto()
    """It certainly did not arrive: again."""
    DOUBTFUL = auto()
    """It may have arrived."""
    REFUSED = auto()
    """Telegram will never take it."""


_BAD_REQUESTS = (
    ("message is not modified", Fate.SHOWN),
    ("message to edit not found", Fate.VANISHED),
    ("message can't be edited", Fate.VANISHED),
    ("message_id_invalid", Fate.VANISHED),
    ("message thread not found", Fate.NO_TOPIC),
    ("topic_deleted", Fate.NO_TOPIC),
    ('unsupported start tag "tg-time"', Fate.NO_CLOCK),
    ("not enough rights", Fate.FORBIDDEN),
    ("have no rights to send", Fate.FORBIDDEN),
    ("chat_write_forbidden", Fate.FORBIDDEN),
    ("topic_closed", Fate.FORBIDDEN),
    ("chat not found", Fate.FORBIDDEN),
)
"""Telegram's words, as its server says them (tdlib/telegram-bot-api, Client.cpp)."""


def fate(error: TelegramError) -> Fate:
    """Return what a failed call means for its message."""
    match error:
        case RetryAfter():
            return Fate.HELD
        case ChatMigrated():
            return Fate.MIGRATED
        case Forbidden():
            return Fate.FORBIDDEN
        case BadRequest():
            said = error.message.lower()
            return next((meant for words, meant in _BAD_REQUESTS if words in said), Fate.REFUSED)
        case NetworkError():
            return _of_the_network(error.__cause__)
        case _:
            return Fate.REFUSED


def _of_the_network(cause: BaseException | None) -> Fate:
    """Tell a request that never left, or that the server refused, from one whose answer was lost."""
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return Fate.FAILED
    return Fate.DOUBTFUL if isinstance(cause, httpx.HTTPError) else Fate.FAILED
