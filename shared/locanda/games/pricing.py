"""The value of a move by play-outs, and its cost compared with the choice of `hard`.

A search picks a move by its own play-outs, which flatter what they pick. So a cost is found in other drawn deals, which
`medium` plays on, and confirmed in others still.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice, tee
from math import sqrt
from operator import sub
from random import Random
from typing import Any

from locanda.explanations import NONE_SURELY_BETTER, Reason
from locanda.games.choosing import PLAYERS, Choice, choose, legal_moves, shuffled
from locanda.games.game import AnyDealState, AnyGame
from locanda.games.players import AnySituation, Budget, Situation

ERRORS = 0.1
"""The share of errors in a play-out; without them, a single line of play would decide if all cards are known."""
AHEAD = 8
"""How many moves are played on in a game whose deals are too long for play-outs."""
MOST, MOST_AHEAD = 100, 12
"""Simulations for each move, to the end and so far ahead: a comparison takes two seconds of a processor at most."""
LONGEST = 1000
"""Moves after which a play-out counts as undecided."""
UNDECIDED = 0.5
LEAST_COST = 0.05
"""A person does not feel less: a twentieth of a win."""
SURE = 2.0
"""How much worse a move must be, in standard errors."""
LOOKS = ((0.5, 0.0), (1, LEAST_COST), (3, LEAST_COST))
"""The stages of a comparison: how many new deals each plays, and how much worse the move must be there to go on.

The number of deals is a multiple of the number of simulations.
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A played move beside the one that `hard` would have played."""

    best: Any
    """The played move too, if the search found it equal."""
    reason: Reason
    """Why it is worth playing."""
    cost: float
    """How much more of the win it is worth than the played one; 0 unless that is surely worse."""
    value: float
    """The share of the win that could be expected after the played move."""


def compare(game: AnyGame, situation: AnySituation, played: Any, rng: Random, budget: Budget) -> Comparison:  # noqa: ANN401
    """Compare a played move with the one that `hard` would have played; there are at least two legal moves."""
    chosen = _as_well(game, situation, choose(game, situation, "hard", rng, budget), played)
    simulations = max(2, min(budget.iterations or 2, MOST_AHEAD if PLAYERS[game.name].standing else MOST))
    for_played, for_best = tee(drawn(game, situation, rng.random()))
    values = worths(game, situation, played, for_played)
    first = list(islice(values, simulations))
    value = sum(first) / simulations
    better = map(sub, worths(game, situation, chosen.move, for_best), chain(first, values))
    cost = 0.0 if chosen.move == played else _cost(better, simulations)
    return Comparison(chosen.move, chosen.reason, cost, value)


def _as_well(game: AnyGame, situation: AnySituation, chosen: Choice, played: Any) -> Choice:  # noqa: ANN401
    """Return the played move instead of the chosen one, if the search found both equal."""
    if chosen.move == played or chosen.analysis is None or not chosen.analysis.is_equal(played):
        return chosen
    reason = PLAYERS[game.name].explain(situation, played, legal_moves(game, situation), "expert")
    return Choice(played, reason or NONE_SURELY_BETTER.because())


def _cost(differences: Iterator[float], simulations: int) -> float:
    """Return the mean of the last look's differences; 0 if the move is not surely and noticeably worse."""
    mean = error = 0.0
    for times, least in LOOKS:
        mean, error = price(differences, max(2, round(times * simulations)))
        if mean < least:
            return 0.0
    return mean if mean >= SURE * error else 0.0


def price(differences: Iterator[float], number: int) -> tuple[float, float]:
    """Return the mean of at least two differences, and its standard error."""
    drawn = list(islice(differences, number))
    mean = sum(drawn) / number
    return mean, sqrt(sum((difference - mean) ** 2 for difference in drawn) / (number - 1) / number)


def drawn(game: AnyGame, situation: AnySituation, seed: float) -> Iterator[tuple[AnyDealState, float]]:
    """Yield deals that agree with a situation, each with the luck in its play-outs, without end."""
    for number in count():
        rng = Random(f"{seed} {number}")  # noqa: S311  (no secret)
        yield PLAYERS[game.name].sample(situation, rng), rng.random()


def worths(
    game: AnyGame,
    situation: AnySituation,
    move: Any,  # noqa: ANN401
    deals: Iterator[tuple[AnyDealState, float]],
) -> Iterator[float]:
    """Yield the share of the win after a legal move, in one drawn deal after another."""
    for deal, chance in deals:
        yield _worth(game, deal, situation, move, chance)


def _worth(game: AnyGame, deal: AnyDealState, situation: AnySituation, move: Any, chance: float) -> float:  # noqa: ANN401
    """Play a move and then on, with so much luck; return the share of the win for the seat that was on turn."""
    players, seat, history = PLAYERS[game.name], situation.view.seat, situation.history
    rng, luck = Random(chance), Random(-chance)  # noqa: S311  (no secret)
    for _ in range(AHEAD if players.standing else LONGEST):
        deal, events = game.play(deal, move, shuffled(luck))
        if deal.turn is None:
            best = game.score(deal).ranking[0]
            return 1 / len(best) if seat in best else 0.0
        history = None if history is None else (*history, *events)
        seen, moves = Situation(game.view(deal, deal.turn), history), game.moves(deal)
        choose_next = players.easy if rng.random() < ERRORS else players.plays_on
        move = choose_next(seen, moves, luck) if len(moves) > 1 else moves[0]
    return players.standing(game.view(deal, seat)) if players.standing else UNDECIDED
