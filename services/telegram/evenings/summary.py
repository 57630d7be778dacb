"""What an evening, or a season, comes to: points, wins, streaks, who beat whom, the best and the unluckiest hand."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from services.telegram.play.history import places_among

POINTS = (5, 3, 2, 1)
"""The points of the first, second, third and fourth of a match, unless a group has set others; nobody else has any."""
STREAK = 3
"""How many matches in a row are worth a word."""
OFTEN = 2
"""How many matches against each other make a duel."""


class PlayedDeal(Struct, frozen=True, array_like=True):
    """How a deal ended between people: by person the place and the points, as the game counts them."""

    places: dict[int, int]
    points: dict[int, int]


class PlayedMatch(Struct, frozen=True):
    """A match of an evening."""

    ended: float
    places: dict[int, int]
    """By person, 0 for the best; those who tie share a place. Computer players are left out."""
    deals: tuple[PlayedDeal, ...] = ()
    cards: tuple[str, ...] = ()
    """Those that ended it."""

    def without(self, user: int) -> "PlayedMatch":
        """Return it without a person: what it says of the others stays true."""
        deals = tuple(PlayedDeal(_others(deal.places, user), _others(deal.points, user)) for deal in self.deals)
        return structs.replace(self, places=_others(self.places, user), deals=deals)


def _others(values: Mapping[int, int], user: int) -> dict[int, int]:
    return {person: value for person, value in values.items() if person != user}


class Score(Struct, frozen=True):
    """What a person has made of some matches."""

    person: int
    points: int
    wins: int
    matches: int


class NotableHand(Struct, frozen=True):
    """A deal that somebody remembers: how many points they were ahead of the next, or behind the first."""

    person: int
    points: int


class Duel(Struct, frozen=True):
    """Two people, and how often each came before the other."""

    first: int
    second: int
    before: int
    behind: int


class Summary(Struct, frozen=True):
    """An evening in a few facts."""

    scores: tuple[Score, ...]
    """Best first."""
    matches: int
    streak: tuple[int, int] | None = None
    """Who has won the most matches in a row up to now, and how many."""
    duel: Duel | None = None
    best: NotableHand | None = None
    unluckiest: NotableHand | None = None
    cards: tuple[str, ...] = ()
    """Those that ended the last match of the winner."""


Places = Mapping[int, int]
"""The place of each person in a match, 0 for the best."""


def scores(matches: Iterable[Places], points: Sequence[int] = POINTS) -> tuple[Score, ...]:
    """Return the scores of some matches, best first. Of those who share a place, each has its points."""
    total, wins, played = Counter[int](), Counter[int](), Counter[int]()
    for match in matches:
        for person, place in places_among(match).items():
            total[person] += points[place] if place < len(points) else 0
            wins[person] += place == 0
            played[person] += 1
    found = (Score(person, total[person], wins[person], played[person]) for person in played)
    return tuple(sorted(found, key=lambda each: (-each.points, -each.wins, each.matches, each.person)))


def leaders(found: Sequence[Score]) -> list[Score]:
    """Return those who share the first place."""
    return [each for each in found if (each.points, each.wins) == (found[0].points, found[0].wins)]


def placed(found: Sequence[Score]) -> list[int]:
    """Return the place of each score, counted from 0; equal points and wins share one."""
    keys = [(-each.points, -each.wins) for each in found]
    return [sum(other < key for other in keys) for key in keys]


def summary(matches: Sequence[PlayedMatch], before: Sequence[Places] = (), points: Sequence[int] = POINTS) -> Summary:
    """Return an evening's summary; `before` are the matches of earlier evenings, oldest first."""
    ordered = sorted(matches, key=lambda match: match.ended)
    found = scores((match.places for match in ordered), points)
    winners = {each.person for each in leaders(found)} if found else set()
    won = [match.cards for match in ordered if match.cards and winners & _first(match.places)]
    deals = [deal for match in ordered for deal in match.deals]
    return Summary(
        found,
        len(ordered),
        _streak([*before, *(match.places for match in ordered)], {each.person for each in found}),
        _duel([match.places for match in ordered]),
        *_notable(deals),
        won[-1] if won else (),
    )


def _first(places: Places) -> set[int]:
    return {person for person, place in places_among(places).items() if place == 0}


def _streak(matches: Sequence[Places], present: set[int]) -> tuple[int, int] | None:
    """Return the longest row of wins that goes on, of one who was there and shares it with nobody."""
    rows = dict.fromkeys(present, 0)
    for match in matches:
        first = _first(match)
        for person in present & match.keys():
            rows[person] = rows[person] + 1 if person in first else 0
    longest = max(rows.values(), default=0)
    who = [person for person, row in rows.items() if row == longest]
    return (who[0], longest) if longest >= STREAK and len(who) == 1 else None


def _duel(matches: Sequence[Places]) -> Duel | None:
    """Return the two who met most often, of these those whose result is closest."""
    before: defaultdict[tuple[int, int], int] = defaultdict(int)
    for match in matches:
        for one, place in match.items():
            for other, behind in match.items():
                before[one, other] += place < behind
    pairs = [(one, other) for one, other in before if one < other]
    duels = [(before[one, other], before[other, one], one, other) for one, other in pairs]
    often = [each for each in duels if each[0] + each[1] >= OFTEN]
    if not often:
        return None
    ahead, behind, one, other = min(often, key=lambda each: (-each[0] - each[1], abs(each[0] - each[1]), each[2:]))
    return Duel(one, other, ahead, behind) if ahead >= behind else Duel(other, one, behind, ahead)


def _notable(deals: Sequence[PlayedDeal]) -> tuple[NotableHand | None, NotableHand | None]:
    """Return the deal that was won by most, and that which was lost by least; none where all ended by as much."""
    leads = [lead for deal in deals if (lead := _lead(deal)) is not None]
    if len({points for _, _, points in leads}) < 2:
        return None, None
    winner, _, most = max(leads, key=lambda lead: lead[2])
    _, loser, least = min(leads, key=lambda lead: lead[2])
    return NotableHand(winner, most), NotableHand(loser, least)


def _lead(deal: PlayedDeal) -> tuple[int, int, int] | None:
    """Return who won a deal alone, who came next alone, and by how many points; None for any other deal."""
    places = places_among(deal.places)
    first, second = ([person for person, place in places.items() if place == wanted] for wanted in (0, 1))
    if len(first) != 1 or len(second) != 1:
        return None
    return first[0], second[0], abs(deal.points[first[0]] - deal.points[second[0]])
