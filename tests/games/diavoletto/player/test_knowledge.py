"""Diavoletto: facts about hidden cards that events prove, and the input of planning."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from locanda.games.diavoletto.player.knowledge import step_of
from locanda.games.diavoletto.types import Build, Options
from services.engine.table.fairness import shuffle
from tests.bench.diavoletto_position import Position
from tests.games.diavoletto.game import GAME, PLAYERS
from tests.games.diavoletto.random_play import ALL_OPTIONS, Moment, contradictions, moments
from tests.games.diavoletto.subject import lost_cards
from tests.games.moments import moments as moments_of
from tests.games.subjects import AnyStart


def test_aces_that_neither_the_hands_nor_the_stock_can_hold_lie_in_a_mazzetto() -> None:
    options = Options(
        max_piles=4,
        deadlock="count",
        no_progress_turns=59,
        discard_order="descending",
        joker_discard=False,
        mazzetto_size=13,
    )
    greedy = AnyStart("diavoletto", options, 2, 0, (59).to_bytes(32, "big"), ((1,), (0,)), ("greedy", "greedy"))
    rng = Random(1)
    for played_moment in moments_of(greedy):
        moment = Moment(played_moment.deal, tuple(played_moment.situation.history or ()))
        for _ in range(3):
            drawn = PLAYERS.sample(moment.situation, rng)
            assert contradictions(moment, drawn) == []
            assert lost_cards(drawn) == []


def test_after_a_long_deal_the_other_hand_is_sometimes_known_for_sure() -> None:
    sizes = []
    for moment in islice(moments(3), 0, None, 4):
        hands = {PLAYERS.sample(moment.situation, Random(chance)).hands[1 - moment.turn] for chance in range(3)}
        sizes.append((len(moment.deal.hands[1 - moment.turn]), len(hands)))
    assert any(size and hands == 1 for size, hands in sizes)


def _in_order(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    """Reorder cards by their positions only, so that their suits make no difference."""
    return list(cards[1::2]) + list(cards[::2])


def _ranks(position: Position) -> list[Any]:
    return [
        position.turn,
        position.hands,
        position.mazzetti,
        position.columns,
        sorted(position.builds),
        sorted(position.aside),
        len(position.stock),
        position.stalled,
        position.barren,
        position.moved,
        position.advanced,
        position.refills,
        position.redeals,
    ]


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_a_play_out_in_ranks_follows_the_rules(options: Options) -> None:
    for seed in range(3):
        rng = Random(seed)
        deal = GAME.deal(options, 2, 0, rng.randbytes(32), shuffle, None)
        position = Position(deal)
        while deal.turn is not None:
            moves = GAME.moves(deal)
            builds = [move for move in moves if isinstance(move, Build)]
            move = rng.choice(builds if builds and rng.random() < 0.8 else moves)
            step = step_of(move, GAME.view(deal, deal.turn))
            deal, _ = GAME.play(deal, move, _in_order)
            position.play(step, lambda pile: bytes(_in_order(b"", 0, pile)))
            assert _ranks(position) == _ranks(Position(deal))
        assert position.turn is None
        best = GAME.score(deal).ranking[0]
        assert position.win(0) == (1 / len(best) if 0 in best else 0.0)
