"""The options of Diavoletto, alone and together."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from services.engine.fairness import shuffle
from services.engine.games.diavoletto import DIAVOLETTO
from shared.games.diavoletto import Options
from tests.engine.games.diavoletto import greedy, lost_cards, most_moves, obstinate, stingy
from tests.engine.games.golden import Variant, stored
from tests.engine.games.golden.diavoletto import NAME, played


def _pairs(options: dict[str, Any]) -> set[tuple[tuple[str, Any], ...]]:
    return set(combinations(sorted(options.items()), 2))


def _covering() -> Iterator[dict[str, Any]]:
    """Yield options until every value of each has met every value of every other."""
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
        deal, rng, count = DIAVOLETTO.deal(chosen, 2, 0, bytes(32), shuffle, None), Random(number), 0
        bound = most_moves(deal)
        while moves := DIAVOLETTO.moves(deal):
            deal, _ = DIAVOLETTO.play(deal, choose(rng, deal, moves), shuffle)
            count += 1
            assert lost_cards(deal) == []
        assert count <= bound
        result = DIAVOLETTO.result(deal)
        assert result is not None
        assert (result.reason == "emptied") == (b"" in deal.mazzetti)


@pytest.mark.parametrize("kept", [*stored(NAME)], ids=lambda kept: str(kept.options))
def test_deals_played_to_win_end_as_they_always_did(kept: Variant) -> None:
    assert played(kept.options) == kept


@pytest.mark.parametrize(("deals", "played_so_far", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_as_many_deals_as_its_option_says(deals: int, played_so_far: int, over: bool) -> None:
    assert DIAVOLETTO.match_over(Options(deals=deals), played_so_far, (1, 0)) is over
