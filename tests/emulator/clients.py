"""python-telegram-bot as the client of the emulator's own tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from telegram import Bot
from telegram.error import BadRequest, TelegramError

from tests.emulator import Emulator


def connected(telegram: Emulator) -> Bot:
    return Bot(telegram.token, base_url=f"{telegram.url}/bot")


@contextmanager
def refused(telegram: Emulator, description: str, error: type[TelegramError] = BadRequest) -> Iterator[None]:
    """The client raises its own error, and the wire carried exactly these words."""
    with pytest.raises(error):
        yield
    assert telegram.journal[-1].answer["description"] == description
