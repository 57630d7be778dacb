"""Computer players for a game that has none of its own: made of the game's rules alone, with random play-outs."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from locanda.reasons import BEST_IN_PLAY_OUTS
from services.engine.games.base import AnyDealState, AnyGame, Shuffle
from services.engine.players import plain
from services.engine.players.base import Analysis, AnySituation, Budget, GamePlayers
from services.engine.players.racing import race

LONGEST_PLAY_OUT = 1000
"""Moves after which a play-out counts as undecided."""
UNDECIDED = 0.5


def players_for(game: AnyGame) -> GamePlayers[Any, Any, Any, AnyDealState]:
    """Return players of every level for a game."""

    def plainly(situation: AnySituation, _moves: Sequence[Struct], rng: Random) -> Struct:
        return plain.choose(game, situation.view, rng)

    def weigh(situation: AnySituation, moves: Sequence[Struct], rng: Random, budget: Budget) -> Analysis[Struct]:
        def simulate(running: Sequence[int]) -> list[float]:
            deal = game.determinize(situation.view, rng)
            return [_play_out(game, deal, moves[each], rng) for each in running]

        return race(moves, simulate, budget)

    return GamePlayers(
        easy=plainly,
        medium=plainly,
        weigh=weigh,
        sample=lambda situation, rng: game.determinize(situation.view, rng),
        explain=lambda _situation, _move, _moves: BEST_IN_PLAY_OUTS.because(),
    )


def _play_out(game: AnyGame, deal: AnyDealState, move: Struct, rng: Random) -> float:
    """Play a move, then at random to the end; return the share of the win of the seat that was on turn."""
    seat = deal.turn
    after, _ = game.play(deal, move, _shuffled(rng))
    for _ in range(LONGEST_PLAY_OUT):
        if after.turn is None:
            best = game.score(after).ranking[0]
            return 1 / len(best) if seat in best else 0.0
        after, _ = game.play(after, rng.choice(game.moves(after)), _shuffled(rng))
    return UNDECIDED


def _shuffled(rng: Random) -> Shuffle:
    """Return a shuffle by this generator, whatever seed and index it is asked for."""

    def shuffle(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:  # noqa: ARG001
        return rng.sample(cards, len(cards))

    return shuffle
