"""Ramino: random deals agree with all facts that events prove about hidden cards."""

from collections import Counter
from random import Random

import pytest

from locanda.games.ramino.deal import unpacked
from locanda.games.ramino.types import (
    DealState,
)
from tests.games.ramino.game import GAME, PLAYERS
from tests.games.ramino.written_deals import Moment, restocked


def _contradictions(moment: Moment, drawn: DealState) -> list[str]:
    """Return the cards of a random deal that are in places where they cannot be."""
    wrong = []
    if GAME.view(drawn, moment.deal.turn) != moment.situation.view:
        wrong.append("the view differs")
    foreign = Counter(drawn.stock) - moment.stock
    if foreign.total() > moment.unnamed:
        wrong.append(f"never put into the stock: {foreign}")
    for seat, hand in enumerate(drawn.hands):
        unseen = Counter(unpacked(hand - moment.deal.known[seat]))
        from_stock = [card for card in unseen.elements() if moment.stock[card] == 2]
        if seat != moment.deal.turn and len(from_stock) > moment.drawn[seat]:
            wrong.append(f"drawn by seat {seat} in {moment.drawn[seat]} draws: {from_stock}")
    return wrong


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_drawn_deal_contradicts_where_the_cards_of_the_stock_came_from(seats: int) -> None:
    rng, seen = Random(1), 0
    for seed in range(4):
        for number, moment in enumerate(restocked({"idle_rounds": 25}, seats, seed)):
            if number % 3 == 0:
                assert _contradictions(moment, PLAYERS.sample(moment.situation, rng)) == []
                seen += 1
    assert seen > 20
