"""Ratings of people in one game, from how they place against each other, by the Plackett-Luce model. Pure.

The model (openskill; Weng and Lin, "A Bayesian Approximation Method for Online Ranking", 2011) has for each person an
estimated strength and its uncertainty.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

FRESH_POINTS, SCALE = 1000, 20
"""The points of somebody without a match, and of how many one unit of the model's strength consists."""
INTERVAL = 1.96
"""How many standard deviations on either side hold 95 of 100 values of a normal distribution."""
PROVISIONAL = 200
"""A rating that is not sure to so many points says little: matches of many people tell more than those of two."""

_MODEL: Final = PlackettLuce()


class Rating(Struct, frozen=True):
    """What is known of a person's strength in a game."""

    strength: float = _MODEL.mu
    uncertainty: float = _MODEL.sigma
    matches: int = 0
    """How many matches are rated."""

    @property
    def points(self) -> int:
        """The number that people read: the estimated strength, scaled to 1000 before any match."""
        return round(FRESH_POINTS + SCALE * (self.strength - _MODEL.mu))

    @property
    def margin(self) -> int:
        """How many points more or fewer the strength may be worth, with 95 % confidence by the model."""
        return round(SCALE * INTERVAL * self.uncertainty)

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to be reliable."""
        return self.margin > PROVISIONAL

    def to_text(self) -> str:
        """Return the rating as it is stored: strength, uncertainty, matches."""
        return f"{self.strength!r} {self.uncertainty!r} {self.matches}"

    @classmethod
    def from_text(cls, text: str | None) -> "Rating":
        """Return a stored rating; a fresh one where there is none. Raises `ValueError` for another text."""
        if text is None:
            return cls()
        strength, uncertainty, matches = text.split()
        return cls(float(strength), float(uncertainty), int(matches))


class RatingChange(Struct, frozen=True):
    """How a match has changed a person's rating."""

    after: Rating
    gain: int
    """How many points more they have; negative for fewer."""


def rated(ratings: Mapping[int, Rating], places: Mapping[int, int]) -> dict[int, Rating]:
    """Return the ratings after a match, by person. `places`: 0 for the best, equal for those who tie.

    Only people are rated: computer players are left out of the places. With a single person nothing changes.
    """
    if len(places) < 2:
        return {}
    users = list(places)
    teams = [[_MODEL.rating(ratings[user].strength, ratings[user].uncertainty)] for user in users]
    found = _MODEL.rate(teams, ranks=[float(places[user]) for user in users])
    return {
        user: Rating(after.mu, after.sigma, ratings[user].matches + 1)
        for user, [after] in zip(users, found, strict=True)
    }
