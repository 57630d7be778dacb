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
    """Asserts that the client raises this error inside the context, and that the response had this description."""
    with pytest.raises(error):
        yield
    assert telegram.journal[-1].answer["description"] == description
