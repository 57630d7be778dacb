"""Diavoletto: the events of moves."""

from locanda.games.base import DealOver, Result
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
    Recycled,
    Redealt,
)
from tests.games.diavoletto.subject import UP_TO_QUEEN, posted, run


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
