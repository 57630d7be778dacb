from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.emulator import Emulator, Person
from tests.emulator.clients import connected


@pytest.fixture(autouse=True)
def _durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make python-telegram-bot use timedeltas: it warns of the old type of durations, and warnings are errors."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
async def bot(telegram: Emulator) -> AsyncIterator[Bot]:
    async with connected(telegram) as bot:
        yield bot


@pytest.fixture
def anna(telegram: Emulator) -> Person:
    return telegram.person("Anna", language="it", username="anna_b", started=True)


@pytest.fixture
def bruno(telegram: Emulator) -> Person:
    return telegram.person("Bruno", last_name="Verdi")
