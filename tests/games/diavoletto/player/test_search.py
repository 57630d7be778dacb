"""Diavoletto: the search of `hard`."""

from random import Random

import pytest

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.types import Build, Event
from locanda.games.players import Budget, Situation
from tests.games.diavoletto.game import GAME, PLAYERS
from tests.games.diavoletto.random_play import moments, position


def test_the_same_iterations_make_the_same_analysis() -> None:
    moment = [candidate for candidate in moments(7, eager=0.5) if len(GAME.moves(candidate.deal)) > 5][40]
    moves = GAME.moves(moment.deal)
    once, again = (PLAYERS.weigh(moment.situation, moves, Random(3), Budget(iterations=6)) for _ in range(2))
    assert once == again


def test_a_search_weighs_its_candidates_by_the_expected_win() -> None:
    deal = position(hand="456KQ", own="J", other="7", builds=[3, 5])
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    analysis = PLAYERS.weigh(situation, GAME.moves(deal), Random(1), Budget(iterations=12))
    assert all(0 <= weighed.value <= 1 for weighed in analysis.weighed)
    assert analysis.best == analysis.weighed[0].move


def test_an_ace_before_the_mazzettos_card_costs_nothing() -> None:
    deal = position(hand="A56KQ", own="J", other="7", builds=[10])
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    moves = GAME.moves(deal)
    weighed = PLAYERS.weigh(situation, moves, Random(1), Budget(iterations=1)).weighed
    values = {move.move.source: move.value for move in weighed if isinstance(move.move, Build)}
    assert len(weighed) == len(moves)
    assert values["hand"] == pytest.approx(values["mazzetto"])
