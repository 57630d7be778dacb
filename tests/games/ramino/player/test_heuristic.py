"""Ramino: computer players' choices when the best move is obvious."""

from random import Random
from typing import Any

import pytest

from locanda.games.choosing import choose
from locanda.games.players import Budget, Situation
from locanda.games.ramino.types import (
    Attach,
    DealState,
    Discard,
    Draw,
    Move,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME, PLAYERS
from tests.games.ramino.written_deals import position


def _choice(deal: DealState, level: Any) -> Move:
    situation: Any = Situation(GAME.view(deal, deal.turn), None)
    move: Move = choose(GAME, situation, level, Random(1), Budget(iterations=60)).move
    return move


experienced = pytest.mark.parametrize("level", ["medium", "hard"])


@experienced
def test_it_makes_a_ramino_of_six_figures(level: str) -> None:
    deal = position("MATTO LEONE SECCHIA NULLA XII XV")
    while deal.turn == 0:
        deal, _ = GAME.play(deal, _choice(deal, level), shuffle)
    assert GAME.score(deal).reason == "ramino"


@experienced
def test_it_closes_by_attaching_one_card_and_throwing_the_other(level: str) -> None:
    deal = position("VIIII III", table="VI VII VIII")
    assert _choice(deal, level) == Attach("VIIII", 0)


@experienced
def test_it_takes_the_discard_with_which_it_closes(level: str) -> None:
    assert _choice(position("V VII", top="VI", drawn=False), level) == Draw("discards")


@experienced
def test_it_does_not_throw_the_card_that_the_table_takes_to_somebody_about_to_close(level: str) -> None:
    deal = position("V I XV", table="VI VII VIII", other="MATTO")
    move = _choice(deal, level)
    assert move == Attach("V", 0)


@experienced
def test_it_keeps_two_figures_and_throws_the_numeral(level: str) -> None:
    assert _choice(position("LEONE XII II", other="V VII"), level) == Discard("II")


@pytest.mark.parametrize(("top", "keeps_back"), [("VII", True), ("IIII", False)])
def test_a_combination_is_kept_back_only_from_those_who_could_add_to_it(top: str, keeps_back: bool) -> None:
    deal = position("I II III X VIII", table="IIII V VI", top=top, other="II VI XII XV")
    situation: Any = Situation(GAME.view(deal, 0), None)
    reason = PLAYERS.explain(situation, Discard("X"), GAME.moves(deal), "expert")
    assert (reason is not None and reason.code == "keeps_back") == keeps_back
