"""A person's own matches, over all groups: how many, against whom, with whom, and their best."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, structs

LATEST, COMPANY = 5, 3
"""The numbers of newest matches, and of most frequent opponents, that are shown."""
KEPT = 24
"""Of how many opponents, and partners, older matches are kept in mind."""
ROW = 2
"""How many consecutive wins count as a row."""


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


class Company(Struct, frozen=True, array_like=True):
    """How often a person has met others and played with them, by person, in matches that are not on record any more."""

    met: dict[int, int] = {}
    before: dict[int, int] = {}
    behind: dict[int, int] = {}
    played: dict[int, int] = {}
    won: dict[int, int] = {}

    def __add__(self, other: "Company") -> "Company":
        pairs = zip(structs.astuple(self), structs.astuple(other), strict=True)
        return Company(*(Counter(one) + Counter(more) for one, more in pairs))

    def without(self, person: int) -> "Company":
        """Return it without a person."""
        return self._of((self.met.keys() | self.played.keys()) - {person})

    def of_most(self) -> "Company":
        """Return it for those who are met or played with most."""
        return self._of({*_most(self.met, KEPT), *_most(self.played, KEPT)})

    def _of(self, people: Collection[int]) -> "Company":
        kinds = structs.astuple(self)
        return Company(*({person: count for person, count in kind.items() if person in people} for kind in kinds))


NO_COMPANY = Company()


def company(matches: Iterable[OwnMatch], user: int, earlier: Company = NO_COMPANY) -> Company:
    """Return whom a person has met and played with in these matches and in earlier ones."""
    met, before, behind, played, won = (Counter[int](counts) for counts in structs.astuple(earlier))
    for match in matches:
        for other, place in match.places.items():
            if other in match.partners:
                played[other] += 1
                won[other] += match.place_of(user) == 0
            elif other != user:
                met[other] += 1
                before[other] += match.places[user] < place
                behind[other] += place < match.places[user]
    return Company(met, before, behind, played, won)


def history(matches: Iterable[OwnMatch], user: int, most: int = 0, earlier: Company = NO_COMPANY) -> History:
    """Return what a person's matches say, in whatever order they come.

    `most` is how many they have won in a row, and `earlier` whom they have met, with matches that are not on record any
    more.
    """
    ordered, row = sorted(matches, key=lambda match: match.ended), WinsInARow(most=most)
    for match in ordered:
        row = row.after(match.places, user)
    longest, all_met = row.most if row.most >= ROW else 0, company(ordered, user, earlier)
    return History(tuple(ordered[::-1][:LATEST]), longest, _met(all_met), _partners(all_met))


def _most(counts: Mapping[int, int], number: int) -> list[int]:
    return sorted(counts, key=lambda other: (-counts[other], other))[:number]


def _met(own: Company) -> tuple[Meeting, ...]:
    return tuple(
        Meeting(other, own.met[other], own.before.get(other, 0), own.behind.get(other, 0))
        for other in _most(own.met, COMPANY)
    )


def _partners(own: Company) -> tuple[Partner, ...]:
    return tuple(
        Partner(other, Tally(own.played[other], own.won.get(other, 0))) for other in _most(own.played, COMPANY)
    )
