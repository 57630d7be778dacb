"""The rules of today give yesterday's results: a deal under way does not change under its players' hands."""

import pytest

from services.engine.games.registry import GAMES
from tests.engine.games.golden import Variant, played, stored, variants

KEPT = [(game, variant) for game in GAMES for variant in stored(game)]


@pytest.mark.parametrize(("game", "kept"), KEPT, ids=[f"{game}-{kept.seats}-{kept.options}" for game, kept in KEPT])
def test_deals_end_as_they_always_did(game: str, kept: Variant) -> None:
    assert played(GAMES[game], kept) == kept


@pytest.mark.parametrize("game", GAMES)
def test_every_main_variant_is_kept(game: str) -> None:
    assert [(kept.options, kept.seats) for kept in stored(game)] == [(v.options, v.seats) for v in variants(game)]
