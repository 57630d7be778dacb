"""Gatto Rosso Gatto Grigio: the search of `hard`."""

from random import Random

import pytest

from locanda.games.players import Budget, Situation
from tests.games.gatto_rosso.game import GAME, PLAYERS
from tests.games.gatto_rosso.random_play import positions


@pytest.mark.parametrize("known", [True, False])
def test_the_same_seed_and_iterations_make_the_same_search(known: bool) -> None:
    for deal, history, _ in list(positions({}, 2, 11))[::4]:
        situation = Situation(GAME.view(deal, deal.turn), history if known else None)
        moves = GAME.moves(deal)
        analyses = [PLAYERS.weigh(situation, moves, Random(12), Budget(iterations=40)) for _ in range(2)]
        assert analyses[0] == analyses[1]
        assert {weighed.move for weighed in analyses[0].weighed} == set(moves)
