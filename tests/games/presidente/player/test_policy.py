"""Presidente: the policy of play-outs."""

import pytest

from locanda.games.presidente.player.policy import LEARNED_POLICY, USUAL_POLICY
from tests.bench.presidente_weights import share


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_learned_policy_wins_more_than_the_usual_one(seats: int) -> None:
    shares = [share(seed, LEARNED_POLICY, USUAL_POLICY, seats) for seed in range(400)]
    assert sum(shares) / len(shares) > 1 / seats + 0.015
