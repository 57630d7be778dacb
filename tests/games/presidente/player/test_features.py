"""Presidente: the network's features of a choice."""

from random import Random

from hypothesis import given

from locanda.games.players import Situation
from locanda.games.presidente.fast import simulation_of
from locanda.games.presidente.player.features import features, outlook_of
from locanda.games.presidente.player.knowledge import knowledge_of
from locanda.games.presidente.player.search import combos
from locanda.games.presidente.types import Event, View
from tests.bench.presidente_network import seen_by
from tests.games.moments import moments
from tests.games.presidente.game import GAME
from tests.games.presidente.situations import position
from tests.games.subjects import AnyStart, starts


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
        _active(position(*held, inverted=inverted)) for held, inverted in zip(hands, (False, True), strict=True)
    )
    assert usual == turned


def _active(situation: Situation[View, Event]) -> list[tuple[list[int], list[int]]]:
    known = knowledge_of(situation.view)
    legal = combos(known, GAME.moves(GAME.determinize(situation.view, Random(1))))
    return sorted((sorted(shared), sorted(own)) for shared, own in features(outlook_of(known), legal))
