"""Simulated seasons show how often the intervals of ratings contain the true values.

`python -m tests.seasons [SEASONS]` prints this coverage.

People have known strengths, and their places depend on strength and luck. The unit of strength is the luck of a match,
so strengths are close together in a game of much luck, and far apart in matches of many deals.
"""

import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from math import log, pi, sqrt
from random import Random
from typing import Literal

from services.telegram.play.plackett_luce import Ranking
from services.telegram.play.ratings import INTERVAL, MEAN, POINTS, rated


@dataclass(frozen=True)
class Scenario:
    """The parameters of a group's season."""

    strengths: tuple[float, ...]
    sizes: tuple[int, ...]
    """The numbers of people at a table. All of them are equally frequent."""
    matches: int
    luck: Literal["extreme values", "normal"] = "extreme values"
    """The distribution of luck: the one that the model assumes, or the limit of a sum of many deals."""
    shared: bool = False
    """Whether people often share a place, as in games with few points."""


LONG = 10_000
"""Matches of a season that is long enough for ratings to converge."""
EQUAL, NEAR = (0.0,) * 6, (-0.25, -0.15, -0.05, 0.05, 0.15, 0.25)
UNEQUAL, FAR = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0), (-3.0, -2.0, -0.5, 0.5, 2.0, 3.0)

SCENARIOS = {
    "equal friends, two to six at a table": Scenario(EQUAL, (2, 3, 4, 5, 6), 60),
    "equal friends, two at a table": Scenario(EQUAL, (2,), 60),
    "equal friends after ten matches": Scenario(EQUAL[:4], (2, 3, 4), 10),
    "a game of much luck, two to six at a table": Scenario(NEAR, (2, 3, 4, 5, 6), 60),
    "unequal friends, two to six at a table": Scenario(UNEQUAL, (2, 3, 4, 5, 6), 60),
    "unequal friends, two at a table": Scenario(UNEQUAL, (2,), 60),
    "unequal friends after ten matches": Scenario(UNEQUAL[1:5], (2, 3, 4), 10),
    "very unequal friends, two to six at a table": Scenario(FAR, (2, 3, 4, 5, 6), 60),
    "very unequal friends, two at a table": Scenario(FAR, (2,), 60),
    "unequal friends, the luck of many deals": Scenario(UNEQUAL, (4,), 60, "normal"),
    "very unequal friends, the luck of many deals": Scenario(FAR, (2, 3, 4, 5, 6), 60, "normal"),
    "equal friends who often share places": Scenario(EQUAL, (2, 3, 4, 5, 6), 60, shared=True),
    "unequal friends who often share places": Scenario(UNEQUAL, (2, 3, 4, 5, 6), 60, shared=True),
    "four who always play together": Scenario((-1.0, -0.5, 0.0, 1.5), (4,), 40),
    "two alone": Scenario((-0.4, 0.4), (2,), 60),
}


@dataclass(frozen=True)
class Coverage:
    """How often the intervals of a scenario contained the true values."""

    share: float
    fewest: float
    """The coverage for the person with the lowest coverage."""
    margin: float
    """The mean half width of the intervals, in points."""


def season(scenario: Scenario, rng: Random) -> list[Ranking]:
    """Return the results of the matches of a simulated season."""
    return [_match(scenario, rng) for _ in range(scenario.matches)]


def _match(scenario: Scenario, rng: Random) -> Ranking:
    people = rng.sample(range(len(scenario.strengths)), rng.choice(scenario.sizes))
    points = {person: scenario.strengths[person] + _luck(scenario, rng) for person in people}
    if scenario.shared:
        points = {person: round(scored) for person, scored in points.items()}
    by_points = groupby(sorted(people, key=lambda person: -points[person]), key=lambda person: points[person])
    return tuple(tuple((person,) for person in tied) for _, tied in by_points)


def _luck(scenario: Scenario, rng: Random) -> float:
    return rng.gauss(0, pi / sqrt(6)) if scenario.luck == "normal" else -log(-log(1 - rng.random()))


def _true_points(scenario: Scenario, rng: Random) -> list[float]:
    """Return each person's true points. If the model does not apply, take the points after a very long season."""
    if scenario.luck == "extreme values" and not scenario.shared:
        return [POINTS * strength for strength in scenario.strengths]
    ratings = rated(season(replace(scenario, matches=LONG), rng))
    return [ratings[person].estimate for person in range(len(scenario.strengths))]


def held(scenario: Scenario, seasons: int, seed: int) -> Coverage:
    """Return how often the intervals of simulated seasons contained the true strengths."""
    rng = Random(seed)
    points = _true_points(scenario, rng)
    holds, rated_in, margins = Counter[int](), Counter[int](), 0.0
    for _ in range(seasons):
        matches = season(scenario, rng)
        seats = Counter(person for ranking in matches for sides in ranking for (person,) in sides)
        mean = sum(points[person] * taken for person, taken in seats.items()) / seats.total()
        for person, rating in rated(matches).items():
            true = MEAN + points[person] - mean
            holds[person] += abs(rating.estimate - true) <= INTERVAL * rating.deviation
            rated_in[person] += 1
            margins += INTERVAL * rating.deviation
    total = rated_in.total()
    return Coverage(holds.total() / total, min(holds[one] / rated_in[one] for one in rated_in), margins / total)


def main() -> None:
    """Print the coverage of each scenario."""
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name, scenario in SCENARIOS.items():
        interval = held(scenario, seasons, seed=2)
        print(
            f"{name:45} {interval.share:6.3f}, of one person {interval.fewest:6.3f}; ± {interval.margin:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
