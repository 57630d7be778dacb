"""Records of a group's finished matches, from which ratings are estimated.

A record is the value of the field that marks a match as counted. Earlier releases stored `1` there and check only
whether the field exists.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from msgspec import Struct, structs

from services.telegram.play.plackett_luce import Ranking, Side

COUNTED = "counted:"
"""Prefix of the fields of a leaderboard that mark counted matches."""
MATCHES, PEOPLE = 500, 60
"""Maximum number of a game's newest matches for ratings, and of people in them."""
REMEMBERED = 16_384
"""Size of the cache of parsed records: counting a match reads all records of its group."""
KEPT_SECONDS = 30 * 86400.0
"""Seconds for which a match stays marked as counted. The match's end cannot be reported again after that."""

_RECORD = re.compile(r"(\d+) (\w+) (\d+(?:[>=+]\d+)*)")


class MatchRecord(Struct, frozen=True):
    """A finished match."""

    ended: int
    """When the match was counted (Unix seconds)."""
    game: str
    ranking: Ranking
    """People by place, without computer players."""

    def to_text(self) -> str:
        """Return the record as stored text: `>` separates places, `=` ties, `+` partners."""
        places = ("=".join("+".join(map(str, side)) for side in sides) for sides in self.ranking)
        return f"{self.ended} {self.game} {'>'.join(places)}"

    @staticmethod
    @lru_cache(REMEMBERED)
    def from_text(text: str) -> "MatchRecord | None":
        """Parse a stored record; return None for a mark of an earlier release."""
        match = _RECORD.fullmatch(text)
        if match is None:
            return None
        ended, game, places = match.groups()
        sides = ([tuple(map(int, side.split("+"))) for side in place.split("=")] for place in places.split(">"))
        return MatchRecord(int(ended), game, tuple(map(tuple, sides)))

    @property
    def people(self) -> set[int]:
        """All people in the record."""
        return {person for sides in self.ranking for side in sides for person in side}

    @property
    def places(self) -> dict[int, int]:
        """The place of each person, 0 for the best."""
        return {person: place for place, sides in enumerate(self.ranking) for side in sides for person in side}

    def partners_of(self, person: int) -> frozenset[int]:
        """Return a person's teammates."""
        side = next(side for sides in self.ranking for side in sides if person in side)
        return frozenset(side) - {person}

    def of(self, people: Collection[int]) -> "MatchRecord":
        """Return the record reduced to these people; their order does not change."""
        if self.people.issubset(people):
            return self
        kept = (
            tuple(side for side in (tuple(person for person in side if person in people) for side in sides) if side)
            for sides in self.ranking
        )
        return structs.replace(self, ranking=tuple(sides for sides in kept if sides))


def ranking_of(places: Mapping[int, int], teams: Iterable[Collection[int]] = ()) -> Ranking:
    """Return a ranking from places by person (0 for the best, equal for ties and partners) and teams."""
    sides: dict[Side, int] = {}
    partners = {person: tuple(sorted(team)) for team in teams for person in team}
    for person, place in places.items():
        sides[partners.get(person, (person,))] = place
    return tuple(
        tuple(sorted(side for side, at in sides.items() if at == place)) for place in sorted(set(sides.values()))
    )


def records_in(fields: Mapping[str, str]) -> dict[str, MatchRecord]:
    """Return the records in a leaderboard's fields by field name, newest first."""
    records = {
        name: record
        for name, value in fields.items()
        if name.startswith(COUNTED) and (record := MatchRecord.from_text(value)) is not None
    }
    return dict(sorted(records.items(), key=lambda item: -item[1].ended))


def newest(records: Iterable[MatchRecord]) -> list[MatchRecord]:
    """Return the records from which ratings are estimated: the newest records within `MATCHES` and `PEOPLE`."""
    matches: list[MatchRecord] = []
    people: set[int] = set()
    for record in records:
        people |= record.people
        if len(matches) == MATCHES or len(people) > PEOPLE:
            break
        matches.append(record)
    return matches


def is_old(record: MatchRecord, now: float) -> bool:
    """Return whether a match no longer needs its mark."""
    return now - record.ended > KEPT_SECONDS
