"""Seating plans: tables for several rounds among the same people."""

import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.common import pairings
from services.common.pairings import by_standing, meetings, plan, repetitions, table_sizes


@pytest.mark.parametrize("seed", range(3))
def test_sixteen_people_play_five_rounds_at_tables_of_four_and_nobody_meets_twice(seed: int) -> None:
    rounds = plan(range(16), (4,) * 4, 5, [], str(seed))
    assert len(meetings(rounds)) == 16 * 15 / 2
    assert repetitions(rounds) == 0


def test_sixty_four_people_have_their_tables_within_a_second_of_the_processor() -> None:
    before = time.process_time()
    rounds = plan(range(64), (4,) * 16, 5, [], "1")
    assert time.process_time() - before < 1
    assert repetitions(rounds) == 0


@pytest.mark.parametrize("most", [2, 6, 10])
def test_the_dearest_plan_ends_after_so_many_exchanges(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is bounded by steps, not by time, so the same seed gives the same rounds on any machine."""
    monkeypatch.setattr(pairings, "MOST_COMPARED", 20_000)
    compared, change = Counter[str](), pairings._Search._change

    def counted(search: pairings._Search, *exchange: Any) -> int:
        compared["exchanges"] += 1
        return change(search, *exchange)

    monkeypatch.setattr(pairings._Search, "_change", counted)
    before = [tuple((person, *range(9)) for person in range(64)) for _ in range(8)]
    first, again = [plan(range(64), table_sizes(64, 2, most, most), 12, before, "1") for _ in range(2)]
    assert first == again
    assert 2 * 20_000 <= compared["exchanges"] <= 2 * (20_000 + 64 * pairings.LOOKED_AT / 64)


def test_who_drops_out_is_missed_at_tables_and_nobody_meets_again() -> None:
    before = plan(range(16), (4,) * 4, 2, [], "2")
    left = [person for person in range(16) if person not in {3, 7}]
    after = plan(left, table_sizes(len(left), 2, 8), 1, before, "3")
    assert all(sorted(person for table in tables for person in table) == left for tables in after)
    assert [len(table) for table in after[0]] == [4, 4, 3, 3]
    assert repetitions([*before, *after]) == 0


def test_in_the_last_round_the_best_sit_together() -> None:
    assert by_standing([5, 3, 9, 1, 2, 7, 8], (4, 3)) == ((5, 3, 9, 1), (2, 7, 8))


@given(people=st.integers(1, 70), fewest=st.integers(2, 4), more=st.integers(0, 6))
def test_tables_seat_everybody_and_computers_fill_as_few_seats_as_possible(people: int, fewest: int, more: int) -> None:
    sizes = table_sizes(people, fewest, fewest + more)
    assert sum(sizes) == people
    assert max(sizes) <= fewest + more
    assert max(sizes) - min(sizes) <= 1
    fits = any(tables * fewest <= people <= tables * (fewest + more) for tables in range(1, people + 1))
    assert all(size >= fewest for size in sizes) == fits


def test_smaller_tables_go_round() -> None:
    rounds = plan(range(63), (4,) * 15 + (3,), 12, [], "1")
    smaller = Counter(person for tables in rounds for table in tables if len(table) < 4 for person in table)
    assert {smaller[person] for person in range(63)} <= {0, 1}


@given(people=st.integers(2, 12), rounds=st.integers(1, 3), seed=st.text(max_size=3))
def test_everybody_sits_once_in_each_round_and_seats_go_round(people: int, rounds: int, seed: str) -> None:
    sizes = table_sizes(people, 2, 6)
    planned = plan(range(people), sizes, rounds, [], seed)
    assert [[len(table) for table in tables] for tables in planned] == [list(sizes)] * rounds
    assert all(sorted(person for table in tables for person in table) == [*range(people)] for tables in planned)
    first = Counter(table[0] for tables in planned for table in tables)
    assert max(first.values()) <= -(-rounds // 2)


def test_the_same_seed_gives_the_same_rounds() -> None:
    assert (
        plan(range(9), (5, 4), 3, [], "a") == plan(range(9), (5, 4), 3, [], "a") != plan(range(9), (5, 4), 3, [], "b")
    )


def test_tables_that_do_not_seat_everybody_are_refused() -> None:
    with pytest.raises(ValueError, match="everybody"):
        plan([1, 2, 3], (4,), 1, [], "1")
