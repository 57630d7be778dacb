"""The worked positions hold, each a ruling of its own."""

import pytest

from services.engine.games.registry import GAMES
from tests.engine.games.positions import Position, positions, verify
from tests.engine.games.stateless import ask

POSITIONS = [pytest.param(position, id=f"{game}-{position.id}") for game in GAMES for position in positions(game)]


@pytest.mark.parametrize("position", POSITIONS)
async def test_position(position: Position) -> None:
    await verify(position, ask)


@pytest.mark.parametrize("game", GAMES)
def test_position_ids_are_unique(game: str) -> None:
    ids = [position.id for position in positions(game)]
    assert len(ids) == len(set(ids))
