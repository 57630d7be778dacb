"""A match counts only for people who took turns themselves."""

from typing import Literal

import pytest
from msgspec import structs

from locanda.games.base import Result
from locanda.messages import Seat, SeatTurns, Table
from services.telegram.play.participation import counted_places, counted_seats
from tests.telegram.samples import table

ANNA, BRUNO, CARLA = 11, 12, 13
RESULT = Result(((1,), (0,), (2,)), (5, 9, 2), "closed")


def over(*turns: tuple[int, int], guests: int = 0) -> Table:
    """Return a finished match won by seat 1, then seats 0 and 2; `turns` has each seat's own and computer turns."""
    kinds: list[Literal["person", "computer"]] = ["person" if number <= guests else "computer" for number in range(3)]
    seats = tuple(
        Seat(number, name, kind, None, away=False)
        for number, (name, kind) in enumerate(zip(("Anna", "Bruno", "Carla"), kinds, strict=True))
    )
    playing = table()
    counts = tuple(SeatTurns(own, computer) for own, computer in turns)
    match = structs.replace(playing.match, result=RESULT, points=RESULT.points, turns=counts)
    return structs.replace(playing, status="over", seats=seats, match=match)


def test_people_who_played_have_the_places_of_the_match() -> None:
    match = over((9, 0), (8, 1), (9, 0))
    assert counted_places(match, {ANNA: 0, BRUNO: 1, CARLA: 2}, {}) == {ANNA: 1, BRUNO: 0, CARLA: 2}


def test_a_winner_who_never_pressed_is_not_counted() -> None:
    match = over((9, 0), (0, 9), (9, 0))
    places = counted_places(match, {ANNA: 0, BRUNO: 1, CARLA: 2}, {})
    assert places == {ANNA: 1, CARLA: 2}


def test_somebody_for_whom_the_computer_took_more_turns_comes_last_as_if_they_had_left() -> None:
    match = over((9, 0), (3, 6), (9, 0))
    seats = {ANNA: 0, BRUNO: 1, CARLA: 2}
    assert counted_places(match, seats, {}) == {ANNA: 1, BRUNO: 3, CARLA: 2}
    assert counted_seats(match, seats) == {ANNA: 0, CARLA: 2}


@pytest.mark.parametrize(("own", "places"), [(2, {ANNA: 1, CARLA: 2, BRUNO: 3}), (0, {ANNA: 1, CARLA: 2})])
def test_leavers_come_last_if_they_have_played_at_all(own: int, places: dict[int, int]) -> None:
    assert counted_places(over((9, 0), (own, 7), (9, 0)), {ANNA: 0, CARLA: 2}, {BRUNO: 1}) == places


def test_a_match_that_fewer_than_two_people_played_counts_for_nobody() -> None:
    match = over((9, 0), (0, 9), (0, 9))
    assert counted_places(match, {ANNA: 0, BRUNO: 1}, {CARLA: 2}) == {}


def test_a_guest_from_the_page_who_played_is_the_second_person() -> None:
    assert counted_places(over((9, 0), (9, 0), (0, 9), guests=2), {ANNA: 0}, {}) == {ANNA: 1}


def test_where_the_engine_tells_no_turns_everybody_has_played() -> None:
    match = over()
    assert counted_places(match, {ANNA: 0, BRUNO: 1}, {CARLA: None}) == {ANNA: 1, BRUNO: 0, CARLA: 3}
