"""Presidente: obvious moves, and the computer players' reasons."""

from random import Random

import pytest

from locanda.explanations import Reason
from locanda.games.base import Pass
from locanda.games.choosing import choose
from locanda.games.players import Budget, Situation
from locanda.games.presidente.player.heuristic import easy
from locanda.games.presidente.types import Event, Play, View
from locanda.messages import ComputerLevel
from tests.games.presidente.game import GAME
from tests.games.presidente.situations import choice, position

SKILLED: tuple[ComputerLevel, ...] = ("medium", "hard")


def _reason(situation: Situation[View, Event]) -> Reason:
    return choose(GAME, situation, "medium", Random(1), Budget()).reason


@pytest.mark.parametrize("level", SKILLED)
def test_they_play_what_cannot_be_beaten_before_their_last_low_card(level: ComputerLevel) -> None:
    assert choice(position("3c Kh", "Qd 5d 9c", "7h 8h Jd"), level) == Play(("Kh",))


@pytest.mark.parametrize("level", SKILLED)
def test_against_a_single_card_they_do_not_lead_one_that_any_card_beats(level: ComputerLevel) -> None:
    assert choice(position("3c 3d 4s Kh", "Td", "Jd Jc Qd 5h 6h"), level) != Play(("4s",))


@pytest.mark.parametrize("level", SKILLED)
def test_they_break_up_kings_to_stop_who_holds_one_card(level: ComputerLevel) -> None:
    situation = position("4c Kh Ks", "Td", "5d 6d Jd Qd 7c", table={"cards": ["7h"]}, last=1)
    assert choice(situation, level) in (Play(("Kh",)), Play(("Ks",)))


@pytest.mark.parametrize("level", SKILLED)
def test_they_lead_a_straight_that_nothing_beats_and_then_go_out(level: ComputerLevel) -> None:
    situation = position("3h 4h 5h 6d", "Ts Jd Qc 2d", "8c 8d Kh Ks")
    assert choice(situation, level) == Play(("3h", "4h", "5h"))


@pytest.mark.parametrize("level", SKILLED)
def test_under_a_revolution_the_ace_comes_before_the_king(level: ComputerLevel) -> None:
    assert choice(position("Ah Kc", "2d 5d 9c", "7h 8h Jd", inverted=True), level) == Play(("Ah",))


@pytest.mark.parametrize("level", SKILLED)
def test_the_tax_takes_low_cards_that_go_with_no_others(level: ComputerLevel) -> None:
    situation = position(
        "Ah 3c 5d 5s 5c 9h Th Jh Kd Kc", "2c 4c 6d 7d 8s", "2d 3d 6c 7c 8c", dues=[[0, 2, 2]], options={"tax": True}
    )
    assert set(choice(situation, level).cards) == {"Ah", "3c"}


@pytest.mark.parametrize("level", ["easy", *SKILLED])
def test_whoever_can_go_out_does(level: ComputerLevel) -> None:
    situation = position("Qh Qs", "Td 4c 4d", "5d 6d Jd", table={"cards": ["7h", "7c"]}, last=1)
    assert choice(situation, level) == Play(("Qh", "Qs"))


def test_a_beginner_does_not_let_who_holds_one_card_go_out() -> None:
    situation = position("2h Ts Kh", "Td 4c 4d", "5d", table={"cards": ["7h"]}, last=2)
    moves = GAME.moves(GAME.determinize(situation.view, Random(0)))
    assert {easy(situation, moves, Random(seed)) == Pass() for seed in range(20)} == {False}


@pytest.mark.parametrize(
    ("situation", "reason"),
    [
        (position("Qh Qs", "Td 4c"), Reason("goes_out", {"cards": ["Qh", "Qs"]})),
        (position("3c Kh", "Qd 5d 9c"), Reason("wins_ending", {"cards": ["Kh"]})),
        (position("3c 5d Kh", "Qd 9c 2h", "Kd 2c 2s"), Reason("weakest_first", {"cards": ["3c"]})),
        (
            position("3c 3d 5s 7d", "Qd", "Kd 9h 9s"),
            Reason("longer_than_hands", {"count": 1, "cards": ["3d", "3c"]}),
        ),
    ],
)
def test_a_lead_is_explained_by_what_the_seat_sees(situation: Situation[View, Event], reason: Reason) -> None:
    assert _reason(situation) == reason


def test_a_pass_names_what_it_keeps() -> None:
    situation = position("2c 4d 5h 7s 9d Kh", "Td 4c 6c 8d Js 3h 9c", "5d 6d Jd Kd", table={"cards": ["Qh"]}, last=1)
    assert choice(situation, "medium") == Pass()
    assert _reason(situation) == Reason("keeps_strong", {"cards": ["Kh"]})
