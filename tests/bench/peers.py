"""The most similar games of other libraries that implement rules: RLCard in Python, OpenSpiel in C++.

They are measured only if the dependency group `bench` is installed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

MODULES = {"RLCard": "rlcard", "OpenSpiel": "pyspiel"}

SPIEL_GAMES = ("crazy_eights", "gin_rummy", "hearts", "dou_dizhu")


def missing() -> list[str]:
    """Return the engines that are not installed."""
    return [name for name, module in MODULES.items() if find_spec(module) is None]


def peers() -> Iterator[tuple[str, Callable[[Random], int]]]:
    """Yield each game of the installed engines, with a function that plays a random deal."""
    if find_spec("rlcard"):
        yield "RLCard uno", partial(_uno, import_module("rlcard.games.uno").Game)
        yield "RLCard gin-rummy", partial(_gin_rummy, import_module("rlcard.games.gin_rummy").Game)
        yield "RLCard doudizhu", partial(_doudizhu, import_module("rlcard.games.doudizhu").Game)
    if find_spec("pyspiel"):
        for name in SPIEL_GAMES:
            yield f"OpenSpiel {name}", partial(_spiel, import_module("pyspiel").load_game(name))


def _uno(make: Callable[[], Any], rng: Random) -> int:
    game, count = make(), 0
    game.init_game()
    while not game.is_over():
        game.step(_any(game.get_legal_actions(), rng))
        count += 1
    return count


def _gin_rummy(make: Callable[[], Any], rng: Random) -> int:
    game, count = make(), 0
    game.init_game()
    while not game.is_over():
        game.step(_any(game.judge.get_legal_actions(), rng))
        count += 1
    return count


def _doudizhu(make: Callable[[], Any], rng: Random) -> int:
    game, count = make(), 0
    state, _ = game.init_game()
    while not game.is_over():
        state, _ = game.step(_any(state["actions"], rng))
        count += 1
    return count


def _spiel(game: Any, rng: Random) -> int:
    """Play a random deal in OpenSpiel.

    Chance nodes (dealt cards) take time too, but only the players' moves are counted.
    """
    state, count = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            state.apply_action(_any(state.legal_actions(), rng))
            count += 1
    return count


def _any(moves: Any, rng: Random) -> Any:
    return moves[int(rng.random() * len(moves))]
