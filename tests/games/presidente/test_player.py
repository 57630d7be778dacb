"""The computer players of Presidente: what they know, how they play on in thought, and evident moves."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locanda.cards import mask
from locanda.explanations import Reason
from locanda.games.base import Pass
from locanda.games.choosing import choose
from locanda.games.players import Budget, Situation
from locanda.games.presidente.deal import ALL, CODES, decoded
from locanda.games.presidente.fast import BY_MOVE, Simulation, beatable, combo_of_move, simulation_of
from locanda.games.presidente.moves import answers
from locanda.games.presidente.player.endings import choices, ending_of, winning
from locanda.games.presidente.player.features import FEATURES, features, outlook_of
from locanda.games.presidente.player.heuristic import easy
from locanda.games.presidente.player.judgement import NETWORK, NETWORK_FILE, Layers
from locanda.games.presidente.player.knowledge import knowledge_of
from locanda.games.presidente.player.planning import plan
from locanda.games.presidente.player.policy import LEARNED_POLICY, USUAL_POLICY, Policy
from locanda.games.presidente.player.sampling import Walk, gather
from locanda.games.presidente.player.search import MOST, combos, promising
from locanda.games.presidente.types import JOKER, Event, Give, Play, RankedCombination, View
from locanda.messages import ComputerLevel
from tests.bench.perceptron import Perceptron
from tests.bench.presidente_network import seen_by, won
from tests.bench.presidente_weights import share
from tests.games.moments import Moment, moments
from tests.games.presidente.game import GAME
from tests.games.presidente.subject import read
from tests.games.subjects import AnyStart, played_moves, starts

SKILLED: tuple[ComputerLevel, ...] = ("medium", "hard")
HANDS = st.sets(st.integers(0, JOKER), min_size=1, max_size=13).map(mask)


def _position(*hands: str, **fields: Any) -> Situation[View, Event]:
    """Return what the seat on turn knows where all other cards are gone; seat 0 is on turn unless another is named."""
    held = [hand.split() for hand in hands]
    table = fields.get("table", {}).get("cards", [])
    options = {"play_on": True, "leftovers": "hidden", **fields.pop("options", {})}
    pack = CODES if options.get("joker") else CODES[:-1]
    seen = {code for pile in (*held, table) for code in pile}
    gone = [code for code in pack if code not in seen]
    deal = read(hands=held, gone=gone, options=options, **fields)
    assert deal.turn is not None
    return Situation(GAME.view(deal, deal.turn), None)


def _choice(situation: Situation[View, Event], level: ComputerLevel) -> Any:
    return choose(GAME, situation, level, Random(1), Budget(iterations=200)).move


def _reason(situation: Situation[View, Event]) -> Reason:
    return choose(GAME, situation, "medium", Random(1), Budget()).reason


# --- what they know


@pytest.mark.slow
@given(start=starts("presidente"))
def test_hidden_hands_hold_as_many_cards_as_seen_and_those_that_are_known(start: AnyStart) -> None:
    for moment in moments(start):
        known = knowledge_of(moment.situation.view)
        walk = Walk(known, gather(known, moment.situation.history or ()), Random(start.seed))
        for _ in range(3):
            _check_hands(moment, walk.next())


def _check_hands(moment: Moment, hands: Sequence[int]) -> None:
    view, deal = moment.situation.view, moment.deal
    assert tuple(map(int.bit_count, hands)) == view.counts
    assert hands[deal.turn] == deal.hands[deal.turn]
    assert all(not decoded(fact.cards) & ~hands[fact.seat] for fact in view.known)
    lying = [*hands, decoded(view.shown), deal.gone, deal.table.cards if deal.table else 0]
    assert reduce(or_, lying).bit_count() == sum(map(int.bit_count, lying))


@given(start=starts("presidente"))
def test_what_others_have_done_is_read_from_the_events(start: AnyStart) -> None:
    """The hands that they really held make all that they did possible."""
    for moment in moments(start):
        known = knowledge_of(moment.situation.view)
        for seat, deeds in enumerate(gather(known, moment.situation.history or ())):
            for deed in deeds:
                before = moment.deal.hands[seat] | deed.later
                assert deed.done is None or not deed.done.cards & ~before
                assert not before & ~deed.pool


def test_who_passed_on_a_low_card_is_thought_to_hold_no_cheap_answer() -> None:
    """Of two who have answered nothing and everything, the first has fewer cards between the Four and the Ten."""
    deal = GAME.deal(GAME.options(), 3, 2, bytes(32), lambda _seed, _index, cards: Random(5).sample(cards, 52), None)
    low = next(move for move in GAME.moves(deal) if isinstance(move, Play) and len(move.cards) == 1)
    history: list[Event] = []
    for move in (low, Pass()):
        deal, events = GAME.play(deal, move, lambda _seed, _index, cards: list(cards))
        history += events
    assert deal.turn == 2
    known = knowledge_of(GAME.view(deal, 2))
    passing, even = (Walk(known, gather(known, seen), Random(1)) for seen in (history, ()))
    middle = sum(0b1111 << 4 * rank for rank in range(4, 10))
    held = [sum((walk.next()[1] & middle).bit_count() for _ in range(300)) for walk in (passing, even)]
    assert held[0] < held[1] * 0.95


# --- playing on in thought


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_learned_policy_wins_more_than_the_usual_one(seats: int) -> None:
    shares = [share(seed, LEARNED_POLICY, USUAL_POLICY, seats) for seed in range(400)]
    assert sum(shares) / len(shares) > 1 / seats + 0.015


def _fields(deal: Simulation) -> tuple[object, ...]:
    return deal.hands, deal.turn, deal.top, deal.last, deal.inverted, deal.out, deal.sitting_out


@given(start=starts("presidente"))
def test_the_simulation_agrees_with_the_rules(start: AnyStart) -> None:
    played_on: Simulation | None = None
    for step in played_moves(start):
        if isinstance(step.move, Give):
            continue
        played_on = played_on or simulation_of(step.deal)
        played_on.play(combo_of_move(step.move))
        expected = simulation_of(step.following)
        if step.following.turn is None:
            assert (played_on.turn, played_on.out) == (expected.turn, expected.out)
        else:
            assert _fields(played_on) == _fields(expected)


@given(hand=HANDS, top=st.sampled_from(ALL), inverted=st.booleans(), eight=st.booleans())
def test_what_can_be_beaten_is_what_a_hand_of_all_unseen_cards_could_answer(
    hand: int, top: RankedCombination, inverted: bool, eight: bool
) -> None:
    unseen = hand & ~top.cards
    beaten = not (top.cards == 1 << JOKER or (eight and top.has_eight)) and bool(
        answers(unseen, top, inverted=inverted)
    )
    assert beatable(BY_MOVE[top.play], unseen, inverted=inverted, eight=eight) == beaten


@given(hand=HANDS, inverted=st.booleans())
def test_a_plan_takes_the_whole_hand_apart(hand: int, inverted: bool) -> None:
    groups = plan(hand, inverted)
    assert sum(group.cards for group in groups) == hand
    assert sum(group.size for group in groups) == hand.bit_count()


def test_of_many_moves_with_the_joker_few_are_compared() -> None:
    situation = _position("2h 3h 4h 5h 6h 7h 9c 9d Tc Td Js Qs *", "Ks", options={"joker": True})
    legal = GAME.moves(GAME.determinize(situation.view, Random(1)))
    known = knowledge_of(situation.view)
    candidates = [combo for _, combo in promising(known, combos(known, legal))]
    assert len(legal) > 90
    assert len(candidates) == len(set(candidates)) <= MOST


# --- what the network says of choices


@given(start=starts("presidente"))
def test_the_player_values_choices_as_the_training_does(start: AnyStart) -> None:
    trained = Perceptron.of(msgspec.json.decode(NETWORK_FILE.read_bytes(), type=Layers))
    for moment in moments(start):
        if moment.deal.dues:
            continue
        known = knowledge_of(moment.situation.view)
        seen, choices_ = outlook_of(known), combos(known, GAME.moves(moment.deal))
        active = features(seen, choices_)
        assert all(0 <= number < FEATURES for shared, own in active for number in (*shared, *own))
        assert NETWORK.values(seen, choices_) == pytest.approx(trained.values(active).tolist(), abs=1e-3)


@given(start=starts("presidente"))
def test_training_sees_of_a_deal_what_the_seat_sees(start: AnyStart) -> None:
    for moment in moments(start):
        if not moment.deal.dues:
            known = knowledge_of(moment.situation.view)
            left_over = known.unseen & ~sum(moment.deal.hands)
            assert outlook_of(known) == seen_by(simulation_of(moment.deal), left_over)


def test_the_turned_order_has_the_features_of_the_usual_one() -> None:
    hands = ("3c 3d 7s Kh", "5d 9c Td"), ("Jc Jd 7s Ah", "9d 5c 4d")
    usual, turned = (
        _active(_position(*held, inverted=inverted)) for held, inverted in zip(hands, (False, True), strict=True)
    )
    assert usual == turned


def _active(situation: Situation[View, Event]) -> list[tuple[list[int], list[int]]]:
    known = knowledge_of(situation.view)
    legal = combos(known, GAME.moves(GAME.determinize(situation.view, Random(1))))
    return sorted((sorted(shared), sorted(own)) for shared, own in features(outlook_of(known), legal))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("other", [USUAL_POLICY, LEARNED_POLICY])
def test_the_network_alone_wins_more_than_plans_do(seats: int, other: Policy) -> None:
    trained = Perceptron.of(msgspec.json.decode(NETWORK_FILE.read_bytes(), type=Layers))
    share, half = won(trained, other, seats, 120)
    assert share - half > 1 / seats


# --- evident moves


@pytest.mark.parametrize("level", SKILLED)
def test_they_play_what_cannot_be_beaten_before_their_last_low_card(level: ComputerLevel) -> None:
    assert _choice(_position("3c Kh", "Qd 5d 9c", "7h 8h Jd"), level) == Play(("Kh",))


@pytest.mark.parametrize("level", SKILLED)
def test_against_a_single_card_they_do_not_lead_one_that_any_card_beats(level: ComputerLevel) -> None:
    assert _choice(_position("3c 3d 4s Kh", "Td", "Jd Jc Qd 5h 6h"), level) != Play(("4s",))


@pytest.mark.parametrize("level", SKILLED)
def test_they_break_up_kings_to_stop_who_holds_one_card(level: ComputerLevel) -> None:
    situation = _position("4c Kh Ks", "Td", "5d 6d Jd Qd 7c", table={"cards": ["7h"]}, last=1)
    assert _choice(situation, level) in (Play(("Kh",)), Play(("Ks",)))


@pytest.mark.parametrize("level", SKILLED)
def test_they_lead_a_straight_that_nothing_beats_and_then_go_out(level: ComputerLevel) -> None:
    situation = _position("3h 4h 5h 6d", "Ts Jd Qc 2d", "8c 8d Kh Ks")
    assert _choice(situation, level) == Play(("3h", "4h", "5h"))


@pytest.mark.parametrize("level", SKILLED)
def test_under_a_revolution_the_ace_comes_before_the_king(level: ComputerLevel) -> None:
    assert _choice(_position("Ah Kc", "2d 5d 9c", "7h 8h Jd", inverted=True), level) == Play(("Ah",))


@pytest.mark.parametrize("level", SKILLED)
def test_the_tax_takes_low_cards_that_go_with_no_others(level: ComputerLevel) -> None:
    situation = _position(
        "Ah 3c 5d 5s 5c 9h Th Jh Kd Kc", "2c 4c 6d 7d 8s", "2d 3d 6c 7c 8c", dues=[[0, 2, 2]], options={"tax": True}
    )
    assert set(_choice(situation, level).cards) == {"Ah", "3c"}


def test_an_ending_in_which_every_card_is_known_is_never_given_away() -> None:
    """The fours would beat the threes too, and let the sixes take the trick and go out; the eights win."""
    pair = {"table": {"cards": ["3c", "3s"]}, "last": 1}
    situation = _position("2d 2c 4h 4s 8h 8c 8s", "6d 6s", options={"leftovers": "shown"}, **pair)
    assert {code[0] for code in _choice(situation, "hard").cards} == {"8"}


@given(start=starts("presidente"))
def test_a_solved_ending_is_won_against_every_answer(start: AnyStart) -> None:
    """Whatever the other plays, the seat has a winning choice again, down to its last card."""
    for moment in moments(start):
        ending = None if moment.deal.dues else ending_of(knowledge_of(moment.situation.view))
        if ending is not None and sum(map(int.bit_count, ending.hands)) <= 10 and winning(ending, choices(ending)):
            break
    else:
        return
    rng, seat, before = Random(start.seed), ending.turn, len(ending.out)
    while len(ending.out) == before:
        left = winning(ending, choices(ending)) if ending.turn == seat else choices(ending)
        assert left
        ending.play(rng.choice(left))
    assert ending.out[before] == seat


@pytest.mark.parametrize("level", ["easy", *SKILLED])
def test_whoever_can_go_out_does(level: ComputerLevel) -> None:
    situation = _position("Qh Qs", "Td 4c 4d", "5d 6d Jd", table={"cards": ["7h", "7c"]}, last=1)
    assert _choice(situation, level) == Play(("Qh", "Qs"))


def test_a_beginner_does_not_let_who_holds_one_card_go_out() -> None:
    situation = _position("2h Ts Kh", "Td 4c 4d", "5d", table={"cards": ["7h"]}, last=2)
    moves = GAME.moves(GAME.determinize(situation.view, Random(0)))
    assert {easy(situation, moves, Random(seed)) == Pass() for seed in range(20)} == {False}


def test_a_plan_that_ends_on_a_forbidden_card_is_changed_before() -> None:
    situation = _position("8h 8s", "Td 4c 4d", "5d 6d Jd", options={"eight": True, "finish_ban": "eight"})
    assert _choice(situation, "medium") in (Play(("8h",)), Play(("8s",)))


# --- what they say


@pytest.mark.parametrize(
    ("situation", "reason"),
    [
        (_position("Qh Qs", "Td 4c"), Reason("goes_out", {"cards": ["Qh", "Qs"]})),
        (_position("3c Kh", "Qd 5d 9c"), Reason("wins_ending", {"cards": ["Kh"]})),
        (_position("3c 5d Kh", "Qd 9c 2h", "Kd 2c 2s"), Reason("weakest_first", {"cards": ["3c"]})),
        (
            _position("3c 3d 5s 7d", "Qd", "Kd 9h 9s"),
            Reason("longer_than_hands", {"count": 1, "cards": ["3d", "3c"]}),
        ),
    ],
)
def test_a_lead_is_explained_by_what_the_seat_sees(situation: Situation[View, Event], reason: Reason) -> None:
    assert _reason(situation) == reason


def test_a_pass_names_what_it_keeps() -> None:
    situation = _position("2c 4d 5h 7s 9d Kh", "Td 4c 6c 8d Js 3h 9c", "5d 6d Jd Kd", table={"cards": ["Qh"]}, last=1)
    assert _choice(situation, "medium") == Pass()
    assert _reason(situation) == Reason("keeps_strong", {"cards": ["Kh"]})
