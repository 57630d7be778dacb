"""Presidente: the start of a deal, views, and submitted deals."""

from typing import Any

import msgspec
import pytest

from locanda.games.base import Pass
from locanda.games.game import MalformedDealError
from locanda.games.presidente import types as wire
from locanda.games.presidente.types import DealState, Give, Options, Play, TrickWon
from services.engine.table.fairness import shuffle
from tests.games.presidente.game import GAME
from tests.games.presidente.subject import PACK, hands_of, played, read, unshuffled


def test_cards_are_dealt_one_at_a_time_to_the_seat_after_the_dealer_first() -> None:
    dealt = GAME.to_wire(GAME.deal(Options(joker=True), 5, 3, bytes(32), unshuffled, None))
    assert [hand[-1] for hand in dealt.hands] == ["Ks", "Kc", "Kd", "Kh", "*"]
    assert dealt.hands[4][-2] == "Qs"
    assert dealt.shown == ("Ah", "Ad", "Ac")
    assert (dealt.turn, dealt.shuffles, dealt.phase) == (4, 1, "play")


def test_leftovers_are_shown_to_all() -> None:
    deal = GAME.deal(Options(), 2, 0, bytes(32), shuffle, None)
    for viewer in (None, 0, 1):
        view = GAME.view(deal, viewer)
        assert (len(view.shown), view.stock_count) == (26, 26)
        assert set(view.shown) == set(PACK[:-1]) - set(sum(hands_of(deal), ()))


def test_hidden_leftovers_stay_hidden_to_the_end() -> None:
    fields: dict[str, Any] = {"hands": [["Kd"], ["As"]], "shown": ["2s", "3s"], "options": {"leftovers": "hidden"}}
    deal = read(**fields)
    for viewer in (None, 0, 1):
        assert (GAME.view(deal, viewer).shown, GAME.view(deal, viewer).stock_count) == ((), 2)
    over, _ = played(deal, Play(("Kd",)))
    assert GAME.view(over, None).shown == ("2s", "3s")


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = read(hands=[["Ks", "*", "5d", "5h"], ["2c", "Ah"]], turn=1, options={"joker": True}, gone=["9h"])
    view = GAME.view(deal, 0)
    assert view.hand == ("5h", "5d", "Ks", "*")
    assert (view.seat, view.counts, view.gone) == (0, (4, 2), ("9h",))
    assert GAME.view(deal, None).hand is None


def test_hands_stay_hidden_after_the_end() -> None:
    deal, _ = played(read(hands=[["2d"], ["4h", "5h"]]), Play(("2d",)))
    assert "4h" not in msgspec.json.encode(GAME.view(deal, 0)).decode()


def test_beaten_and_removed_cards_are_remembered() -> None:
    deal, _ = played(read(hands=[["2d", "9c"], ["4h", "5h"]]), Play(("2d",)), Play(("4h",)))
    assert (GAME.view(deal, None).gone, GAME.view(deal, None).table) == (("2d",), wire.Combination(("4h",)))
    deal, _ = played(deal, Pass())
    assert GAME.view(deal, None).gone == ("2d", "4h")


def test_who_played_last_is_counted_back_from_the_turn_past_those_who_are_out() -> None:
    deal = read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=3, passes=1, out=[1])
    assert GAME.view(deal, None).last == 0
    deal = read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=2, out=[1])
    assert GAME.view(deal, None).last == 0


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
def test_what_no_check_would_admit_cannot_be_played(deal: DealState, move: wire.Move) -> None:
    with pytest.raises(ValueError, match=r"over|pass|tax|combination"):
        GAME.play(deal, move, shuffle)
