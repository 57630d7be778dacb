"""The rules of today give yesterday's results: a deal under way does not change under its players' hands."""

from itertools import zip_longest

import pytest

from services.engine.games.registry import GAMES
from tests.engine.games.golden import VARIANTS, Variant, played, stored

KEPT = [(game, variant) for game in VARIANTS for variant in stored(game)]


@pytest.mark.parametrize(("game", "kept"), KEPT, ids=[f"{game}-{kept.seats}-{kept.options}" for game, kept in KEPT])
def test_deals_end_as_they_always_did(game: str, kept: Variant) -> None:
    assert played(GAMES[game], kept) == kept


def test_every_variant_of_every_game_is_kept() -> None:
    assert set(VARIANTS) == set(GAMES)
    for game, variants in VARIANTS.items():
        for variant, kept in zip_longest(variants, stored(game)):
            assert (variant.options, variant.seats) == (kept.options, kept.seats)
