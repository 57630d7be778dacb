"""Diavoletto: refusals with their facts."""

import pytest

from locanda.games.base import Refusal
from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.types import (
    Build,
    Discard,
    End,
)
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.subject import posted

REFUSALS: list[tuple[wire.Move, Refusal]] = [
    (Build("hand", "9c", None, 0), Refusal("not_in_hand", {"card": "9c"})),
    (Build("hand", "9d", None, 0), Refusal("wrong_rank", {"card": "9d", "needs": "3"})),
    (Build("hand", "9d", None, None), Refusal("wrong_rank", {"card": "9d", "needs": "A"})),
    (Build("hand", "9d", None, 2), Refusal("no_such_build", {"build": 2})),
    (Build("hand", "9d"), Refusal("no_such_build", {"card": "9d"})),
    (Build("hand", "*", None, None), Refusal("joker_opens")),
    (Build("hand", "*"), Refusal("incomplete", {"builds": [0, 1]})),
    (Build("hand", "3h"), Refusal("incomplete", {"builds": [0]})),
    (Build("hand", "3h", 1, 0), Refusal("impossible", {"field": "column"})),
    (Build("mazzetto", "3h", None, 0), Refusal("not_on_top", {"card": "3h", "top": "4s"})),
    (Build("column", "3s", 0, 0), Refusal("not_on_top", {"card": "3s", "top": "7c"})),
    (Build("column", "3s", 1, 0), Refusal("no_such_column", {"column": 1})),
    (Build("column", "3s", None, 0), Refusal("incomplete", {"columns": [2, 3]})),
    (Build("column", "3d", None, 0), Refusal("not_on_top", {"card": "3d"})),
    (Discard("9c", 0), Refusal("not_in_hand", {"card": "9c"})),
    (Discard("9d"), Refusal("incomplete", {"columns": [0, 1, 2, 3]})),
    (End(), Refusal("must_discard")),
]


@pytest.mark.parametrize(("move", "refusal"), REFUSALS)
def test_the_facts_of_a_refusal_name_what_is_wrong_or_missing(move: wire.Move, refusal: Refusal) -> None:
    columns = [[["7c"], [], ["9s", "3s"], ["3s"]], []]
    deal = posted(hands=[["9d", "3h", "*"], []], columns=columns, builds=[["Ah", "2h"], ["Ad", "2d", "3d"]])
    assert GAME.check(deal, move) == refusal


def test_d3_the_refusal_names_every_ace_that_is_due() -> None:
    deal = posted(hands=[["Ah", "9d"], []], mazzetti=[["8s", "As"], ["6s"]], columns=[[[], ["Ad"]], []])
    aces = [
        {"from": "hand", "card": "Ah", "column": None},
        {"from": "mazzetto", "card": "As", "column": None},
        {"from": "column", "card": "Ad", "column": 1},
    ]
    for move in (Discard("9d", 0), Discard("9d"), Discard("Ah", 0), End()):
        assert GAME.check(deal, move) == Refusal("ace_first", {"aces": aces})


def test_an_ace_half_played_may_open_a_new_build() -> None:
    assert GAME.check(posted(hands=[["Ah"], []]), Build("hand", "Ah")) == Refusal("incomplete", {"builds": [None]})


def test_a_joker_without_a_build_to_go_to() -> None:
    assert GAME.check(posted(hands=[["*"], []]), Build("hand", "*")) == Refusal("joker_opens")


def test_the_columns_that_would_do_are_named() -> None:
    deal = posted(hands=[["8h", "2h"], []], columns=[[["9c"], ["Qc"]], []], options={"discard_order": "descending"})
    refusal = Refusal("not_descending", {"card": "8h", "columns": [0, 2]})
    assert GAME.check(deal, Discard("8h", 1)) == refusal
    assert GAME.check(deal, Discard("8h", 3)) is None


def test_nothing_may_be_done_once_the_deal_is_over() -> None:
    deal = posted(hands=[["8h"], []], turn=None)
    assert GAME.moves(deal) == []
    assert GAME.check(deal, Discard("8h", 0)) == Refusal("deal_over")
