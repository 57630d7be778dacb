"""The computer players of every game: the `PLAYERS` of its package here, or generic ones where it has none."""

from importlib import import_module
from importlib.util import find_spec

from services.engine.games.registry import GAMES
from services.engine.players.base import AnyPlayers
from services.engine.players.generic import players_for


def _players(name: str) -> AnyPlayers:
    package = f"services.engine.players.{name}"
    if find_spec(package) is None:
        return players_for(GAMES[name])
    players: AnyPlayers = import_module(package).PLAYERS
    return players


PLAYERS: dict[str, AnyPlayers] = {name: _players(name) for name in GAMES}
