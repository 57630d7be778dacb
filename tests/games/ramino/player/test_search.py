"""Ramino: the search of `hard`, and moves of equal value."""

from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.pricing import TO_THE_END, drawn, worths
from locanda.games.ramino.types import (
    Meld,
)
from tests.games.ramino.game import GAME, PLAYERS
from tests.games.ramino.written_deals import position


def test_a_search_of_the_same_iterations_and_seed_finds_the_same() -> None:
    deal = position("MATTO LEONE II VII VIII I", top="III")
    situation: Any = Situation(GAME.view(deal, 0), None)
    analyses = [PLAYERS.weigh(situation, GAME.moves(deal), Random(3), Budget(iterations=20)) for _ in range(2)]
    assert analyses[0] == analyses[1]
    assert {weighed.move for weighed in analyses[0].weighed} == set(GAME.moves(deal))


def test_laying_three_figures_and_attaching_the_fourth_costs_nothing_beside_laying_four() -> None:
    deal = position("MATTO NULLA SECCHIA XV I X")
    situation: AnySituation = Situation(GAME.view(deal, 0), None)
    four, three = Meld(("MATTO", "SECCHIA", "NULLA", "XV")), Meld(("MATTO", "SECCHIA", "NULLA"))
    assert {four, three} <= {*GAME.moves(deal)}
    one, other = (fmean(islice(worths(GAME, situation, move, drawn(GAME, situation, 4)), 60)) for move in (four, three))
    assert abs(one - other) < TO_THE_END.least
