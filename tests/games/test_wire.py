"""Card codes on the wire: hands of each deck are listed in order, with repeated cards."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from locanda.cards.cuccu import CARDS, PACK
from locanda.games.presidente import deal as presidente
from locanda.games.presidente import types
from locanda.games.ramino import deal as ramino
from locanda.games.ramino.types import packed


@given(st.sets(st.integers(0, types.JOKER)))
def test_a_set_of_french_cards_is_spelt_in_order(cards: set[int]) -> None:
    spelled = presidente.codes(sum(1 << card for card in cards))
    assert spelled == tuple(presidente.CODES[card] for card in sorted(cards))


@given(st.lists(st.sampled_from(PACK)).map(lambda cards: Counter(cards) & Counter(PACK)))
def test_cards_of_the_cuccu_deck_are_spelt_in_order_and_as_often_as_they_are_there(held: Counter[int]) -> None:
    spelled = ramino.codes(packed(held.elements()))
    assert [CARDS[code] for code in spelled] == sorted(held.elements())
    assert list(ramino.unpacked(packed(held.elements()))) == sorted(held.elements())
