"""Ratings of people in one game, from the record of their matches. Pure.

A rating is a strength by the Plackett-Luce model (`plackett_luce.py`), in points as chess players know them: who has
100 more comes before the other in 64 of 100 matches, 200 more in 76, 400 more in 91. The mean over all seats that were
taken is 1000. After each match all ratings are estimated again, from all matches that count.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt

from msgspec import Struct, structs

from services.telegram.play.plackett_luce import Ranking, estimated

MEAN = 1000
"""The points of an average person."""
POINTS = 400 / log(10)
"""How many points one unit of strength is: 400 are odds of ten to one."""
INTERVAL = 1.96
"""How many standard deviations on either side hold 95 of 100 values of a normal distribution."""
SURE = 50
"""A rating that is sure to so many points is sure, however close people are to each other."""

_STORED_MEAN, _STORED_POINTS = 25.0, 20
"""Ratings are stored in the units of earlier releases, which read them: 25 for the mean, one for 20 points."""


class Rating(Struct, frozen=True):
    """The estimate of a person's strength in a game."""

    estimate: float = MEAN
    deviation: float = 0.0
    """The standard deviation of the estimate, in points."""
    matches: int = 0
    """In how many matches that count the person was compared with others."""
    provisional: bool = False
    """Whether luck alone may explain how the person stands: to be found among the ratings of all (`compared`)."""

    @property
    def points(self) -> int:
        """The number that people read."""
        return round(self.estimate)

    @property
    def margin(self) -> int:
        """How many points more or fewer the strength may be: it lies within in 95 of 100 cases."""
        return round(INTERVAL * self.deviation)

    def to_text(self) -> str:
        """Return the rating as it is stored: strength, its standard deviation, matches."""
        strength = _STORED_MEAN + (self.estimate - MEAN) / _STORED_POINTS
        return f"{strength:.3f} {self.deviation / _STORED_POINTS:.3f} {self.matches}"

    @classmethod
    def from_text(cls, text: str) -> "Rating":
        """Return a stored rating. Raises `ValueError` for another text."""
        strength, deviation, matches = text.split()
        estimate = MEAN + _STORED_POINTS * (float(strength) - _STORED_MEAN)
        return cls(estimate, _STORED_POINTS * float(deviation), int(matches))


class RatingChange(Struct, frozen=True):
    """How a match has changed a person's rating."""

    after: Rating
    gain: int
    """How many points more they have; negative for fewer."""


def rated(rankings: Sequence[Ranking], before: Mapping[int, Rating] = {}) -> dict[int, Rating]:
    """Return the ratings after these matches, by person; people without opponents have none.

    They are found sooner from ratings `before` that are near to them.
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
    """Return the ratings of all people of a group in a game, each with whether it is provisional.

    It is as long as its margin is wider than what lies between the people of the group: for many matches where much is
    luck or all play alike, for few at tables of many, or where skill decides.
    """
    matches = sum(rating.matches for rating in ratings.values())
    beyond_luck = sum(
        rating.matches * ((rating.estimate - MEAN) ** 2 - rating.deviation**2) for rating in ratings.values()
    )
    sure = max(SURE, sqrt(max(0.0, beyond_luck) / matches)) if matches else SURE
    return {person: structs.replace(rating, provisional=rating.margin > sure) for person, rating in ratings.items()}
