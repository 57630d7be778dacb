"""A group's season in the chat: its table, its end, its titles."""

import asyncio
from datetime import datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from services.telegram.repositories import personal_data
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons import following as seasons
from services.telegram.seasons import handlers
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.samples import CHAT_TABLE
from tests.telegram.seasons.test_season import DAY, NOVEMBER
from tests.telegram.test_bot_crashes import Crash

ROME = ZoneInfo("Europe/Rome")


@pytest.fixture
async def played(
    harness: BotHarness, group: Chat, anna: Person, bruno: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Store two matches of November: Anna has won one, and Bruno the other."""
    await bruno.starts()
    await bruno.private.sees("Benvenuti")
    monkeypatch.setattr("services.telegram.repositories.leaderboards.time", lambda: NOVEMBER)
    monkeypatch.setattr(handlers, "time", lambda: NOVEMBER + DAY)
    assert harness.context
    boards = harness.context.repositories.leaderboards
    table = CHAT_TABLE.__class__("Ab3-Ef_8", group.id, None, "A", "gatto_rosso", anna.id)
    await boards.count(table, 1, {anna.id: 0, bruno.id: 1})
    await boards.count(table, 2, {anna.id: 0, bruno.id: 2})


@pytest.mark.usefixtures("played")
async def test_a_season_has_a_table_and_leaves_a_title(
    harness: BotHarness, group: Chat, anna: Person, bruno: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.says(group, "/stagione")
    shown = await group.sees("Stagione 1 · fino a lunedì 30 novembre")
    assert "🥇 Anna · 10 punti · 2 vittorie su 2\n🥈 Bruno · 6 punti · 0 vittorie su 2" in shown.text
    await anna.says(group, "/stagione\n10 6 3 1")
    await group.sees("Dalla prossima stagione: 10, 6, 3, 1.")
    await anna.says(group, "/stagione tre")
    await group.sees("Scrivi i punti dei primi posti")
    monkeypatch.setattr(handlers, "time", lambda: NOVEMBER + 40 * DAY)
    await bruno.says(group, "/stagione")
    await group.sees("Titoli:\n🏆 novembre 2026 · Anna, 10 punti")
    assert harness.context
    assert await personal_data.stored_on(harness.context.repositories, anna.id)
    await personal_data.hide(harness.context.repositories, anna.id)
    [past] = await Repositories(harness.redis).seasons.past(group.id)
    assert [score.person for score in past.scores] == [bruno.id]


@pytest.mark.usefixtures("played")
async def test_a_season_is_ended_once_somebody_is_sure(group: Chat, anna: Person) -> None:
    await anna.says(group, "/stagione")
    await group.sees(button="Chiudi la stagione")
    await anna.taps(group, "Finché non la chiudiamo")
    await group.sees(button="● Finché non la chiudiamo")
    await anna.taps(group, "Chiudi la stagione")
    await group.sees(button="No, continua")
    await anna.taps(group, "No, continua")
    await group.sees(button="Chiudi la stagione")
    await anna.taps(group, "Chiudi la stagione")
    await group.sees(button="Sì, chiudi")
    await anna.taps(group, "Sì, chiudi")
    await group.sees("Stagione 2")
    await group.sees("🏆 Stagione 1 · Anna, 10 punti")
    await group.sees("La stagione è finita: Stagione 1\n\nIl titolo va a Anna, con 10 punti.")


@pytest.mark.usefixtures("played")
async def test_the_end_of_a_month_is_announced_once_and_by_day_though_the_bot_is_killed(
    harness: BotHarness, group: Chat, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 12, 1, 3, 0, tzinfo=ROME).timestamp()
    monkeypatch.setattr(seasons, "time", SimpleNamespace(time=lambda: now))
    await anna.says(group, "/stagione")
    await group.sees("Stagione 1")
    assert harness.context
    await harness.context.seasons.look()
    await harness.settle()
    assert not group.shows("La stagione è finita"), "people sleep"
    now += 7 * 3600
    crash = Crash()
    monkeypatch.setattr(harness.context.repositories.seasons, "archive", crash)
    look = asyncio.create_task(harness.context.seasons.look())
    await crash.reached.wait()
    await harness.kill()
    look.cancel()
    await harness.open()
    message = await group.sees("La stagione è finita: novembre 2026")
    assert "Il titolo va a Anna, con 10 punti.\n\n🥇 Anna · 10 punti" in message.text
    for _ in range(2):
        await harness.context.seasons.look()
    await harness.settle()
    assert sum("La stagione è finita" in message.text for message in group.messages) == 1
