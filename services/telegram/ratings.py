"""Ratings of people in one game: how well they place among each other, by the model of Plackett and Luce.

Pure. The model (openskill; Weng and Lin, "A Bayesian Approximation Method for Online Ranking", 2011) knows of each
person a strength and how uncertain it is.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

FRESH_POINTS, SCALE = 1000, 20
"""The points of somebody without a match, and of how many one unit of the model's strength consists."""
PROVISIONAL = 5
"""Below this number of rated matches a rating says little."""

_MODEL: Final = PlackettLuce()


class Rating(Struct, frozen=True):
    """What is known of a person's strength in a game."""

    strength: float = _MODEL.mu
    uncertainty: float = _MODEL.sigma
    matches: int = 0
    """How many matches are rated."""

    @property
    def points(self) -> int:
        """The number that people read: the strength that the person has almost certainly, 1000 before any match."""
        rating = _MODEL.rating(self.strength, self.uncertainty)
        return round(rating.ordinal(alpha=SCALE, target=FRESH_POINTS))

    @property
    def provisional(self) -> bool:
        """Whether the rating is of too few matches to say much."""
        return self.matches < PROVISIONAL

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
    """What a match has changed of a person's rating."""

    after: Rating
    gain: int
    """How many points more they have; negative for fewer."""


def rated(ratings: Mapping[int, Rating], places: Mapping[int, int]) -> dict[int, Rating]:
    """Return by person the ratings after a match; `places` are lowest for the best, equal for those who tie.

    Computer players are not rated: the places count among people alone, and a single person's rating stays.
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
