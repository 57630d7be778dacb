"""Presidente: the network's values of choices."""

import msgspec
import pytest
from hypothesis import given

from locanda.games.presidente.player.features import FEATURES, features, outlook_of
from locanda.games.presidente.player.judgement import NETWORK, NETWORK_FILE, Layers
from locanda.games.presidente.player.knowledge import knowledge_of
from locanda.games.presidente.player.policy import LEARNED_POLICY, USUAL_POLICY, Policy
from locanda.games.presidente.player.search import combos
from tests.bench.perceptron import Perceptron
from tests.bench.presidente_network import won
from tests.games.moments import moments
from tests.games.presidente.game import GAME
from tests.games.subjects import AnyStart, starts
from tests.sampling import long_but_for


@given(start=starts("presidente"))
def test_the_player_values_choices_as_the_training_does(start: AnyStart) -> None:
    trained = Perceptron.of(msgspec.json.decode(NETWORK_FILE.read_bytes(), type=Layers))
    for moment in moments(start):
        if moment.deal.dues:
            continue
        known = knowledge_of(moment.situation.view)
        seen, choices_ = outlook_of(known), combos(known, GAME.moves(moment.deal))
        active = features(seen, choices_)
        assert all(0 <= number < FEATURES for shared, own in active for number in (*shared, *own))
        assert NETWORK.values(seen, choices_) == pytest.approx(trained.values(active).tolist(), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("seats", long_but_for(3, [2, 3, 4, 5]))
@pytest.mark.parametrize("other", [USUAL_POLICY, LEARNED_POLICY])
def test_the_network_alone_wins_more_than_plans_do(seats: int, other: Policy) -> None:
    trained = Perceptron.of(msgspec.json.decode(NETWORK_FILE.read_bytes(), type=Layers))
    share, half = won(trained, other, seats, 120)
    assert share - half > 1 / seats
