"""python-telegram-bot as the client of the emulator's own tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from telegram import Bot
from telegram.error import BadRequest, TelegramError
from telegram.request import HTTPXRequest

from tests.emulator import Emulator


def connected(telegram: Emulator) -> Bot:
    # The emulator has no TLS, and reading the trusted certificates would take half of a test's processor time.
    request, get_updates_request = (HTTPXRequest(httpx_kwargs={"verify": False}) for _ in range(2))
    base_url = f"{telegram.url}/bot"
    return Bot(telegram.token, base_url, request=request, get_updates_request=get_updates_request)


@contextmanager
def refused(telegram: Emulator, description: str, error: type[TelegramError] = BadRequest) -> Iterator[None]:
    """Asserts that the client raises this error inside the context, and that the response had this description."""
    with pytest.raises(error):
        yield
    assert telegram.journal[-1].answer["description"] == description
