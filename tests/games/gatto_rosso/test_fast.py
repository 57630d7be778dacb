"""Gatto Rosso Gatto Grigio: the simulator follows the rules."""

from typing import Any

from locanda.cards import members
from locanda.games.gatto_rosso.fast import NOBODY, Position, rules_of
from locanda.games.gatto_rosso.player.heuristic import card_of
from services.engine.table.fairness import shuffle
from tests.games.gatto_rosso.game import GAME
from tests.games.gatto_rosso.random_play import EVERY_TABLE, positions


@EVERY_TABLE
def test_the_simulator_follows_the_rules(options: dict[str, Any], players: int) -> None:
    for seed in range(3):
        simulated, after = None, None
        for deal, _, move in positions(options, players, seed):
            if simulated is None:
                simulated = Position(rules_of(deal.options), list(deal.hands), deal.stock, list(deal.captured))
                simulated.turn = deal.turn or 0
            assert _public(simulated) == (deal.turn, deal.hands, deal.captured, len(deal.stock), len(deal.table))
            assert [card for card in map(card_of, GAME.moves(deal)) if card >= 0] == members(simulated.legal())
            simulated.move(card_of(move))
            after, _ = GAME.play(deal, move, shuffle)
        assert simulated is not None
        assert after is not None
        assert simulated.turn == NOBODY
        assert tuple(simulated.captured) == after.captured


def _public(position: Position) -> tuple[object, ...]:
    return position.turn, tuple(position.hands), tuple(position.captured), position.left, position.pile
