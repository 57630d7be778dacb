"""Writes the golden play-throughs anew: `python -m tests.engine.games.golden`."""

from services.engine.games import GAMES
from tests.engine.games.golden import store

for game in GAMES:
    store(game)
