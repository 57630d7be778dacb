"""One person's updates delay nobody else."""

import asyncio

import pytest

from services.telegram.updates import BOUNDS
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby

FOR_LONG = 600.0
"""Seconds for which Telegram does not answer a call: longer than any test waits."""


@pytest.fixture
async def own_group(harness: BotHarness, telegram: Emulator, bruno: Person) -> Chat:
    """Bruno's group, which shows its settings; Telegram does not answer calls about its administrators."""
    await bruno.starts()
    await bruno.private.sees("Benvenuti alla locanda")
    own = telegram.supergroup("Di Bruno", [bruno])
    await bruno.says(own, "/impostazioni")
    await own.sees(button="English")
    assert harness.context
    harness.context.members.forget(own.id, bruno.id)
    telegram.delay_next("getChatMember", FOR_LONG, chat=own)
    return own


async def test_a_persons_press_that_waits_for_their_earlier_ones_blocks_no_group(
    telegram: Emulator, anna: Person, bruno: Person, group: Chat, own_group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees(button="Opzioni")
    bruno.presses(own_group, "English")
    await telegram.until(lambda: bool(telegram.journal.of("getChatMember", chat=own_group.id)))
    bruno.presses(group, "Siediti")
    await telegram.until(lambda: not telegram.pending)
    await anna.taps(group, "Opzioni")
    await group.sees(button="Indietro")


async def test_presses_beyond_those_that_may_wait_are_answered_at_once(
    telegram: Emulator, bruno: Person, own_group: Chat
) -> None:
    questions = len(telegram.journal.of("getChatMember", chat=own_group.id))
    bruno.presses(own_group, "English")
    await telegram.until(lambda: len(telegram.journal.of("getChatMember", chat=own_group.id)) > questions)
    waiting = [bruno.presses(own_group, "English") for _ in range(BOUNDS.target_waiting)]
    await telegram.until(lambda: not telegram.pending)
    answers = await asyncio.gather(*(bruno.taps(own_group, "English") for _ in range(3)))
    assert {answer.text for answer in answers} == {"Piano piano! Riprova tra un momento."}
    assert not any(press.answered.done() for press in waiting)
