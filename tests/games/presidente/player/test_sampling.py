"""Presidente: random hidden hands agree with known facts, and explain the other seats' moves."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from random import Random

import pytest
from hypothesis import given

from locanda.games.base import Pass
from locanda.games.presidente.deal import decoded
from locanda.games.presidente.player.knowledge import knowledge_of
from locanda.games.presidente.player.sampling import Walk, gather
from locanda.games.presidente.types import Event, Play
from tests.games.moments import Moment, moments
from tests.games.presidente.game import GAME
from tests.games.subjects import AnyStart, starts


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
    """The hands that the others really hold explain all their moves."""
    for moment in moments(start):
        known = knowledge_of(moment.situation.view)
        for seat, deeds in enumerate(gather(known, moment.situation.history or ())):
            for deed in deeds:
                before = moment.deal.hands[seat] | deed.later
                assert deed.done is None or not deed.done.cards & ~before
                assert not before & ~deed.pool


def test_who_passed_on_a_low_card_is_thought_to_hold_no_cheap_answer() -> None:
    """A player who never answered has on average fewer cards from Four to Ten than a player who always answered."""
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
