"""Ramino: facts that events prove about hidden cards."""

from random import Random

from tests.games.ramino.game import PLAYERS
from tests.games.ramino.written_deals import restocked


def test_the_order_of_a_stock_that_was_turned_over_is_known() -> None:
    rng, seen = Random(2), 0
    for moment in restocked({"stock_end": "turn_over", "idle_rounds": 25}, 3, 5):
        assert PLAYERS.sample(moment.situation, rng).stock[-5:] == moment.deal.stock[-5:]
        seen += len(moment.deal.stock) > 5
    assert seen > 5
