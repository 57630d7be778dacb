"""The Plackett-Luce model of rankings, fitted to all matches at once. No I/O.

A person of strength s has the weight exp(s). Places are drawn one after the other, from first to last: each of the
remaining sides gets the place with a probability proportional to its weight. So of two people, the first finishes
before the other with the odds exp(s1 - s2). In a game with much luck people finish in any order, and the fitted
strengths lie close together.

The prior is one more match for each person, half won and half lost, against an average person. It keeps the strengths
of people who always win finite, and hardly matters after a few matches. The estimates maximize the posterior; their
deviations come from the normal distribution fitted there (Laplace approximation). They are scaled by how much the
results really vary, because shared places vary less than the model predicts. `tests/seasons.py` measures how often the
95 % intervals hold.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, sqrt
from typing import TypeAlias

Side: TypeAlias = tuple[int, ...]
"""A person, or partners, whose joint strength is the mean of theirs."""
Ranking: TypeAlias = tuple[tuple[Side, ...], ...]
"""The result of a match: the sides at each place, best first. Sides at the same place tie."""
Matrix: TypeAlias = list[list[float]]

PRIOR = 1.0
"""Weight of the prior's match against an average person; real matches have the weight 1."""
DOUBT = 10.0
"""Weight of the dispersion that the model predicts (1), averaged with the observed one; it matters for few results."""
LARGEST_STEP, LAST_STEP = 1.0, 1e-3
"""Maximum change of a strength in a step of Newton's method, and the step size at which the search ends."""


@dataclass(frozen=True)
class Estimate:
    """A person's strength and its standard deviation. Strength 0 is the mean over all seats played."""

    strength: float
    deviation: float
    matches: int


def estimated(rankings: Sequence[Ranking], before: Mapping[int, float]) -> dict[int, Estimate]:
    """Return the estimate of each person. Starting values in `before` save steps and do not change the result."""
    matches = Counter(person for ranking in rankings for sides in ranking for side in sides for person in side)
    if not matches:
        return {}
    people = sorted(matches)
    number = {person: index for index, person in enumerate(people)}
    renamed = [
        tuple(tuple(tuple(number[one] for one in side) for side in sides) for sides in ranking) for ranking in rankings
    ]
    strengths, information = _fitted(renamed, [before.get(person, 0.0) for person in people])
    seats = sum(matches.values())
    shares = [matches[person] / seats for person in people]
    mean = sum(share * strength for share, strength in zip(shares, strengths, strict=True))
    size = range(len(people))
    from_mean = [[float(row == column) - shares[column] for column in size] for row in size]
    spread = _solutions(information, from_mean)
    dispersion = _dispersion(renamed, strengths)
    return {
        person: Estimate(
            strengths[index] - mean,
            sqrt(dispersion * sum(a * b for a, b in zip(from_mean[index], spread[index], strict=True))),
            matches[person],
        )
        for index, person in enumerate(people)
    }


def _fitted(rankings: Sequence[Ranking], strengths: list[float]) -> tuple[list[float], Matrix]:
    """Return the strengths that maximize the posterior, and its information matrix (minus the second derivatives)."""
    placed = [PRIOR / 2] * len(strengths)
    draws: defaultdict[frozenset[Side], float] = defaultdict(float)  # weight by remaining sides, over all matches
    for ranking in rankings:
        for person, weight in _placed(ranking).items():
            placed[person] += weight
        for remaining, weight in _draws(ranking):
            draws[remaining] += weight
    largest, information = LARGEST_STEP, list[list[float]]()
    while largest > LAST_STEP:
        gradient, information = _derivatives(placed, draws, strengths)
        [step] = _solutions(information, [gradient])
        largest = max(map(abs, step))
        scale = min(1.0, LARGEST_STEP / largest) if largest else 0.0
        strengths = [strength + scale * change for strength, change in zip(strengths, step, strict=True)]
    return strengths, information


def _derivatives(
    placed: Sequence[float], draws: Mapping[frozenset[Side], float], strengths: Sequence[float]
) -> tuple[list[float], Matrix]:
    """Return the gradient of the log posterior, and minus its second derivatives."""
    gradient = list(placed)
    information = [[0.0] * len(strengths) for _ in strengths]
    for person, strength in enumerate(strengths):
        chance = 1 / (1 + exp(-strength))
        gradient[person] -= PRIOR * chance
        information[person][person] = PRIOR * chance * (1 - chance)
    weights = _weights({side for remaining in draws for side in remaining}, strengths)
    for remaining, weight in draws.items():
        expected: dict[int, float] = {}
        for side, chance in _chances(remaining, weights).items():
            share = chance / len(side)
            for person in side:
                expected[person] = share
                for partner in side:
                    information[person][partner] += weight * share / len(side)
        for person, share in expected.items():
            gradient[person] -= weight * share
            row = information[person]
            for other, other_share in expected.items():
                row[other] -= weight * share * other_share
    return gradient, information


def _dispersion(rankings: Sequence[Ranking], strengths: Sequence[float]) -> float:
    """Return the observed squared differences between results and expectations, relative to the model's prediction."""
    seen = modelled = places = 0.0
    weights = _weights({side for ranking in rankings for sides in ranking for side in sides}, strengths)
    chances: dict[frozenset[Side], dict[Side, float]] = {}  # a cache: many matches have the same sides
    for ranking in rankings:
        differences = _placed(ranking)
        for remaining, weight in _draws(ranking):
            if remaining not in chances:
                chances[remaining] = _chances(remaining, weights)
            for side, chance in chances[remaining].items():
                for person in side:
                    differences[person] -= weight * chance / len(side)
                    modelled += weight * chance * (1 - chance) / len(side) ** 2
        seen += sum(difference**2 for difference in differences.values())
        places += sum(map(len, ranking)) - 1
    not_fitted = max(0.0, 1 - (len(strengths) - 1) / places)  # fitted strengths make the differences smaller
    return (seen + DOUBT) / (modelled * not_fitted + DOUBT)


def _placed(ranking: Ranking) -> dict[int, float]:
    """Return how many draws each person wins: each side wins one, which partners share equally."""
    return {person: 1 / len(side) for sides in ranking for side in sides for person in side}


def _draws(ranking: Ranking) -> Iterator[tuple[frozenset[Side], float]]:
    """Yield each draw as its remaining sides and its weight. A tie is the average over all its orders."""
    remaining = frozenset(side for sides in ranking for side in sides)
    for sides in ranking:
        for number in range(len(sides)):
            for placed in combinations(sides, number):
                yield remaining - frozenset(placed), 1 / comb(len(sides), number)
        remaining -= frozenset(sides)


def _weights(sides: Iterable[Side], strengths: Sequence[float]) -> dict[Side, float]:
    return {side: exp(sum(strengths[person] for person in side) / len(side)) for side in sides}


def _chances(remaining: Iterable[Side], weights: Mapping[Side, float]) -> dict[Side, float]:
    """Return each side's probability of the next place."""
    total = sum(weights[side] for side in remaining)
    return {side: weights[side] / total for side in remaining}


def _solutions(matrix: Matrix, right_sides: Sequence[Sequence[float]]) -> Matrix:
    """Solve the linear system `matrix` · x = b for each right side b; the matrix is symmetric and positive definite."""
    rows = [[*row, *(side[number] for side in right_sides)] for number, row in enumerate(matrix)]
    for number, row in enumerate(rows):
        pivot = [value / row[number] for value in row[number:]]
        row[number:] = pivot
        for other in rows:
            factor = other[number]
            if other is not row and factor:
                other[number:] = [value - factor * one for value, one in zip(other[number:], pivot, strict=True)]
    size = len(matrix)
    return [[row[size + number] for row in rows] for number in range(len(right_sides))]
