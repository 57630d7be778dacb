"""Presidente: the simulation agrees with the rules."""

from hypothesis import given
from hypothesis import strategies as st

from locanda.games.presidente.deal import ALL
from locanda.games.presidente.fast import BY_MOVE, Simulation, beatable, combo_of_move, simulation_of
from locanda.games.presidente.moves import answers
from locanda.games.presidente.types import JOKER, Give, RankedCombination
from tests.games.presidente.situations import HANDS
from tests.games.subjects import AnyStart, played_moves, starts


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
