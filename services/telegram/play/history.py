"""A person's match history over all groups: latest matches, opponents, partners, streaks. No I/O."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, structs

LATEST, COMPANY = 5, 3
"""Number of latest matches, and of most frequent opponents and partners, to show."""
KEPT = 24
"""Number of opponents, and of partners, whose counts from older matches are stored."""
ROW = 2
"""Minimum number of consecutive wins that count as a streak."""


def places_among(places: Mapping[int, int]) -> dict[int, int]:
    """Return the places of people ranked only among themselves, 0 for the best; computer players leave no gaps."""
    return {person: sum(other < place for other in places.values()) for person, place in places.items()}


class OwnMatch(Struct, frozen=True):
    """A finished match of a person, from the records of a group."""

    ended: int
    """When the match ended (Unix seconds)."""
    chat: int
    game: str
    places: dict[int, int]
    """Place of each person, 0 for the best; computer players are left out."""
    partners: frozenset[int] = frozenset()

    def place_of(self, user: int) -> int:
        """Return a person's place among the people, 0 for the best."""
        return places_among(self.places)[user]


class Tally(NamedTuple):
    """Number of matches, and of wins among them."""

    matches: int
    wins: int


class Meeting(Struct, frozen=True):
    """An opponent of a person: how often each finished before the other."""

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
    """The latest matches, newest first."""
    longest: int
    """The longest streak of wins; 0 if the streak is shorter than `ROW`."""
    met: tuple[Meeting, ...]
    """The most frequent opponents."""
    partners: tuple[Partner, ...]


class WinsInARow(NamedTuple):
    """A person's current and longest streak of wins."""

    now: int = 0
    most: int = 0

    def after(self, places: Mapping[int, int], user: int) -> "WinsInARow":
        """Return the streaks after another match, with these places."""
        now = self.now + 1 if len(places) > 1 and places_among(places)[user] == 0 else 0
        return WinsInARow(now, max(now, self.most))


class Company(Struct, frozen=True, array_like=True):
    """Counts by opponent and partner for matches whose records were deleted."""

    met: dict[int, int] = {}
    before: dict[int, int] = {}
    behind: dict[int, int] = {}
    played: dict[int, int] = {}
    won: dict[int, int] = {}

    def __add__(self, other: "Company") -> "Company":
        pairs = zip(structs.astuple(self), structs.astuple(other), strict=True)
        return Company(*(Counter(one) + Counter(more) for one, more in pairs))

    def without(self, person: int) -> "Company":
        """Return the counts without a person."""
        return self._of((self.met.keys() | self.played.keys()) - {person})

    def of_most(self) -> "Company":
        """Return the counts of the `KEPT` most frequent opponents and partners."""
        return self._of({*_most(self.met, KEPT), *_most(self.played, KEPT)})

    def _of(self, people: Collection[int]) -> "Company":
        kinds = structs.astuple(self)
        return Company(*({person: count for person, count in kind.items() if person in people} for kind in kinds))


NO_COMPANY = Company()


def company(matches: Iterable[OwnMatch], user: int, earlier: Company = NO_COMPANY) -> Company:
    """Return a person's counts by opponent and partner: the counts in `earlier` plus those of these matches."""
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
    """Return a summary of a person's matches, in any order, and of `earlier` ones whose records were deleted."""
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
