"""Diavoletto: drawing, shuffling, and the end, with single and combined options."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.base import DealOver, Result
from locanda.games.diavoletto.deal import CODES
from locanda.games.diavoletto.types import Build, Discard, Options
from locanda.testing.golden import Variant, stored
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.played_to_win import PLAYED_TO_WIN, played
from tests.games.diavoletto.subject import greedy, lost_cards, most_moves, obstinate, posted, run, stingy


def test_d10_recycled_cards_go_under_the_stock() -> None:
    deal = posted(hands=[["9d"], []], aside=["Kh", "Qh"], stock=["2h", "3h"])
    deal, _ = GAME.play(deal, Discard("9d", 0), lambda seed, index, cards: sorted(cards))
    assert set(GAME.to_wire(deal).hands[1]) == {"2h", "3h", "Kh", "Qh"}
    deal = posted(hands=[["9d"], []], aside=["Kh", "Qh", "Jh", "Th"], stock=["2h", "3h"])
    deal, _ = GAME.play(deal, Discard("9d", 0), lambda seed, index, cards: sorted(cards))
    assert (GAME.to_wire(deal).stock, deal.shuffles) == (("Th",), 1)


def test_the_order_of_the_cards_set_aside_has_no_influence() -> None:
    aside = ["Kh", "Qh", "Jh", "Th", "9h", "8h", "7h"]
    deals = [posted(hands=[["9d"], []], aside=order, stock=["2h"]) for order in (aside, aside[::-1])]
    assert len({run(deal, Discard("9d", 0))[0].stock for deal in deals}) == 1


def test_each_shuffle_has_a_number_of_its_own() -> None:
    start = posted(hands=[["9d"], ["8h", "7h", "6h", "5h"]], aside=["Kh", "Qh", "Jh", "Th"], shuffles=3)
    deal, _ = run(start, Discard("9d", 0))
    assert deal.shuffles == 4


def test_no_turn_is_endless() -> None:
    """Every drawn card can be played at once, so the hand is refilled again and again, until the limit on refills."""
    stock = ["Kh", "Qh", "Jh", "Th", "9h", "8h", "7h", "6h", "5h", "4h", "3h"]
    deal = posted(hands=[["2h"], ["Kc"]], builds=[["Ah"]], stock=stock, options={"no_progress_turns": 3})
    for code in ("2h", *stock[:1:-1]):
        deal, _ = run(deal, Build("hand", code, None, 0))
        assert deal.turn == 0
    deal, events = run(deal, Build("hand", "Qh", None, 0))
    assert (deal.turn, deal.stock) == (None, bytes([CODES.index("Kh")]))
    assert events[-1] == DealOver(Result(((0, 1),), (0, 0), "deadlock"))


def _pairs(options: dict[str, Any]) -> set[tuple[tuple[str, Any], ...]]:
    return set(combinations(sorted(options.items()), 2))


def _covering() -> Iterator[dict[str, Any]]:
    """Yield combinations of options that cover every pair of values of two options."""
    values: dict[str, list[Any]] = {
        "max_piles": [None, 4, 3],
        "start_tie": ["reshuffle", "random"],
        "deadlock": ["count", "draw", "redeal"],
        "no_progress_turns": [1, 12, 100],
        "discard_order": ["free", "descending"],
        "joker_discard": [True, False],
        "mazzetto_size": [26, 20, 13],
        "score": ["win", "cards_left"],
    }
    missing = set[tuple[tuple[str, Any], ...]]()
    missing.update(
        *(_pairs({a: x, b: y}) for a, b in combinations(values, 2) for x, y in product(values[a], values[b]))
    )
    rng = Random(0)
    while missing:
        tries = [{name: rng.choice(choices) for name, choices in values.items()} for _ in range(50)]
        best = max(tries, key=lambda options: len(_pairs(options) & missing))
        missing -= _pairs(best)
        yield best


@pytest.mark.parametrize("options", [*_covering()], ids=str)
def test_every_pair_of_options_plays_to_an_end(options: dict[str, Any]) -> None:
    chosen = msgspec.convert(options, Options)
    for number, choose in enumerate((greedy, obstinate, stingy)):
        deal, rng, count = GAME.deal(chosen, 2, 0, bytes(32), shuffle, None), Random(number), 0
        bound = most_moves(deal)
        while moves := GAME.moves(deal):
            deal, _ = GAME.play(deal, choose(rng, deal, moves), shuffle)
            count += 1
            assert lost_cards(deal) == []
        assert count <= bound
        result = GAME.result(deal)
        assert result is not None
        assert (result.reason == "emptied") == (b"" in deal.mazzetti)


@pytest.mark.parametrize("kept", stored(PLAYED_TO_WIN), ids=lambda kept: str(kept.options))
def test_deals_played_to_win_end_as_they_always_did(kept: Variant) -> None:
    assert played(kept.options) == kept


@pytest.mark.parametrize(("deals", "played_so_far", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_the_number_of_deals_of_its_option(deals: int, played_so_far: int, over: bool) -> None:
    assert GAME.match_over(Options(deals=deals), played_so_far, (1, 0)) is over
