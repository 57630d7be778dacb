"""Presidente: how it is dealt, what happens is told, and what each may see."""

from typing import Any

import msgspec

from services.engine.fairness import shuffle
from services.engine.games.presidente import PRESIDENTE
from shared.games import presidente as wire
from shared.games.base import DealOver, Pass, Passed, Result
from shared.games.presidente import Options, Play, Played, Revolution, TrickWon, WentOut
from tests.engine.games.presidente import PACK, hands_of, played, read, unshuffled

# --- dealing


def test_cards_are_dealt_one_at_a_time_to_the_seat_after_the_dealer_first() -> None:
    dealt = PRESIDENTE.record(PRESIDENTE.deal(Options(joker=True), 5, 3, bytes(32), unshuffled, None))
    assert [hand[-1] for hand in dealt.hands] == ["Ks", "Kc", "Kd", "Kh", "*"]
    assert dealt.hands[4][-2] == "Qs"
    assert dealt.shown == ("Ah", "Ad", "Ac")
    assert (dealt.turn, dealt.shuffles, dealt.phase) == (4, 1, "play")


def test_leftovers_are_shown_to_all() -> None:
    deal = PRESIDENTE.deal(Options(), 2, 0, bytes(32), shuffle, None)
    for viewer in (None, 0, 1):
        view = PRESIDENTE.view(deal, viewer)
        assert (len(view.shown), view.stock_count) == (26, 26)
        assert set(view.shown) == set(PACK[:-1]) - set(sum(hands_of(deal), ()))


def test_hidden_leftovers_stay_hidden_to_the_end() -> None:
    fields: dict[str, Any] = {"hands": [["Kd"], ["As"]], "shown": ["2s", "3s"], "options": {"leftovers": "hidden"}}
    deal = read(**fields)
    for viewer in (None, 0, 1):
        assert (PRESIDENTE.view(deal, viewer).shown, PRESIDENTE.view(deal, viewer).stock_count) == ((), 2)
    over, _ = played(deal, Play(("Kd",)))
    assert PRESIDENTE.view(over, None).shown == ("2s", "3s")


# --- events


def test_a_trick_is_told_play_byplayed() -> None:
    deal = read(hands=[["6h", "7h", "*", "2c"], ["9d", "Ks"]], options={"joker": True})
    deal, events = played(deal, Play(("7h", "*", "6h"), "8h"))
    assert events == [Played(0, "straight", ("6h", "7h", "*"), "8h")]
    deal, events = played(deal, Pass())
    assert events == [Passed(1), TrickWon(0, 1)]


def test_a_revolution_and_the_end_are_told() -> None:
    _, events = played(read(hands=[["6h", "6d", "6c", "6s"], ["9d", "Ks"]]), Play(("6h", "6d", "6c", "6s")))
    result = Result(((0,), (1,)), (1, 0), "first_out")
    assert events == [
        Played(0, "four", ("6h", "6d", "6c", "6s"), None),
        Revolution(0, inverted=True),
        WentOut(0, 1),
        DealOver(result),
    ]


def test_going_out_with_places_to_play_for_is_told_with_the_place() -> None:
    deal = read(hands=[[], ["8d"], ["Ks", "2s"], ["3s"]], turn=1, out=[0], options={"play_on": True, "eight": True})
    _, events = played(deal, Play(("8d",)))
    assert events == [Played(1, "single", ("8d",), None), WentOut(1, 2), TrickWon(1, 2)]


# --- views


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = read(hands=[["Ks", "*", "5d", "5h"], ["2c", "Ah"]], turn=1, options={"joker": True}, gone=["9h"])
    view = PRESIDENTE.view(deal, 0)
    assert view.hand == ("5h", "5d", "Ks", "*")
    assert (view.seat, view.counts, view.gone) == (0, (4, 2), ("9h",))
    assert PRESIDENTE.view(deal, None).hand is None


def test_hands_stay_hidden_after_the_end() -> None:
    deal, _ = played(read(hands=[["2d"], ["4h", "5h"]]), Play(("2d",)))
    assert "4h" not in msgspec.json.encode(PRESIDENTE.view(deal, 0)).decode()


def test_beaten_and_removed_cards_are_remembered() -> None:
    deal, _ = played(read(hands=[["2d", "9c"], ["4h", "5h"]]), Play(("2d",)), Play(("4h",)))
    assert (PRESIDENTE.view(deal, None).gone, PRESIDENTE.view(deal, None).table) == (("2d",), wire.Combination(("4h",)))
    deal, _ = played(deal, Pass())
    assert PRESIDENTE.view(deal, None).gone == ("2d", "4h")
