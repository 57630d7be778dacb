"""Presidente: deals that somebody posts."""

from typing import Any

import msgspec
import pytest

from services.engine.fairness import shuffle
from services.engine.games.game import MalformedDealError
from services.engine.games.presidente import PRESIDENTE
from services.engine.games.presidente.state import Deal
from shared.games import presidente as wire
from shared.games.base import Pass
from shared.games.presidente import Give, Play, TrickWon
from tests.engine.games.presidente import played, read


def test_who_played_last_is_counted_back_from_the_turn_past_those_who_are_out() -> None:
    deal = read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=3, passes=1, out=[1])
    assert PRESIDENTE.view(deal, None).last == 0
    deal = read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=2, out=[1])
    assert PRESIDENTE.view(deal, None).last == 0


def test_a_joker_whose_player_is_the_only_one_with_cards_leaves_him_the_lead() -> None:
    deal, events = played(read(hands=[["*", "5d"], []], options={"joker": True}), Play(("*",)))
    assert events[-1] == TrickWon(0, 0)
    assert deal.turn == 0


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["7h"], ["7h"]]}, "hands[1]"),
        ({"hands": [["7h", "*"], ["As"]]}, "hands[0]"),
        ({"shown": ["7h"]}, "shown"),
        ({"gone": ["2h", "2h"]}, "gone"),
        ({"table": {"cards": ["7h"]}}, "table"),
        ({"table": {"cards": ["2h", "3h"]}}, "table"),
        ({"table": {"cards": ["2h", "3h", "*"]}, "options": {"joker": True}}, "table"),
        ({"table": {"cards": ["2h", "2d"], "joker": "2c"}}, "table"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
        ({"last": 2}, "last"),
        ({"out": [2]}, "out"),
        ({"out": [1]}, "out"),
        ({"hands": [["7h"], [], ["As"]], "out": [1, 1]}, "out"),
        ({"turn": None}, "out"),
        ({"hands": [[], ["As"]]}, "turn"),
        ({"sitting_out": [1]}, "sitting_out"),
        ({"sitting_out": [2], "options": {"pass_lock": True}}, "sitting_out"),
        ({"phase": "tax"}, "phase"),
        ({"phase": "play", "dues": [[0, 1, 1]]}, "phase"),
        ({"dues": [[1, 0, 1]]}, "turn"),
        ({"dues": [[0, 0, 1]]}, "dues"),
        ({"dues": [[0, 2, 1]]}, "dues"),
        ({"dues": [[0, 1, 2]]}, "dues"),
        ({"dues": [[0, 1, 1]], "table": {"cards": ["2h"]}}, "table"),
        ({"known": [{"seat": 0, "by": 0, "cards": ["7h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 2, "cards": ["7h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 1, "cards": ["8h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 1, "cards": []}]}, "known"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        read(**{"hands": [["7h"], ["As"]], **fields})
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize("card", ["7h\n", "10h", "7H", "", "JK", "**", "*\n", "XV"])
def test_what_is_no_card_is_refused(card: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(hands=[[card], ["As"]])


@pytest.mark.parametrize("hands", [[["7h"]], [[] for _ in range(6)]])
def test_two_to_five_hands(hands: list[list[str]]) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(hands=hands)


@pytest.mark.parametrize(
    ("deal", "move"),
    [
        (read(hands=[[], ["As"]], turn=None, out=[0]), Pass()),
        (read(hands=[["7h"], ["As"]]), Pass()),
        (read(hands=[["7h"], ["As"]]), Give(("7h",))),
        (read(hands=[["7h", "8h"], ["As"]]), Play(("7h", "8h"))),
    ],
)
def test_what_no_check_would_admit_cannot_be_played(deal: Deal, move: wire.Move) -> None:
    with pytest.raises(ValueError, match=r"over|pass|tax|combination"):
        PRESIDENTE.play(deal, move, shuffle)
