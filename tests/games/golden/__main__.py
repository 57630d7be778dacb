"""Writes the golden play-throughs anew: `python -m tests.games.golden`."""

from locanda.games.rules import GAMES
from tests.games.golden import store

for game in GAMES:
    store(game)
