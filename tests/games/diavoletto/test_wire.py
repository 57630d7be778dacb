"""Diavoletto: refusals with their facts, events, views, and deals and moves that are posted."""

from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.base import DealOver, Refusal, Result
from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import CODES
from locanda.games.diavoletto.types import (
    Build,
    Built,
    Completed,
    Discard,
    Discarded,
    Drew,
    End,
    Ended,
    Exposed,
    Mazzetto,
    Recycled,
    Redealt,
)
from locanda.games.game import MalformedDealError
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.subject import UP_TO_QUEEN, posted, run

# --- refusals


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


# --- events


def test_the_event_of_a_play_names_the_rank_that_the_card_stands_for() -> None:
    _, events = run(posted(hands=[["*", "9d"], []], builds=[["Ah", "2h"]]), Build("hand", "*", None, 0))
    assert events == [Built(0, "hand", "*", None, 0, "3")]


def test_the_event_of_an_ace_names_the_build_that_it_opens() -> None:
    deal = posted(hands=[[], []], columns=[[[], ["9d", "Ad"]], []], builds=[["Ah", "2h"]])
    assert run(deal, Build("column", "Ad", 1, None))[1] == [Built(0, "column", "Ad", 1, 1, "A")]


def test_a_mazzetto_card_is_followed_by_the_event_of_the_one_under_it() -> None:
    _, events = run(posted(hands=[["9d"], []], builds=[["Ah", "2h", "3h"]]), Build("mazzetto", "4s", None, 0))
    assert events == [Built(0, "mazzetto", "4s", None, 0, "4"), Exposed(0, "8s")]


def test_a_completed_build_is_an_event_and_the_new_hand_only_a_number() -> None:
    _, events = run(posted(hands=[["Kd"], []], builds=[UP_TO_QUEEN]), Build("hand", "Kd", None, 0))
    assert events == [
        Built(0, "hand", "Kd", None, 0, "K"),
        Completed(0, (*UP_TO_QUEEN, "Kd")),
        Recycled(13),
        Drew(0, 5, 8),
    ]


def test_the_event_of_a_discard_is_followed_by_what_the_other_player_draws() -> None:
    _, events = run(posted(hands=[["Kd"], ["9h"]], stock=["2h", "3h", "5h"]), Discard("Kd", 0))
    assert events == [Discarded(0, "Kd", 0), Drew(1, 3, 0)]


def test_a_draw_from_nothing_is_no_event() -> None:
    _, events = run(posted(hands=[[], []]), End())
    assert events == [Ended(0)]


def test_a_redeal_is_an_event() -> None:
    deal = posted(hands=[[], []], columns=[[["9h", "2h"]], []], stalled=1, options={"deadlock": "redeal"})
    assert run(deal, End())[1] == [Ended(0), Redealt(2), Drew(1, 2, 0)]


def test_the_last_event_has_the_result() -> None:
    deal = posted(hands=[["9d"], []], mazzetti=[["Kd"], ["6s"]], builds=[UP_TO_QUEEN])
    _, events = run(deal, Build("mazzetto", "Kd", None, 0))
    assert events[-2:] == [Completed(0, (*UP_TO_QUEEN, "Kd")), DealOver(Result(((0,), (1,)), (1, 0), "emptied"))]


# --- views


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
