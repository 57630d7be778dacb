"""Ramino: new stocks, the ends of deals and matches, and events."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, Literal

import msgspec
import pytest

from locanda.cards.cuccu import CODES
from locanda.games.base import Result
from locanda.games.ramino.play import MOST_DEALS
from locanda.games.ramino.types import (
    Attach,
    Attached,
    DealOver,
    Discard,
    Discarded,
    Drew,
    Meld,
    Melded,
    Options,
    Restocked,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME
from tests.games.ramino.posted_deals import STOCK, TAKE, play, read


def test_each_new_stock_is_a_shuffle_of_its_own() -> None:
    shuffles = []

    def shuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        shuffles.append((seed, index, [CODES[card] for card in cards]))
        return list(cards)

    deal = read(hands=[["V", "X"], ["I", "II"]], discards=["VI", "VII", "VIII"], shuffles=3, seed="ab" * 32)
    deal, _ = GAME.play(deal, STOCK, shuffled)
    assert shuffles == [(b"\xab" * 32, 3, ["VI", "VII"])]
    assert GAME.to_wire(deal).shuffles == 4


def test_players_who_let_nothing_go_down_are_stopped_after_ten_rounds() -> None:
    deal, turns = GAME.deal(Options(), 3, 0, bytes(32), shuffle, None), 0
    while deal.turn is not None:
        draw_or_throw = GAME.moves(deal)[-1]
        turns += isinstance(draw_or_throw, Discard)
        deal, _ = GAME.play(deal, draw_or_throw, shuffle)
    assert turns == 30
    assert GAME.result(deal) == GAME.result(GAME.from_wire(GAME.to_wire(deal)))


STOCK_ENDS: list[Literal["shuffle", "turn_over", "block"]] = ["shuffle", "turn_over", "block"]
SCORES: list[Literal["count", "void"]] = ["count", "void"]
SWITCHES = list(product((False, True), repeat=3))


def _all_options() -> Iterator[Options]:
    """Yield every combination of the options that affect a deal, with few, the usual and many idle rounds."""
    for switches, stock_end, score, rounds in product(SWITCHES, STOCK_ENDS, SCORES, (1, 10, 50)):
        taken, double, long = switches
        yield Options(
            return_taken=taken,
            ramino_double=double,
            long_scala=long,
            stock_end=stock_end,
            blocked_score=score,
            idle_rounds=rounds,
        )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_deal_ends_under_all_options_together(seats: int) -> None:
    for number, options in enumerate(_all_options()):
        rng = Random(number)
        deal = GAME.deal(options, seats, 0, rng.randbytes(32), shuffle, None)
        while deal.turn is not None:
            deal, _ = GAME.play(deal, rng.choice(GAME.moves(deal)), shuffle)
        result = GAME.result(deal)
        assert result is not None
        assert (result.reason == "blocked") == all(GAME.view(deal, None).counts)


@pytest.mark.parametrize(
    ("options", "deals", "points", "over"),
    [
        ({}, 5, (100, 3), False),
        ({}, 5, (101, 3), True),
        ({}, 5, (160, 120, 130), True),
        ({}, 500, (100, 3), False),
        ({"target": 50}, 2, (49, 50), True),
        ({}, 5, (105, 20, 20), True),
        ({"final_tie": "extra_deal"}, 5, (105, 20, 20), False),
        ({"final_tie": "extra_deal"}, 5, (105, 105, 20), True),
        ({"final_tie": "extra_deal"}, MOST_DEALS, (105, 20, 20), True),
        ({"blocked_score": "void"}, MOST_DEALS - 1, (0, 0), False),
        ({"blocked_score": "void"}, MOST_DEALS, (0, 0), True),
    ],
)
def test_the_match_ends_at_the_target(options: dict[str, Any], deals: int, points: tuple[int, ...], over: bool) -> None:
    assert GAME.match_over(msgspec.convert(options, Options), deals, points) is over


def test_the_event_of_a_draw_from_the_stock_names_no_card() -> None:
    _, events = play(read(hands=[["V"], ["I"]], stock=["X"], discards=["II"]), STOCK)
    assert events == [Drew(0, "stock", None)]


def test_the_event_of_a_draw_from_the_discards_names_the_card() -> None:
    _, events = play(read(hands=[["V"], ["I"]], stock=["X"], discards=["II"]), TAKE)
    assert events == [Drew(0, "discards", "II")]
    assert msgspec.json.encode(events) == b'[{"type":"drew","seat":0,"from":"discards","card":"II"}]'


def test_the_event_of_a_new_stock_comes_before_the_draw() -> None:
    _, events = play(read(hands=[["V"], ["I"]], discards=["II", "III", "X"]), STOCK)
    assert events == [Restocked(2), Drew(0, "stock", None)]


def test_melds_attached_cards_and_discards_have_events() -> None:
    deal = read(hands=[["V", "VI", "VII", "VIII", "X", "XI"], ["I", "II"]])
    deal, events = play(deal, Meld(("VII", "V", "VI")))
    assert events == [Melded(0, ("V", "VI", "VII"))]
    deal, events = play(deal, Attach("VIII", 0))
    assert events == [Attached(0, "VIII", 0, ("V", "VI", "VII", "VIII"))]
    _, events = play(deal, Discard("X"))
    assert events == [Discarded(0, "X")]


def test_the_event_of_the_end_shows_all_hands() -> None:
    _, events = play(read(hands=[["V"], ["X", "I"]], opened=[True, False]), Discard("V"))
    assert events == [Discarded(0, "V"), DealOver(Result(((0,), (1,)), (0, 11), "closed"), 0, ((), ("I", "X")))]
