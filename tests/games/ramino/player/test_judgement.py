"""Ramino: the weights of positions."""

import pytest

from locanda.games.ramino.player.heuristic import Planner
from locanda.games.ramino.player.judgement import judge_of_plans, judge_of_positions
from locanda.games.ramino.types import (
    Options,
)
from tests.bench.ramino_weights import POINTS_OF_A_WIN, gain


@pytest.mark.slow
@pytest.mark.parametrize(("table", "seats"), [("two", 2), ("many", 3), ("many", 4)])
def test_the_weights_of_hard_win_more_than_those_of_medium(table: str, seats: int) -> None:
    hard, medium = (Planner(judge(seats), long=Options().long_scala) for judge in (judge_of_plans, judge_of_positions))
    gains = [gain(seed, hard, medium, seats, POINTS_OF_A_WIN[table]) for seed in range(1000, 1100)]
    assert sum(gains) / len(gains) > 1 / seats + 0.1
