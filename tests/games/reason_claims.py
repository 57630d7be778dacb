"""What computer players say of their moves, held against what is true by the rules and in drawn deals."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from locanda.explanations import BEST_ESTIMATE, BEST_IN_PLAY_OUTS, BY_FEEL, ONLY_MOVE
from locanda.games.choosing import choose
from locanda.games.game import AnyGame
from locanda.games.players import AnyPlayers, Budget, Situation
from locanda.messages import ComputerLevel
from services.engine.table.fairness import shuffle


@dataclass(frozen=True, slots=True)
class Explained:
    """A move, what was said of it, and what the player knew."""

    deal: Any
    view: Any
    history: tuple[Any, ...]
    moves: Sequence[Any]
    move: Any
    facts: Any
    level: ComputerLevel
    simulations: int


Claims: TypeAlias = dict[str, Callable[[Explained], bool]]
"""By the code of a reason, whether what it says of a move is true."""

SHARED: Claims = {
    ONLY_MOVE.code: lambda case: len(case.moves) == 1,
    BEST_IN_PLAY_OUTS.code: lambda case: case.simulations > 0,
    BEST_ESTIMATE.code: lambda case: case.level != "easy" and case.simulations == 0,
    BY_FEEL.code: lambda case: case.level == "easy",
}


def claims_of(game: str) -> Claims:
    """Return the claims of a game's reasons, and of those that games share."""
    own: Claims = import_module(f"tests.games.{game}.reasons").CLAIMS
    return SHARED | own


def drawn(case: Explained, players: AnyPlayers, count: int) -> Iterator[Any]:
    """Yield deals that agree with what the player knew."""
    rng = Random(count)
    return (players.sample(Situation(case.view, case.history), rng) for _ in range(count))


def false_reasons(
    game: AnyGame, level: ComputerLevel, count: int, seed: int, options: Any = None
) -> tuple[Counter[str], list[tuple[str, Explained]]]:
    """Let players of a level play until so many reasons are given; return how often which, and those that are false."""
    claims, given, false = claims_of(game.name), Counter[str](), list[tuple[str, Explained]]()
    while given.total() < count:
        rng, seed = Random(f"reasons {seed}"), seed + 1
        chosen = game.options() if options is None else options
        seats = rng.choice(list(game.seats(chosen)))
        order = tuple((seat,) for seat in rng.sample(range(seats), seats))
        deal, history = game.deal(chosen, seats, 0, rng.randbytes(32), shuffle, order), ()
        while deal.turn is not None and given.total() < count:
            view, moves = game.view(deal, deal.turn), game.moves(deal)
            found = choose(game, Situation(view, history), level, rng, Budget(iterations=16))
            case = Explained(deal, view, history, moves, found.move, found.reason.facts, level, found.simulations)
            given[found.reason.code] += 1
            if not claims[found.reason.code](case):
                false.append((found.reason.code, case))
            deal, events = game.play(deal, found.move, shuffle)
            history = (*history, *events)
    return given, false
