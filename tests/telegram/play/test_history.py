"""A person's match history, shown in private: totals by game, bests, frequent opponents, latest matches."""

import pytest

from services.telegram.play.history import Meeting, OwnMatch, Partner, Tally, history
from services.telegram.repositories import personal_data
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.samples import CHAT_TABLE
from tests.telegram.seasons.test_season import NOVEMBER

ANNA, BRUNO, CARLA, DARIO = range(1, 5)


def own(ended: int, places: dict[int, int], *partners: int) -> OwnMatch:
    return OwnMatch(ended, -1, "presidente", places, frozenset(partners))


def test_the_longest_row_of_wins_is_told_from_two_on_and_a_match_against_computers_is_none() -> None:
    won, lost, alone = {ANNA: 0, BRUNO: 1}, {ANNA: 1, BRUNO: 0}, {ANNA: 0}
    assert history([own(1, won), own(2, lost), own(3, alone)], ANNA).longest == 0
    rows = [own(4, won), own(2, lost), own(3, won), own(1, won), own(5, won)]
    assert history(rows, ANNA).longest == 3


def test_it_tells_whom_one_meets_most_and_who_came_before_whom() -> None:
    matches = [
        own(1, {ANNA: 0, BRUNO: 1, CARLA: 2}),
        own(2, {ANNA: 1, BRUNO: 0}),
        own(3, {ANNA: 0, BRUNO: 0}),
    ]
    assert history(matches, ANNA).met == (Meeting(BRUNO, 3, 1, 1), Meeting(CARLA, 1, 1, 0))


def test_partners_are_no_opponents() -> None:
    matches = [own(at, {ANNA: at % 2, CARLA: at % 2, BRUNO: 1 - at % 2, DARIO: 1 - at % 2}, CARLA) for at in range(3)]
    own_history = history(matches, ANNA)
    assert own_history.partners == (Partner(CARLA, Tally(3, 2)),)
    assert {met.person for met in own_history.met} == {BRUNO, DARIO}


def test_the_latest_matches_are_told_newest_first() -> None:
    own_history = history([own(at, {ANNA: 0, BRUNO: 1}) for at in (3, 9, 1, 7, 5, 8)], ANNA)
    assert [match.ended for match in own_history.latest] == [9, 8, 7, 5, 3]


async def test_a_person_sees_their_matches_in_private_alone_and_nothing_once_they_are_forgotten(
    harness: BotHarness, group: Chat, anna: Person, bruno: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bruno.starts()
    await anna.says(group, "/classifica")
    await group.sees("🏆")
    await anna.says(anna.private, "/storia")
    await anna.private.sees("Non hai ancora finito una partita in un gruppo.")
    monkeypatch.setattr("services.telegram.repositories.leaderboards.time", lambda: NOVEMBER)
    assert harness.context
    repositories = harness.context.repositories
    table = CHAT_TABLE.__class__("Ab3-Ef_8", group.id, None, "A", "gatto_rosso", anna.id)
    await repositories.leaderboards.count(table, 1, {anna.id: 0, bruno.id: 1})
    await repositories.leaderboards.count(table, 2, {anna.id: 0, bruno.id: 2})
    await repositories.seasons.end(group.id, NOVEMBER + 1)

    question = await anna.says(anna.private, "/storia")
    shown = await anna.private.sees("Le tue partite", after=question)
    assert "Gatto Rosso Gatto Grigio: 2 partite, 2 vittorie" in shown.text
    assert "🔥 Record: 2 vittorie di fila\n🏆 Stagione 1 · Amici" in shown.text
    assert "Bruno: 2–0" in shown.text
    assert "🥇 su 2 · Amici" in shown.text

    await anna.says(group, "/storia")
    await group.sees("Chiedimelo in privato")
    await personal_data.hide(repositories, bruno.id)
    question = await anna.says(anna.private, "/storia")
    assert "Bruno" not in (await anna.private.sees("Le tue partite", after=question)).text
