"""Cards inside are numbers, outside codes: each spells the other."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from services.engine.games.presidente import cards as presidente
from services.engine.games.ramino import counts as ramino
from shared.cuccu import CARDS, PACK


@given(st.sets(st.integers(0, presidente.JOKER)))
def test_a_set_of_french_cards_is_spelt_in_order(cards: set[int]) -> None:
    told = presidente.codes(sum(1 << card for card in cards))
    assert told == tuple(presidente.CODES[card] for card in sorted(cards))


@given(st.lists(st.sampled_from(PACK)).map(lambda cards: Counter(cards) & Counter(PACK)))
def test_cards_of_the_cuccu_deck_are_spelt_in_order_and_as_often_as_they_are_there(held: Counter[int]) -> None:
    told = ramino.codes(ramino.packed(held.elements()))
    assert [CARDS[code] for code in told] == sorted(held.elements())
    assert list(ramino.unpacked(ramino.packed(held.elements()))) == sorted(held.elements())
