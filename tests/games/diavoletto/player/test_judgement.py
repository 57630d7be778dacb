"""Diavoletto: the weights of positions, and how they evolve."""

from random import Random

import pytest

from locanda.games.diavoletto.player.judgement import EVOLVED, EXPERIENCE
from tests.bench.diavoletto_weights import share
from tests.bench.evolution import Evolution, Pace


@pytest.mark.slow
def test_the_weights_of_hard_win_more_often_than_those_of_medium() -> None:
    assert sum(share(seed, EVOLVED, EXPERIENCE) for seed in range(8)) > 4


def test_evolution_moves_weights_to_where_more_is_won() -> None:
    evolution = Evolution([0.0, 0.0], Pace(shift=0.1, step=0.05), Random(1))
    for _ in range(60):
        evolution.round(4, lambda one, two: (one[0] - one[1]) - (two[0] - two[1]))
    assert evolution.mean[0] > 1
    assert evolution.mean[1] < -1
