"""Presidente: the events of moves."""

from locanda.games.base import DealOver, Pass, Passed, Result
from locanda.games.presidente.types import Play, Played, Revolution, TrickWon, WentOut
from tests.games.presidente.subject import played, read


def test_a_trick_is_an_event_for_each_play() -> None:
    deal = read(hands=[["6h", "7h", "*", "2c"], ["9d", "Ks"]], options={"joker": True})
    deal, events = played(deal, Play(("7h", "*", "6h"), "8h"))
    assert events == [Played(0, "straight", ("6h", "7h", "*"), "8h")]
    deal, events = played(deal, Pass())
    assert events == [Passed(1), TrickWon(0, 1)]


def test_a_revolution_and_the_end_are_events() -> None:
    _, events = played(read(hands=[["6h", "6d", "6c", "6s"], ["9d", "Ks"]]), Play(("6h", "6d", "6c", "6s")))
    result = Result(((0,), (1,)), (1, 0), "first_out")
    assert events == [
        Played(0, "four", ("6h", "6d", "6c", "6s"), None),
        Revolution(0, inverted=True),
        WentOut(0, 1),
        DealOver(result),
    ]


def test_the_event_of_going_out_names_the_place() -> None:
    deal = read(hands=[[], ["8d"], ["Ks", "2s"], ["3s"]], turn=1, out=[0], options={"play_on": True, "eight": True})
    _, events = played(deal, Play(("8d",)))
    assert events == [Played(1, "single", ("8d",), None), WentOut(1, 2), TrickWon(1, 2)]
