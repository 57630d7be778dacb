"""Diavoletto: random deals agree with all facts that the view and the events prove."""

from itertools import islice
from random import Random

import pytest

from locanda.games.diavoletto.deal import ACE, rank
from locanda.games.diavoletto.types import Options
from locanda.games.players import Situation
from tests.games.diavoletto.game import GAME, PLAYERS
from tests.games.diavoletto.random_play import ALL_OPTIONS, contradictions, moments


@pytest.mark.slow
@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_a_drawn_deal_contradicts_nothing_that_can_be_proved(options: Options) -> None:
    rng = Random(1)
    for seed in range(3):
        for moment in islice(moments(seed, options), seed, None, 3):
            assert contradictions(moment, PLAYERS.sample(moment.situation, rng)) == []


def test_without_the_history_a_drawn_deal_agrees_with_the_view_and_the_waiting_hand_holds_no_ace() -> None:
    for moment in islice(moments(5), 0, None, 3):
        drawn = PLAYERS.sample(Situation(moment.situation.view, None), Random(2))
        assert GAME.view(drawn, moment.turn) == moment.situation.view
        assert not any(rank(card) == ACE for card in drawn.hands[1 - moment.turn])
