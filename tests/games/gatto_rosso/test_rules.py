"""Gatto Rosso Gatto Grigio: rules that the worked positions do not cover."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from locanda.games.base import DealOver, Pass, Passed, Refusal, Result
from locanda.games.game import MalformedDealError
from locanda.games.gatto_rosso import types as wire
from locanda.games.gatto_rosso.types import DealState, Event, Options, Play, Played, Refilled, TrickTaken
from services.engine.table.fairness import shuffle
from tests.games.gatto_rosso.game import GAME


def _read(**fields: Any) -> DealState:
    return GAME.from_wire(msgspec.convert({"game": "gatto_rosso", "turn": 0, **fields}, wire.Deal))


def _play(deal: DealState, *codes: str) -> tuple[DealState, list[Event]]:
    """Play these moves; return the deal and the events of the last move."""
    events: list[Event] = []
    for code in codes:
        deal, events = GAME.play(deal, Pass() if code == "pass" else Play(code), shuffle)
    return deal, events


def _unshuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    return list(cards)


def test_cards_are_dealt_one_at_a_time_from_the_top_to_the_seat_after_the_dealer_first() -> None:
    dealt = GAME.to_wire(GAME.deal(Options(), 3, 1, bytes(32), _unshuffled, None))
    assert dealt.hands == (("Kc", "3s", "6s", "Qs"), ("Qc", "2s", "5s", "Js"), ("As", "4s", "7s", "Ks"))
    assert dealt.stock[-1] == "Jc"
    assert (dealt.turn, len(dealt.stock)) == (2, 28)


def test_the_refill_comes_from_the_top_of_the_stock() -> None:
    deal, _ = _play(_read(hands=[["5h", "6h"], ["2c", "3c", "4c", "5c"]], stock=["As", "2s", "3s", "4s"]), "5h", "pass")
    assert GAME.to_wire(deal).hands[0] == ("6h", "2s", "3s", "4s")
    assert GAME.to_wire(deal).stock == ("As",)


def test_moves_are_ordered_by_suit_and_rank_with_the_pass_last() -> None:
    deal = _read(hands=[["Kh", "2d", "7h", "3c"], ["As"]], table=["5h"], options={"voluntary_pass": True})
    assert GAME.moves(deal) == [Play("7h"), Play("Kh"), Play("2d"), Pass()]


# --- events


def test_a_trick_has_an_event_for_each_card() -> None:
    deal = _read(hands=[["5h", "6h"], ["2c", "6d"]], stock=["As", "2s", "3s"])
    deal, events = _play(deal, "5h")
    assert events == [Played(0, "5h")]
    deal, events = _play(deal, "6d")
    assert events == [Played(1, "6d")]
    deal, events = _play(deal, "pass")
    assert events == [Passed(0), TrickTaken(1, ("5h", "6d")), Refilled((1, 2), 0)]


def test_the_end_has_events_for_the_last_trick_and_the_result() -> None:
    _, events = _play(_read(hands=[["2d"], ["4h"]], table=["3h"], captured=[20, 17]), "2d")
    result = Result(((0,), (1,)), (22, 17), "closed")
    assert events == [Played(0, "2d"), TrickTaken(0, ("3h", "2d")), DealOver(result)]


def test_a_trick_that_nobody_takes_has_an_event_without_a_winner() -> None:
    _, events = _play(_read(hands=[["2d"], ["4h"]], table=["3h"], options={"last_trick": "nobody"}), "2d")
    assert TrickTaken(None, ("3h", "2d")) in events


# --- views


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = _read(hands=[["Ks", "5h"], ["2c", "6d", "Ah"], ["7s"]], stock=["As", "2s"], table=["3h"], last=1)
    view = GAME.view(deal, 1)
    assert view.hand == ("Ah", "6d", "2c")
    assert (view.seat, view.counts, view.stock_count, view.table, view.last) == (1, (2, 3, 1), 2, ("3h",), 1)


def test_a_spectator_sees_no_hand() -> None:
    assert GAME.view(_read(hands=[["Ks"], ["2c"]]), None).hand is None


def test_hands_stay_hidden_after_the_end() -> None:
    deal, _ = _play(_read(hands=[["2d"], ["4h", "5h"]]), "2d")
    assert GAME.view(deal, 0).hand == ()
    assert "4h" not in msgspec.json.encode(GAME.view(deal, 0)).decode()


def test_all_see_who_sits_out() -> None:
    deal = _read(hands=[["5h"], ["2c"], ["3c"]], stock=["As"], options={"pass_lock": True})
    deal, _ = _play(deal, "5h", "pass")
    assert GAME.view(deal, None).sitting_out == (1,)


# --- refusals


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        (Play("3c"), Refusal("must_beat", {"card": "3c", "top": "5h"})),
        (Play("4s"), Refusal("not_in_hand", {"card": "4s"})),
        (Play("9h"), Refusal("not_in_hand", {"card": "9h"})),
        (Pass(), Refusal("must_play", {"top": "5h", "cards": ("7h", "2d")})),
    ],
)
def test_a_refusal_names_the_mistake(move: wire.Move, refusal: Refusal) -> None:
    assert GAME.check(_read(hands=[["7h", "2d", "3c"], ["As"]], table=["5h"]), move) == refusal


# --- submitted deals


def test_who_played_the_top_card_is_counted_back_from_the_turn() -> None:
    deal = _read(hands=[["7h"], ["As"], ["Ks"]], table=["5h"], turn=2, passes=1)
    assert GAME.view(deal, None).last == 0


def test_a_trick_in_which_all_sit_out_still_ends() -> None:
    deal = _read(hands=[["7h"], ["As"]], table=["5h"], last=0, turn=1, sitting_out=[0, 1], options={"pass_lock": True})
    deal, events = _play(deal, "pass")
    assert TrickTaken(0, ("5h",)) in events


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["7h"], ["7h"]]}, "hands[1]"),
        ({"hands": [["8h"], ["7h"]]}, "hands[0]"),
        ({"stock": ["5h", "7h"]}, "stock"),
        ({"table": ["Ts"]}, "table"),
        ({"stock": ["7c"], "options": {"three_suits": "c"}}, "stock"),
        ({"hands": [["7h"], ["As"], ["2s"]], "options": {"three_suits": "d"}}, "hands"),
        ({"captured": [1, 2, 3]}, "captured"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
        ({"hands": [[], ["7h"]]}, "turn"),
        ({"last": 2}, "last"),
        ({"sitting_out": [2], "options": {"pass_lock": True}}, "sitting_out"),
        ({"sitting_out": [1]}, "sitting_out"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        _read(**{"hands": [["7h"], ["As"]], **fields})
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize("card", ["7h\n", "10h", "7H", "", "*", "XV"])
def test_what_is_no_card_is_refused(card: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        _read(hands=[[card], ["As"]])


@pytest.mark.parametrize("hands", [[["7h"]], [[] for _ in range(11)]])
def test_two_to_ten_play(hands: list[list[str]]) -> None:
    with pytest.raises(msgspec.ValidationError):
        _read(hands=hands)


# --- the match


@pytest.mark.parametrize(("deals", "played", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_the_number_of_deals_of_its_option(deals: int, played: int, over: bool) -> None:
    assert GAME.match_over(Options(deals=deals), played, (20, 20)) is over
