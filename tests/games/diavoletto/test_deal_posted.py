"""Diavoletto: views, and submitted deals and moves."""

from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import CODES
from locanda.games.diavoletto.types import (
    Build,
    Discard,
    End,
    Mazzetto,
)
from locanda.games.game import MalformedDealError
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.subject import UP_TO_QUEEN, posted


def test_a_mazzetto_is_its_top_card_and_a_number_even_to_its_owner() -> None:
    deal = posted(hands=[["Ks", "5h"], ["2c"]], mazzetti=[["8s", "4s"], []])
    for viewer in (None, 0, 1):
        assert GAME.view(deal, viewer).mazzetti == (Mazzetto("4s", 2), Mazzetto(None, 0))
        assert "8s" not in msgspec.json.encode(GAME.view(deal, viewer)).decode()


def test_a_player_sees_the_own_hand_sorted_by_rank() -> None:
    deal = posted(hands=[["*", "Ks", "5h", "5d"], ["2c"]], stock=["9h"])
    assert GAME.view(deal, 0).hand == ("5h", "5d", "Ks", "*")
    assert GAME.view(deal, 1).hand == ("2c",)
    assert (GAME.view(deal, None).hand, GAME.view(deal, None).counts) == (None, (4, 1))


def test_columns_builds_and_cards_set_aside_are_seen_whole() -> None:
    columns = ((("9h", "8h"), (), (), ()), ((), ("7h",), (), ()))
    deal = posted(hands=[[], []], columns=columns, builds=[["Ah", "*"]], aside=["Kc"])
    view = GAME.view(deal, None)
    assert (view.columns, view.builds, view.aside) == (columns, (("Ah", "*"),), ("Kc",))


def test_determinized_mazzetti_hold_no_joker_even_where_a_posted_one_has_a_card_twice() -> None:
    mazzetti = [[*CODES[:13], *CODES[:13]], [*CODES[13:26], *CODES[13:26]]]
    deal = posted(hands=[[], []], mazzetti=mazzetti, aside=[*CODES[26:52], *CODES[26:52]])
    view = GAME.view(deal, 0)
    for number in range(50):
        determinized = GAME.determinize(view, Random(number))
        assert GAME.view(determinized, 0) == view
        assert "*" not in [card for pile in GAME.to_wire(determinized).mazzetti for card in pile]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["7h"], ["7h"]], "stock": ["7h"]}, "stock"),
        ({"hands": [["*", "*"], ["*"]]}, "hands[1]"),
        ({"columns": [[["4s"]], [[], ["4s"]]]}, "columns[1][1]"),
        ({"aside": ["4s", "4s"]}, "aside"),
        ({"builds": [["Ah"], ["2h"]]}, "builds[1]"),
        ({"builds": [["*"]]}, "builds[0]"),
        ({"builds": [["Ah", "3h"]]}, "builds[0]"),
        ({"builds": [[]]}, "builds[0]"),
        ({"builds": [[*UP_TO_QUEEN, "Kh"]]}, "builds[0]"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        posted(**{"hands": [[], []], **fields})
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize(
    "fields",
    [
        {"hands": [[]]},
        {"hands": [[], [], []]},
        {"hands": [["2h", "3h", "4h", "5h", "6h", "7h"], []]},
        {"mazzetti": [["*"], []]},
        {"columns": [[[], [], [], [], []], []]},
        {"hands": [["*\n"], []]},
        {"hands": [["1h"], []]},
        {"options": {"max_piles": 5}},
        {"options": {"max_piles": True}},
        {"options": {"no_progress_turns": 0}},
        {"options": {"mazzetto_size": 25}},
        {"options": {"wild_kings": True}},
    ],
)
def test_what_is_no_deal_of_this_game_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        posted(**{"hands": [[], []], **fields})


def test_hands_and_turn_are_enough_of_a_position() -> None:
    deal = GAME.from_wire(msgspec.convert({"game": "diavoletto", "hands": [["7h"], []], "turn": 0}, wire.Deal))
    assert GAME.moves(deal) == [Discard("7h", 0)]


@pytest.mark.parametrize(
    ("json", "move"),
    [
        ({"type": "build", "from": "hand", "card": "Ah", "build": None}, Build("hand", "Ah", None, None)),
        ({"type": "build", "from": "column", "card": "*", "column": 0, "build": 7}, Build("column", "*", 0, 7)),
        ({"type": "discard", "card": "7h", "column": 3}, Discard("7h", 3)),
        ({"type": "end"}, End()),
    ],
)
def test_moves_have_the_documented_form(json: dict[str, Any], move: wire.Move) -> None:
    assert msgspec.convert(json, wire.Move) == move
    assert msgspec.to_builtins(move) == json
