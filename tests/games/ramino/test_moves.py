"""Ramino: the legal moves in their order, and refusals."""

from typing import Any

import pytest

from locanda.games.base import Refusal
from locanda.games.ramino import types as wire
from locanda.games.ramino.types import (
    Attach,
    Discard,
    Meld,
)
from tests.games.ramino.game import GAME
from tests.games.ramino.posted_deals import STOCK, TAKE, play, read


def test_moves_are_ordered_sets_then_runs_then_attaching_then_discards() -> None:
    hand = ["I", "XIII", "XII", "XI", "X", "NULLA"]
    deal = read(hands=[hand, []], melds=[["II", "III", "IIII"], ["MATTO", "LEONE", "SECCHIA"]], taken="I")
    figures = [("NULLA", "XI", "XII"), ("NULLA", "XI", "XIII"), ("NULLA", "XII", "XIII"), ("XI", "XII", "XIII")]
    sets = [*figures, ("NULLA", "XI", "XII", "XIII")]
    runs = [("X", "XI", "XII"), ("X", "XI", "XII", "XIII")]
    attaches = [Attach("I", 0), *(Attach(code, 1) for code in ("NULLA", "XI", "XII", "XIII"))]
    discards = [Discard(code) for code in ("NULLA", "X", "XI", "XII", "XIII")]
    assert GAME.moves(deal) == [*map(Meld, sets + runs), *attaches, *discards]


def test_two_of_a_card_are_one_choice() -> None:
    deal = read(hands=[["V", "V", "VI", "VI", "VII"], []])
    assert GAME.moves(deal) == [Meld(("V", "VI", "VII")), Discard("V"), Discard("VI"), Discard("VII")]


def test_a_combination_may_be_named_in_any_order() -> None:
    deal = read(hands=[["V", "VI", "VII", "X"], []])
    assert play(deal, Meld(("VII", "V", "VI"))) == play(deal, Meld(("V", "VI", "VII")))


def test_either_of_two_equal_combinations_may_be_named() -> None:
    runs = [["I", "II", "III"], ["XI", "XII", "XIII"], ["I", "II", "III"]]
    deal = read(hands=[["IIII", "X"], []], melds=runs)
    assert play(deal, Attach("IIII", 0)) == play(deal, Attach("IIII", 2))
    assert Attach("IIII", 2) not in GAME.moves(deal)


HAND = ["MATTO", "V", "VI", "VII", "VIII", "XI", "XV"]
RUN, LONGER, FIGURES = ("V", "VI", "VII"), ("V", "VI", "VII", "VIII"), ("MATTO", "XI", "XV")


@pytest.mark.parametrize(
    ("cards", "refusal"),
    [
        (["V", "VI"], Refusal("incomplete", {"cards": ("VII", "VIII"), "combinations": (RUN, LONGER)})),
        (["VIII", "V"], Refusal("incomplete", {"cards": ("VI", "VII"), "combinations": (LONGER,)})),
        (["XV"], Refusal("incomplete", {"cards": ("MATTO", "XI"), "combinations": (FIGURES,)})),
        (["V", "XI"], Refusal("not_adjacent", {"cards": ("V", "XI")})),
        (["V", "MATTO"], Refusal("not_a_combination", {"cards": ("MATTO", "V"), "least": 3})),
        (["V", "V"], Refusal("not_in_hand", {"card": "V"})),
        (["V", "VI", "X"], Refusal("not_in_hand", {"card": "X"})),
        (["I", "I", "I", "I"], Refusal("not_in_hand", {"card": "I"})),
    ],
)
def test_the_refusal_of_a_selection_names_what_it_lacks(cards: list[str], refusal: Refusal) -> None:
    assert GAME.check(read(hands=[HAND, []]), Meld(tuple(cards))) == refusal


def test_nothing_selected_yet_could_become_any_combination() -> None:
    refusal = GAME.check(read(hands=[["I", "II", "III", "X"], []]), Meld(()))
    assert refusal == Refusal("incomplete", {"cards": ("I", "II", "III"), "combinations": (("I", "II", "III"),)})


@pytest.mark.parametrize(
    ("fields", "move", "refusal"),
    [
        ({"stock": ["I"]}, Discard("V"), Refusal("wrong_phase", {"phase": "draw"})),
        ({}, STOCK, Refusal("wrong_phase", {"phase": "play"})),
        ({"stock": ["I"]}, TAKE, Refusal("nothing_to_draw", {"from": "discards"})),
        ({}, Discard("II"), Refusal("not_in_hand", {"card": "II"})),
        ({"taken": "V"}, Discard("V"), Refusal("taken_card", {"card": "V"})),
        ({}, Attach("V", 0), Refusal("no_such_meld", {"melds": 0})),
        ({"melds": [["I", "II", "III"]]}, Attach("X", 0), Refusal("not_in_hand", {"card": "X"})),
        (
            {"melds": [["I", "II", "III"]]},
            Attach("V", 0),
            Refusal("not_adjacent", {"card": "V", "meld": ("I", "II", "III"), "cards": ("IIII",)}),
        ),
        ({"turn": None}, STOCK, Refusal("deal_over")),
    ],
)
def test_a_refusal_names_the_mistake(fields: dict[str, Any], move: wire.Move, refusal: Refusal) -> None:
    assert GAME.check(read(hands=[["V", "VIII"], []], **fields), move) == refusal
