"""A group's season in the chat: its table, its end, its titles."""

import pytest

from services.telegram.handlers import season as handlers
from services.telegram.repositories import Repositories, personal_data
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.evenings.test_season import DAY, NOVEMBER
from tests.telegram.harness import BotHarness
from tests.telegram.samples import CHAT_TABLE


@pytest.fixture
async def played(
    harness: BotHarness, group: Chat, anna: Person, bruno: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches of November that Anna and Bruno have won, in the record."""
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
    await anna.says(group, "/stagione 3 1")
    await group.sees("Anna · 6 punti")
    await anna.says(group, "/stagione tre")
    await group.sees("Scrivi i punti dei primi posti")
    monkeypatch.setattr(handlers, "time", lambda: NOVEMBER + 40 * DAY)
    await bruno.says(group, "/stagione")
    await group.sees("Titoli:\n🏆 novembre 2026 · Anna, 6 punti")
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
    await anna.taps(group, "Sì, chiudi")
    await group.sees("Stagione 2")
    await group.sees("🏆 Stagione 1 · Anna, 10 punti")
