"""The rules of every game: the functions that `Game` names, from the game's files or made of what it declares."""

from typing import Any

from locanda.games.conversions import determinizer, own_hand, viewer, writer
from locanda.games.game import AnyGame, Game
from locanda.games.installed import UnfitGameError
from locanda.games.posted import reader
from locanda.games.registry import WIRE_TYPES, has_part, of_each_game, part
from locanda.texts.games import missing_texts

FILES = ("rules", "deal", "moves", "play", "view")
"""The modules of a game's rules; a short game has `rules` alone, another one the others."""
FUNCTIONS = ("deal", "moves", "check", "play", "score")
"""The fields of `Game` that every game has under the same names."""
OPTIONAL = ("eagerness", "match_over")
"""Those that some have."""


def _gathered(name: str) -> AnyGame:
    types, found = WIRE_TYPES[name], _rules_of(name)
    state, view, wire = types.DealState, types.View, types.Deal
    players, pack, shown = found["PLAYERS"], found["cards_in_play"], found.get("SHOWN", {})
    seats = found.get("seats", lambda _options: players)
    if missing := missing_texts(name):  # of an installed game, before anybody is offered it
        raise UnfitGameError(f"its texts have no {', '.join(missing)}")
    return Game(
        name=types.NAME,
        rules=types.RULES,
        options=types.Options,
        deal_type=state,
        move_type=types.Move,
        wire_type=wire,
        view_type=view,
        event_type=types.Event,
        deck=types.DECK,
        players=players,
        suggested=found.get("SUGGESTED", players),
        fewest_wins=types.FEWEST_WINS,
        seats=seats,
        view=viewer(state, view, shown),
        determinize=found.get("determinize") or determinizer(state, view, pack, found.get("known_cards", own_hand)),
        to_wire=writer(state, wire, shown),
        from_wire=reader(state, wire, seats, pack, found.get("checked", _unchecked)),
        **{each: found[each] for each in FUNCTIONS},
        **{each: found[each] for each in OPTIONAL if each in found},
    )


def _rules_of(name: str) -> dict[str, Any]:
    """Return what the modules of a game's rules define, by name. Raises `UnfitGameError` where something is missing."""
    found: dict[str, Any] = {}
    for file in FILES:
        if has_part(name, file):
            found |= vars(part(name, file))
    if missing := [each for each in (*FUNCTIONS, "PLAYERS", "cards_in_play") if each not in found]:
        raise UnfitGameError(f"its rules have no {', '.join(missing)}")
    return found


def _unchecked(deal: Any, _posted: Any) -> Any:  # noqa: ANN401  (any game's)
    """Return a posted deal, of which a game without `checked` demands no more."""
    return deal


GAMES: dict[str, AnyGame] = of_each_game(_gathered)
"""By name, in the order of the catalogue; without installed games that lack something."""
