"""Estimates the value of a move by play-outs, its cost compared with the choice of `hard`, and the play of a deal.

The play-outs of a search overestimate the move that the search chooses. So the cost is measured in other random deals,
which mostly `medium` plays to the end, and confirmed in further deals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, tee
from operator import sub
from random import Random
from typing import Any, NamedTuple

from locanda.explanations import NONE_SURELY_BETTER, Reason
from locanda.games.choosing import PLAYERS, Choice, choose, legal_moves, shuffled
from locanda.games.game import AnyDealState, AnyGame
from locanda.games.players import Analysis, AnySituation, Budget, Situation, mean_and_error

ERRORS = 0.1
"""Probability of a beginner's move in a play-out. Without such errors, all play-outs would be the same once all cards
are known."""
ROUNDS = 2
"""In games with long deals, a play-out stops when the seat's turn begins for the second time."""
LONGEST = 1000
"""Moves after which a play-out stops and counts as undecided."""
UNDECIDED = 0.5
LOOKS = ((0.5, 0.0), (1, 1.0), (3, 1.0))
"""Stages of a comparison. Each stage has a number of new deals, and the cost that leads to the next stage.

Deals are given in multiples of the number of play-outs, costs in multiples of `Standard.least`.
"""


class Standard(NamedTuple):
    """The conditions under which a move has a cost. A comparison takes at most two seconds of processor time."""

    most: int
    """The most play-outs for each move."""
    least: float
    """Smallest cost that is reported, as a share of the win. People do not notice smaller costs."""
    sure: float
    """How much worse the move must be, in standard errors."""


TO_THE_END = Standard(most=100, least=0.05, sure=2.0)
AHEAD = Standard(most=12, least=0.1, sure=3.0)
"""The standard for play-outs that stop before the end of the deal, whose estimates show only large differences."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A played move compared with the one that `hard` would have played."""

    best: Any
    """The move of `hard`, or the played move if nothing shows it to be worse."""
    reason: Reason
    """Reason for the best move."""
    cost: float
    """The share of a win that the played move lost; 0 unless it is worse beyond doubt."""
    value: float
    """Expected share of the win after the played move."""
    chance: float = 1.0
    """Probability that a random legal move is as good as the one of `hard`, by its search."""


def compare(game: AnyGame, situation: AnySituation, played: Any, rng: Random, budget: Budget) -> Comparison:  # noqa: ANN401
    """Compare a played move with the one that `hard` would have played. There must be at least two legal moves."""
    chosen, analysis, chance = preferred(game, situation, rng, budget)
    standard = AHEAD if PLAYERS[game.name].standing else TO_THE_END
    simulations = max(2, min(budget.iterations or 2, standard.most))
    for_played, for_best = tee(drawn(game, situation, rng.random()))
    values = worths(game, situation, played, for_played)
    first = list(islice(values, simulations))
    value = sum(first) / simulations
    better = map(sub, worths(game, situation, chosen.move, for_best), chain(first, values))
    cost = 0.0 if analysis.is_tied(played) else _cost(better, simulations, standard)
    if analysis.is_equal(played) and not cost:
        chosen = _as_played(game, situation, played, chosen)
    return Comparison(chosen.move, chosen.reason, cost, value, chance)


def preferred(
    game: AnyGame, situation: AnySituation, rng: Random, budget: Budget
) -> tuple[Choice, Analysis[Any], float]:
    """Return the choice of `hard`, its search, and the share of the legal moves that the search values equally."""
    chosen, moves = choose(game, situation, "hard", rng, budget), legal_moves(game, situation)
    analysis = chosen.analysis or Analysis(chosen.move, (), 0)
    return chosen, analysis, sum(map(analysis.is_equal, moves)) / len(moves)


def _as_played(game: AnyGame, situation: AnySituation, played: Any, chosen: Choice) -> Choice:  # noqa: ANN401
    """Return the played move, which is as good as the choice of `hard`, with its reason."""
    if played == chosen.move:
        return chosen
    reason = PLAYERS[game.name].explain(situation, played, legal_moves(game, situation), "expert")
    return Choice(played, reason or NONE_SURELY_BETTER.because())


LEAST_CHOICES, WELL_PLAYED = 8, 0.9
"""Minimum number of choices in a deal, and minimum share of them that agree with `hard`, for a deal that counts as well
played.
"""
BY_CHANCE = 0.01
"""The highest probability of as much agreement by random moves in such a deal."""


def well_played(chances: Sequence[float], same: int) -> bool:
    """Return whether a deal deserves praise, if `same` of its choices agree with `hard`.

    `chances` are those of a random move to agree. A choice in which most moves are equally good proves little.
    """
    enough = len(chances) >= LEAST_CHOICES and same >= WELL_PLAYED * len(chances)
    return enough and sum(_distribution(chances)[same:]) <= BY_CHANCE


def _distribution(chances: Sequence[float]) -> list[float]:
    """Return the probability of each number of independent events, from 0, given the probability of each event."""
    numbers = [1.0]
    for chance in chances:
        numbers = [
            few * (1 - chance) + more * chance for few, more in zip([*numbers, 0.0], [0.0, *numbers], strict=True)
        ]
    return numbers


def _cost(differences: Iterator[float], simulations: int, standard: Standard) -> float:
    """Return the mean difference of the last stage; 0 if the move is not clearly and noticeably worse."""
    mean = error = 0.0
    for times, least in LOOKS:
        mean, error = price(differences, max(2, round(times * simulations)))
        if mean < least * standard.least:
            return 0.0
    return mean if mean >= standard.sure * error else 0.0


def price(differences: Iterator[float], number: int) -> tuple[float, float]:
    """Return the mean of the next `number` differences (at least two), and its standard error."""
    return mean_and_error(list(islice(differences, number)))


def drawn(game: AnyGame, situation: AnySituation, seed: float) -> Iterator[tuple[AnyDealState, float]]:
    """Yield random deals that agree with the situation, endlessly, each with a seed for random choices in play-outs."""
    for number in count():
        rng = Random(f"{seed} {number}")  # noqa: S311  (no secret)
        yield PLAYERS[game.name].sample(situation, rng), rng.random()


def worths(
    game: AnyGame,
    situation: AnySituation,
    move: Any,  # noqa: ANN401
    deals: Iterator[tuple[AnyDealState, float]],
) -> Iterator[float]:
    """Yield the share of the win after a legal move in each of these deals."""
    for deal, chance in deals:
        yield _worth(game, deal, situation, move, chance)


def _worth(game: AnyGame, deal: AnyDealState, situation: AnySituation, move: Any, chance: float) -> float:  # noqa: ANN401
    """Play a move and the rest of the deal, with random choices from `chance`.

    Return the share of the win for the seat that made the move.
    """
    players, seat, history = PLAYERS[game.name], situation.view.seat, situation.history
    rng, luck, rounds = Random(chance), Random(-chance), 0  # noqa: S311  (no secret)
    for _ in range(LONGEST):
        mover = deal.turn
        deal, events = game.play(deal, move, shuffled(luck))
        if deal.turn is None:
            best = game.score(deal).ranking[0]
            return 1 / len(best) if seat in best else 0.0
        history = None if history is None else (*history, *events)
        seen, moves = Situation(game.view(deal, deal.turn), history), game.moves(deal)
        rounds += deal.turn == seat != mover
        if players.standing is not None and rounds == ROUNDS:
            return players.standing(seen)
        choose_next = players.easy if rng.random() < ERRORS else players.plays_on
        move = choose_next(seen, moves, luck) if len(moves) > 1 else moves[0]
    return UNDECIDED
