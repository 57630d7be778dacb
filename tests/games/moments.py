"""Positions of deals in progress with the knowledge of the player on turn, and deals between computer players."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from locanda.games.choosing import choose
from locanda.games.players import AnySituation, Budget, Situation
from locanda.messages import ComputerLevel
from services.engine.table.fairness import shuffle
from tests.games.subjects import AnyStart, played_moves

LEVELS: tuple[ComputerLevel, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Moment:
    """A deal in progress, and the knowledge of the player on turn."""

    deal: Any
    situation: AnySituation
    moves: list[Any]


def moments(start: AnyStart) -> Iterator[Moment]:
    """Yield every moment of a deal played by the start's own players."""
    history: list[Any] = []
    for step in played_moves(start):
        yield Moment(step.deal, Situation(start.game.view(step.deal, step.deal.turn), tuple(history)), step.moves)
        history.extend(step.events)


def any_moment(start: AnyStart) -> Moment:
    """Return one moment of a deal; the same start always gives the same moment."""
    every = list(moments(start))
    return Random(f"moment {start.seed.hex()}").choice(every)


def play_by_levels(start: AnyStart, iterations: int) -> int:
    """Play a deal between computer players of mixed levels to its end; return the number of moves.

    Raises `AssertionError` if one of them chooses a move that the rules forbid, or the deal lasts too long.
    """
    game, rng, deal = start.game, Random(start.seed), start.deal()
    levels = [rng.choice(LEVELS) for _ in range(start.seats)]
    bound, count = start.subject.bound(deal), 0
    history: list[Any] = []
    while deal.turn is not None:
        situation = Situation(game.view(deal, deal.turn), tuple(history))
        move = choose(game, situation, levels[deal.turn], rng, Budget(iterations=iterations)).move
        assert game.check(deal, move) is None
        deal, events = game.play(deal, move, shuffle)
        history.extend(events)
        count += 1
        assert count <= bound
    return count
