"""The default computer player, which prefers moves by `eagerness` only."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from locanda.games import choosing
from locanda.games.diavoletto import types as diavoletto
from locanda.games.game import AnyGame
from locanda.games.ramino import types as ramino
from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME as DIAVOLETTO
from tests.games.ramino.game import GAME as RAMINO


def _chosen(game: AnyGame, seed: int, chance: int = 0) -> Iterator[tuple[Any, Any]]:
    """Yield every position of a deal between default players, and the move chosen in it."""
    rng = Random(chance)
    deal = game.deal(game.options(), min(game.players), 0, seed.to_bytes(32, "big"), shuffle, None)
    while (turn := deal.turn) is not None:
        move = choosing.choose_plainly(game, game.view(deal, turn), rng)
        yield deal, move
        deal, _ = game.play(deal, move, shuffle)


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_by_the_rules(name: str) -> None:
    for deal, move in _chosen(GAMES[name], 1):
        assert GAMES[name].check(deal, move) is None


@pytest.mark.parametrize("name", GAMES)
def test_the_same_chance_makes_the_same_choices(name: str) -> None:
    assert list(_chosen(GAMES[name], 2)) == list(_chosen(GAMES[name], 2))


@pytest.mark.parametrize("name", GAMES)
def test_other_chance_makes_other_choices(name: str) -> None:
    assert list(_chosen(GAMES[name], 3, chance=1)) != list(_chosen(GAMES[name], 3, chance=2))


def test_in_ramino_it_lays_down_what_it_can() -> None:
    laying = (ramino.Meld, ramino.Attach)
    plays = [(deal, move) for seed in range(20) for deal, move in _chosen(RAMINO, seed)]
    could = [move for deal, move in plays if any(isinstance(other, laying) for other in RAMINO.moves(deal))]
    assert could
    assert all(isinstance(move, laying) for move in could)


def test_in_diavoletto_it_builds_first_and_from_the_mazzetto_before_all() -> None:
    for deal, move in _chosen(DIAVOLETTO, 5):
        legal = DIAVOLETTO.moves(deal)
        builds = [other for other in legal if isinstance(other, diavoletto.Build)]
        if any(other.source == "mazzetto" for other in builds):
            assert isinstance(move, diavoletto.Build)
            assert move.source == "mazzetto"
        elif builds:
            assert isinstance(move, diavoletto.Build)


@pytest.mark.slow
def test_two_of_them_seldom_get_stuck_in_diavoletto() -> None:
    ends = []
    for seed in range(20):
        *_, (last, move) = _chosen(DIAVOLETTO, seed)
        result = DIAVOLETTO.result(DIAVOLETTO.play(last, move, shuffle)[0])
        ends.append(result and result.reason)
    assert ends.count("deadlock") < 5
