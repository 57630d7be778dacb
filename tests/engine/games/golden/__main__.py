"""Writes the golden play-throughs anew: `python -m tests.engine.games.golden`."""

from tests.engine.games.golden import VARIANTS, store

for game in VARIANTS:
    store(game)
