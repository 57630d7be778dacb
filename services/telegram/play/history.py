"""A person's own matches, over all groups: how many, against whom, with whom, and their best."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

LATEST, COMPANY = 5, 3
"""The numbers of newest matches, and of most frequent opponents, that are shown."""
ROW = 2
"""How many wins are a row."""


def places_among(places: Mapping[int, int]) -> dict[int, int]:
    """Return the places of these people among themselves, 0 for the best."""
    return {person: sum(other < place for other in places.values()) for person, place in places.items()}


class OwnMatch(Struct, frozen=True):
    """A finished match, as the record of a group has it."""

    ended: int
    """Unix seconds."""
    chat: int
    game: str
    places: dict[int, int]
    """By person, 0 for the best; computer players are left out."""
    partners: frozenset[int] = frozenset()

    def place_of(self, user: int) -> int:
        """Return a person's place among the people, 0 for the best."""
        return places_among(self.places)[user]


class Tally(NamedTuple):
    """Matches, and how many of them were won."""

    matches: int
    wins: int


class Meeting(Struct, frozen=True):
    """An opponent of a person: how often each came before the other."""

    person: int
    matches: int
    before: int
    behind: int


class Partner(Struct, frozen=True):
    """A teammate of a person."""

    person: int
    tally: Tally


class History(Struct, frozen=True):
    """A summary of a person's recorded matches."""

    latest: tuple[OwnMatch, ...]
    """Newest first."""
    longest: int
    """The longest row of wins; 0 if it is none."""
    met: tuple[Meeting, ...]
    """Those whom they have met most."""
    partners: tuple[Partner, ...]


class WinsInARow(NamedTuple):
    """How many matches somebody has won in a row up to now, and at best."""

    now: int = 0
    most: int = 0

    def after(self, places: Mapping[int, int], user: int) -> "WinsInARow":
        """Return it after another match of these people."""
        now = self.now + 1 if len(places) > 1 and places_among(places)[user] == 0 else 0
        return WinsInARow(now, max(now, self.most))


def history(matches: Iterable[OwnMatch], user: int, most: int = 0) -> History:
    """Return what a person's matches say, in whatever order they come.

    `most` is how many they have won in a row with matches that are not on record any more.
    """
    ordered, row = sorted(matches, key=lambda match: match.ended), WinsInARow(most=most)
    for match in ordered:
        row = row.after(match.places, user)
    longest = row.most if row.most >= ROW else 0
    return History(tuple(ordered[::-1][:LATEST]), longest, _met(ordered, user), _partners(ordered, user))


def _met(matches: Sequence[OwnMatch], user: int) -> tuple[Meeting, ...]:
    met, before, behind = Counter[int](), Counter[int](), Counter[int]()
    for match in matches:
        for other, place in match.places.items():
            if other != user and other not in match.partners:
                met[other] += 1
                before[other] += match.places[user] < place
                behind[other] += place < match.places[user]
    most = sorted(met, key=lambda other: (-met[other], other))[:COMPANY]
    return tuple(Meeting(other, met[other], before[other], behind[other]) for other in most)


def _partners(matches: Sequence[OwnMatch], user: int) -> tuple[Partner, ...]:
    played, won = Counter[int](), Counter[int]()
    for match in matches:
        for other in match.partners:
            played[other] += 1
            won[other] += match.place_of(user) == 0
    most = sorted(played, key=lambda other: (-played[other], other))[:COMPANY]
    return tuple(Partner(other, Tally(played[other], won[other])) for other in most)
