"""The worked positions of the games, by name."""

from functools import cache
from pathlib import Path

from locanda.testing.position import WorkedPosition
from locanda.testing.positions import read_positions, verify

__all__ = ["WorkedPosition", "positions", "verify"]


@cache
def positions(game: str) -> tuple[WorkedPosition, ...]:
    """Return the worked positions of a game."""
    return read_positions(Path(__file__).parent / game)
