"""Ratings of people in one game, estimated from the records of their matches. No I/O.

A rating is a strength in the Plackett-Luce model (`plackett_luce.py`) on the scale of chess ratings: a person with 100
points more than another finishes before them in 64 of 100 matches. With 200 more it is 76, with 400 more 91. The mean
over all seats played is 1000. After each match all ratings are estimated again from all matches that count.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt

from msgspec import Struct, structs

from services.telegram.play.plackett_luce import Ranking, estimated

MEAN = 1000
"""The points of an average person."""
POINTS = 400 / log(10)
"""Points for one unit of strength: 400 points are odds of ten to one."""
INTERVAL = 1.96
"""Half the width of the 95 % interval of a normal distribution, in standard deviations."""
SURE = 50
"""A rating with a margin of at most this many points is never provisional."""

_STORED_MEAN, _STORED_POINTS = 25.0, 20
"""Ratings are stored in units that earlier releases read: the mean is 25, and one unit is 20 points."""


class Rating(Struct, frozen=True):
    """The estimate of a person's strength in a game."""

    estimate: float = MEAN
    deviation: float = 0.0
    """The standard deviation of the estimate, in points."""
    matches: int = 0
    provisional: bool = False
    """Whether luck alone may explain the rating; this depends on all ratings of the group (`compared`)."""

    @property
    def points(self) -> int:
        """The rounded rating, as shown to people."""
        return round(self.estimate)

    @property
    def margin(self) -> int:
        """Half the width of the rating's 95 % interval, in points."""
        return round(INTERVAL * self.deviation)

    def to_text(self) -> str:
        """Return the rating as stored text: strength, its standard deviation, matches."""
        strength = _STORED_MEAN + (self.estimate - MEAN) / _STORED_POINTS
        return f"{strength:.3f} {self.deviation / _STORED_POINTS:.3f} {self.matches}"

    @classmethod
    def from_text(cls, text: str) -> "Rating":
        """Parse a stored rating. Raises `ValueError`."""
        strength, deviation, matches = text.split()
        estimate = MEAN + _STORED_POINTS * (float(strength) - _STORED_MEAN)
        return cls(estimate, _STORED_POINTS * float(deviation), int(matches))


class RatingChange(Struct, frozen=True):
    """The change of a person's rating through a match."""

    after: Rating
    gain: int
    """Points gained; negative for a loss."""


def rated(rankings: Sequence[Ranking], before: Mapping[int, Rating] = {}) -> dict[int, Rating]:
    """Return the ratings after these matches, by person; matches with only one side are ignored.

    Ratings in `before` are starting values: they save time and do not change the result.
    """
    contested = [ranking for ranking in rankings if sum(map(len, ranking)) > 1]
    strengths = {person: (rating.estimate - MEAN) / POINTS for person, rating in before.items()}
    return compared(
        {
            person: Rating(MEAN + POINTS * estimate.strength, POINTS * estimate.deviation, estimate.matches)
            for person, estimate in estimated(contested, strengths).items()
        }
    )


def compared(ratings: Mapping[int, Rating]) -> dict[int, Rating]:
    """Return the ratings of a group in a game with `provisional` set.

    A rating is provisional while its margin is wider than the spread of strengths in the group. That takes many matches
    if the game is mostly luck or all play alike, and few if skill decides or tables are large.
    """
    matches = sum(rating.matches for rating in ratings.values())
    beyond_luck = sum(
        rating.matches * ((rating.estimate - MEAN) ** 2 - rating.deviation**2) for rating in ratings.values()
    )
    sure = max(SURE, sqrt(max(0.0, beyond_luck) / matches)) if matches else SURE
    return {person: structs.replace(rating, provisional=rating.margin > sure) for person, rating in ratings.items()}
