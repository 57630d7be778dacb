"""Ramino: combinations, the start of a deal, views, and submitted deals."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from locanda.cards.cuccu import DESIGNS
from locanda.games.game import MalformedDealError
from locanda.games.ramino.deal import is_combination
from locanda.games.ramino.types import (
    Attach,
    Discard,
    Meld,
    Options,
    packed,
)
from tests.games.ramino.game import GAME
from tests.games.ramino.posted_deals import TAKE, play, read


def _unshuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    return list(cards)


def test_combinations_are_runs_of_numerals_or_three_or_four_figures() -> None:
    for length in range(1, 7):
        for cards in combinations(range(20), length):
            values = [DESIGNS[card].value for card in cards]
            run = length >= 3 and None not in values and all(b - a == 1 for a, b in pairwise(v or 0 for v in values))
            figures = length in (3, 4) and all(DESIGNS[card].figure for card in cards)
            assert is_combination(packed(cards)) == (run or figures)


def test_cards_are_dealt_one_at_a_time_from_the_top_to_the_seat_after_the_dealer_first() -> None:
    dealt = GAME.to_wire(GAME.deal(Options(), 3, 1, bytes(32), _unshuffled, None))
    assert dealt.hands == (
        ("II", "V", "VIII", "XI", "XIIII"),
        ("I", "IIII", "VII", "X", "XIII"),
        ("III", "VI", "VIIII", "XII", "XV"),
    )
    assert dealt.discards == ("NULLA",)
    assert (dealt.stock[-1], len(dealt.stock)) == ("SECCHIA", 24)
    assert (dealt.turn, dealt.phase, dealt.shuffles) == (2, "draw", 1)


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = read(hands=[["V", "MATTO"], ["X", "I", "NULLA"]], stock=["II"], discards=["III", "III"])
    view = GAME.view(deal, 1)
    assert view.hand == ("NULLA", "I", "X")
    assert (view.seat, view.counts, view.stock_count, view.discards) == (1, (2, 3), 1, ("III", "III"))
    assert (view.known, view.hands) == (((), ()), None)


def test_a_spectator_sees_no_hand() -> None:
    assert GAME.view(read(hands=[["V"], ["X"]]), None).hand is None


def test_all_see_the_phase_of_the_turn_and_who_may_still_make_a_ramino() -> None:
    hands = [["V"], ["X", "I", "IIII"], ["MATTO"]]
    deal = read(hands=hands, turn=1, melds=[["I", "II", "III"]], discards=["X"], opened=[True, False, True], idle=2)
    view = GAME.view(play(deal, TAKE, Attach("IIII", 0))[0], None)
    assert (view.turn, view.phase, view.taken, view.acted, view.idle) == (1, "play", "X", True, 2)
    assert (view.opened, view.melds, view.known) == ((True, False, True), (), ((), ("X",), ()))
    assert view == GAME.view(GAME.determinize(view, Random(1)), None)


def test_all_hands_are_shown_once_the_deal_is_over() -> None:
    deal, _ = play(read(hands=[["V"], ["X", "I"]]), Discard("V"))
    view = GAME.view(deal, None)
    assert (view.hands, view.closer, view.stock_count) == (((), ("I", "X")), 0, 0)


def test_of_equal_cards_the_known_one_goes_first() -> None:
    deal = read(hands=[["V", "V", "X"], ["I"]], known=[["V"], []], phase="play")
    deal, _ = play(deal, Discard("V"))
    assert GAME.view(deal, 1).known == ((), ())


def test_a_known_card_that_is_laid_is_known_no_more() -> None:
    deal = read(hands=[["V", "VI", "VII", "X"], ["I"]], known=[["V", "X"], []])
    deal, _ = play(deal, Meld(("V", "VI", "VII")))
    assert GAME.view(deal, 1).known == (("X",), ())


def test_determinize_keeps_what_is_known() -> None:
    deal = read(hands=[["V", "V", "X"], ["I"]], known=[["V", "X"], []], stock=["II", "III", "VI"])
    hands = {GAME.to_wire(GAME.determinize(GAME.view(deal, 1), Random(seed))).hands for seed in range(50)}
    assert all({"V", "X"} <= set(own) and other == ("I",) for own, other in hands)
    assert len(hands) > 5


@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, "play"),
        ({"stock": ["I"]}, "draw"),
        ({"discards": ["I"]}, "draw"),
        ({"stock": ["I"], "taken": "V"}, "play"),
        ({"stock": ["I"], "acted": True}, "play"),
        ({"stock": ["I"], "phase": "play"}, "play"),
    ],
)
def test_the_phase_of_a_posted_deal_is_read_from_its_cards(fields: dict[str, Any], phase: str) -> None:
    assert GAME.view(read(hands=[["V"], ["X"]], **fields), None).phase == phase


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["V", "V"], ["V"]]}, "hands[1]"),
        ({"stock": ["X", "X", "X"]}, "stock"),
        ({"discards": ["V", "V"]}, "discards"),
        ({"melds": [["I", "II", "III"]], "stock": ["I", "I"]}, "melds[0]"),
        ({"melds": [["I", "II", "III"], ["I", "II"]]}, "melds[1]"),
        ({"melds": [["I", "II", "III", "IIII"]]}, "melds[0]"),
        ({"melds": [["I", "II", "IIII"]]}, "melds[0]"),
        ({"known": [["X"], []]}, "known[0]"),
        ({"known": [["V"]]}, "known"),
        ({"opened": [True]}, "opened"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
        ({"turn": None, "closer": 2}, "closer"),
        ({"turn": None, "closer": 1}, "closer"),
        ({"closer": 0}, "closer"),
        ({"phase": "draw"}, "stock"),
        ({"hands": [[], ["X"]]}, "hands"),
        ({"stock": ["I"], "phase": "draw", "taken": "V"}, "phase"),
        ({"stock": ["I"], "phase": "draw", "acted": True}, "phase"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        read(**{"hands": [["V"], ["X"]], **fields})
    assert str(refused.value).startswith(f"{field}: ")
