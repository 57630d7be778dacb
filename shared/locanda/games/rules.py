"""The rules of every game: the functions and types that `Game` names, gathered from the files where games have them."""

from typing import Any

from locanda.games.game import AnyGame, Game
from locanda.games.registry import has_part, of_each_game, part

FILES = {
    "types": {
        "name": "NAME",
        "rules": "RULES",
        "options": "Options",
        "move_type": "Move",
        "wire_type": "Deal",
        "view_type": "View",
        "event_type": "Event",
        "deck": "DECK",
        "fewest_wins": "FEWEST_WINS",
    },
    "deal": {
        "deal_type": "DealState",
        "players": "PLAYERS",
        "suggested": "SUGGESTED",
        "seats": "seats",
        "deal": "deal",
    },
    "moves": {"moves": "moves", "check": "check", "eagerness": "eagerness"},
    "play": {"play": "play", "score": "score", "match_over": "match_over"},
    "view": {"view": "view", "determinize": "determinize"},
    "wire": {"to_wire": "to_wire", "from_wire": "from_wire"},
}
"""By the module of a game and the field of `Game`, the name there. A short game has all but its types in `rules`."""
OPTIONAL = {"eagerness", "match_over"}
"""What `Game` has for games that do without."""


def _gathered(name: str) -> AnyGame:
    short = has_part(name, "rules")
    fields: dict[str, Any] = {}
    for file, names in FILES.items():
        module = part(name, "rules" if short and file != "types" else file)
        fields |= {
            field: getattr(module, found)
            for field, found in names.items()
            if field not in OPTIONAL or hasattr(module, found)
        }
    part(name, "texts")  # of an installed game, before anybody is offered it
    return Game(**fields)


GAMES: dict[str, AnyGame] = of_each_game(_gathered)
"""By name, in the order of the catalogue; without installed games that lack something."""
