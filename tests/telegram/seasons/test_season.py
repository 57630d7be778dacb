"""Seasons of a group."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.telegram.evenings.summary import Score
from services.telegram.play.dates import local
from services.telegram.repositories.match_records import MatchRecord, ranking_of
from services.telegram.seasons.season import Ended, PastSeason, Season, due, ended, read_points, table

ROME = "Europe/Rome"
NOVEMBER = datetime(2026, 11, 3, 20, tzinfo=UTC).timestamp()
DAY = 86_400.0
PROGRAM = Path(__file__).with_name("season_table.py")


def by_the_other_program(
    record: Sequence[str], points: Sequence[int], since: float, until: float
) -> list[tuple[int, ...]]:
    """Return a season's table as the second implementation computes it from the stored match records."""
    input_text = "\n".join([" ".join(map(str, points)), f"{since} {until}", *record])
    done = subprocess.run([sys.executable, PROGRAM], input=input_text, capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


RECORDS = st.lists(
    st.tuples(
        st.integers(int(NOVEMBER), int(NOVEMBER + 90 * DAY)),
        st.dictionaries(st.integers(1, 9), st.integers(0, 3), min_size=1, max_size=5),
    ),
    max_size=12,
)


@pytest.mark.slow
@given(played=RECORDS, points=st.sampled_from([(5, 3, 2, 1), (1,), (10, 6, 6)]))
def test_the_tables_of_all_seasons_are_those_of_another_program(
    played: list[tuple[int, dict[int, int]]], points: tuple[int, ...]
) -> None:
    stored = [MatchRecord(moment, "ramino", ranking_of(places)) for moment, places in played]
    season, record = Season(points=points), [(match.ended, match.places) for match in stored]
    now, tables = NOVEMBER + 200 * DAY, list[tuple[float, float, tuple[Score, ...]]]()
    while (until := due(season, record, ROME, now)) is not None:
        past, following = ended(season, record, until) or (None, None)
        assert past is not None
        assert following is not None
        tables.append((season.since, until, past.scores))
        season = following
    assert sum(score.matches for _, _, scores in tables for score in scores) == sum(len(places) for _, places in played)
    texts = [match.to_text() for match in stored]
    for since, until, scores in tables:
        rows = [(score.person, score.points, score.wins, score.matches) for score in scores]
        assert rows == by_the_other_program(texts, points, since, until)


def test_a_month_ends_at_midnight_by_the_groups_clocks_and_months_without_matches_are_no_seasons() -> None:
    record: list[Ended] = [(NOVEMBER, {1: 0, 2: 1}), (NOVEMBER + 40 * DAY, {1: 1, 2: 0})]
    until = due(Season(), record, ROME, NOVEMBER + 40 * DAY)
    assert until is not None
    assert f"{local(until, ROME):%d/%m %H:%M}" == "01/12 00:00"
    past, following = ended(Season(), record, until) or (None, None)
    assert past == PastSeason(1, NOVEMBER, "month", (Score(1, 5, 1, 1), Score(2, 3, 0, 1)), announced=False)
    assert past.champions == [1]
    assert following == Season(2, until)
    assert due(following, record, ROME, NOVEMBER + 45 * DAY) is None
    assert ended(Season(3, NOVEMBER + 300 * DAY), record, NOVEMBER + 400 * DAY) is None


def test_weeks_end_on_sunday_and_open_seasons_when_somebody_ends_them() -> None:
    record: list[Ended] = [(NOVEMBER, {1: 0})]
    until = Season(length="week").until(ROME, NOVEMBER)
    assert until is not None
    assert f"{local(until, ROME):%A %d %H:%M}" == "Monday 09 00:00"
    assert due(Season(length="ended"), record, ROME, NOVEMBER + 900 * DAY) is None


def test_points_are_those_that_a_group_sets() -> None:
    assert read_points("10 6 3 1") == (10, 6, 3, 1)
    assert read_points("3-2-1") == (3, 2, 1)
    for text in ("", "a", "1 2", "0", "101", " ".join(["1"] * 11)):
        assert read_points(text) is None
    record: list[Ended] = [(NOVEMBER, {1: 0, 2: 1, 3: 1})]
    assert table(Season(points=(10, 6)), record) == (Score(1, 10, 1, 1), Score(2, 6, 0, 1), Score(3, 6, 0, 1))
