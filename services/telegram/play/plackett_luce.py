"""The Plackett-Luce model of rankings, fitted to all matches at once. Pure.

A person of strength s has the weight exp(s). Of the sides that are still to be placed, each takes the next place with a
chance in proportion to its weight: so of two people, the first comes before the other with the odds exp(s1 - s2). In a
game of much luck people come in any order, and their strengths lie close together: a game's luck is in the strengths.

What the matches say is held against a prior: as if each person had, besides, half won and half lost a match with an
average one. It keeps strengths finite where somebody has always won, and is as good as nothing after a few matches. The
estimates are those of the greatest posterior, their uncertainty that of the normal distribution which fits it there
(Laplace), corrected by how much the results really vary: less than the model says where places are often shared.
`tests/seasons.py` measures how often intervals of 95 % hold.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, sqrt
from typing import TypeAlias

Side: TypeAlias = tuple[int, ...]
"""A person, or partners: they have one strength, the mean of theirs."""
Ranking: TypeAlias = tuple[tuple[Side, ...], ...]
"""The result of a match: the sides of each place, best first. Sides of one place tie."""
Matrix: TypeAlias = list[list[float]]

PRIOR = 1.0
"""How much the match with an average person counts; others count 1."""
DOUBT = 10.0
"""How much results count that vary as the model says, beside those that were seen, where these are few."""
LARGEST_STEP, LAST_STEP = 1.0, 1e-3
"""How far a step of Newton's method may change a strength, and the step with which it ends: an error is about the
square of the step before."""


@dataclass(frozen=True)
class Estimate:
    """A person's strength, 0 for the mean over all seats that were taken, and its standard deviation."""

    strength: float
    deviation: float
    matches: int


def estimated(rankings: Sequence[Ranking], before: Mapping[int, float]) -> dict[int, Estimate]:
    """Return the strength of each person in the matches; `before`, known strengths, spare steps and change nothing."""
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
    """Return the strengths of the greatest posterior, and the information there: minus the second derivatives.

    The search begins with `strengths`.
    """
    placed = [PRIOR / 2] * len(strengths)
    draws: defaultdict[frozenset[Side], float] = defaultdict(float)  # from the same sides, of whatever matches
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
    """Return the gradient of the logarithm of the posterior, and minus its second derivatives."""
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
    """Return how large the squared differences between results and expectations are, where the model expects 1."""
    seen = modelled = places = 0.0
    weights = _weights({side for ranking in rankings for sides in ranking for side in sides}, strengths)
    chances: dict[frozenset[Side], dict[Side, float]] = {}  # the same sides meet in many matches
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
    not_fitted = max(
        0.0, 1 - (len(strengths) - 1) / places
    )  # strengths that fit the results bring them nearer to each other
    return (seen + DOUBT) / (modelled * not_fitted + DOUBT)


def _placed(ranking: Ranking) -> dict[int, float]:
    """Return by person how often they were drawn: once, and partners share it."""
    return {person: 1 / len(side) for sides in ranking for side in sides for person in side}


def _draws(ranking: Ranking) -> Iterator[tuple[frozenset[Side], float]]:
    """Yield the sides from which each place was drawn, and how much that counts; of ties, every order counts alike."""
    remaining = frozenset(side for sides in ranking for side in sides)
    for sides in ranking:
        for number in range(len(sides)):
            for placed in combinations(sides, number):
                yield remaining - frozenset(placed), 1 / comb(len(sides), number)
        remaining -= frozenset(sides)


def _weights(sides: Iterable[Side], strengths: Sequence[float]) -> dict[Side, float]:
    return {side: exp(sum(strengths[person] for person in side) / len(side)) for side in sides}


def _chances(remaining: Iterable[Side], weights: Mapping[Side, float]) -> dict[Side, float]:
    """Return with which chance each of the sides takes the next place."""
    total = sum(weights[side] for side in remaining)
    return {side: weights[side] / total for side in remaining}


def _solutions(matrix: Matrix, right_sides: Sequence[Sequence[float]]) -> Matrix:
    """Return x of matrix · x = b for each right side b; the matrix is symmetric and positive definite."""
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
