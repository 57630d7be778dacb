"""Deals and moves of Diavoletto that somebody posts."""

from typing import Any

import msgspec
import pytest

from services.engine.games.diavoletto import DIAVOLETTO
from services.engine.games.game import MalformedDealError
from shared.games import diavoletto as wire
from shared.games.diavoletto import Build, Discard, End
from tests.engine.games.diavoletto import UP_TO_QUEEN, posted


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
    deal = DIAVOLETTO.read(msgspec.convert({"game": "diavoletto", "hands": [["7h"], []], "turn": 0}, wire.Deal))
    assert DIAVOLETTO.moves(deal) == [Discard("7h", 0)]


@pytest.mark.parametrize(
    ("json", "move"),
    [
        ({"type": "build", "from": "hand", "card": "Ah", "build": None}, Build("hand", "Ah", None, None)),
        ({"type": "build", "from": "column", "card": "*", "column": 0, "build": 7}, Build("column", "*", 0, 7)),
        ({"type": "discard", "card": "7h", "column": 3}, Discard("7h", 3)),
        ({"type": "end"}, End()),
    ],
)
def test_moves_look_as_the_rules_page_says(json: dict[str, Any], move: wire.Move) -> None:
    assert msgspec.convert(json, wire.Move) == move
    assert msgspec.to_builtins(move) == json
