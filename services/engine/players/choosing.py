"""The choice of a computer player of any game and level."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, assert_never

from locanda.reasons import ONLY_MOVE, Reason
from services.engine.games.base import AnyGame
from services.engine.players.base import Analysis, AnySituation, Budget, Level
from services.engine.players.registry import PLAYERS


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, why it was chosen, and how many simulations it took: 0 without a search."""

    move: Any
    reason: Reason
    simulations: int = 0


def legal_moves(game: AnyGame, situation: AnySituation) -> list[Any]:
    """Return the legal moves of the seat whose view this is: what is hidden does not change them."""
    return game.moves(game.determinize(situation.view, Random(0)))  # noqa: S311  (decides nothing)


def choose(game: AnyGame, situation: AnySituation, level: Level, rng: Random, budget: Budget) -> Choice:
    """Return the choice of a player of this level. The seat must be on turn; the budget matters to `hard` alone."""
    moves = legal_moves(game, situation)
    if len(moves) == 1:
        return Choice(moves[0], ONLY_MOVE.because())
    players = PLAYERS[game.name]
    simulations = 0
    match level:
        case "easy":
            move = players.easy(situation, moves, rng)
        case "medium":
            move = players.medium(situation, moves, rng)
        case "hard":
            found = players.weigh(situation, moves, rng, budget)
            move, simulations = found.best, found.simulations
        case _:
            assert_never(level)
    return Choice(move, explain(game, situation, move, moves), simulations)


def explain(game: AnyGame, situation: AnySituation, move: Any, moves: Sequence[Any]) -> Reason:  # noqa: ANN401
    """Return why a move is worth playing among all legal moves, of which there are two at least."""
    return PLAYERS[game.name].explain(situation, move, moves)


def weigh(game: AnyGame, situation: AnySituation, moves: Sequence[Any], rng: Random, budget: Budget) -> Analysis[Any]:
    """Return what `hard` expects of each of these legal moves, of which there are two at least."""
    return PLAYERS[game.name].weigh(situation, moves, rng, budget)
