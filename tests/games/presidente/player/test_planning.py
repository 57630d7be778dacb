"""Presidente: plans for getting rid of a hand."""

from hypothesis import given
from hypothesis import strategies as st

from locanda.games.presidente.player.planning import plan
from locanda.games.presidente.types import Play
from tests.games.presidente.situations import HANDS, choice, position


@given(hand=HANDS, inverted=st.booleans())
def test_a_plan_takes_the_whole_hand_apart(hand: int, inverted: bool) -> None:
    groups = plan(hand, inverted)
    assert sum(group.cards for group in groups) == hand
    assert sum(group.size for group in groups) == hand.bit_count()


def test_a_plan_that_ends_on_a_forbidden_card_is_changed_before() -> None:
    situation = position("8h 8s", "Td 4c 4d", "5d 6d Jd", options={"eight": True, "finish_ban": "eight"})
    assert choice(situation, "medium") in (Play(("8h",)), Play(("8s",)))
