"""Summaries of an evening or a season: points, wins, streaks, duels, the best and the unluckiest hand."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from services.telegram.play.history import places_among

POINTS = (5, 3, 2, 1)
"""Points for the first four places of a match, unless a group has set others. Further places get none."""
STREAK = 3
"""Minimum number of wins in a row to mention."""
OFTEN = 2
"""Minimum number of matches between two people to mention their duel."""


class PlayedDeal(Struct, frozen=True, array_like=True):
    """Result of a deal among people: each person's place, and their points as the game counts them."""

    places: dict[int, int]
    points: dict[int, int]


class PlayedMatch(Struct, frozen=True):
    """A match of an evening."""

    ended: float
    places: dict[int, int]
    """Place of each person, 0 for the best; ties share a place. Computer players are left out."""
    deals: tuple[PlayedDeal, ...] = ()
    cards: tuple[str, ...] = ()
    """The cards that ended the match."""

    def without(self, user: int) -> "PlayedMatch":
        """Return the match without a person; other people's data do not change."""
        deals = tuple(PlayedDeal(_others(deal.places, user), _others(deal.points, user)) for deal in self.deals)
        return structs.replace(self, places=_others(self.places, user), deals=deals)


def _others(values: Mapping[int, int], user: int) -> dict[int, int]:
    return {person: value for person, value in values.items() if person != user}


class Score(Struct, frozen=True):
    """A person's score in some matches."""

    person: int
    points: int
    wins: int
    matches: int


class NotableHand(Struct, frozen=True):
    """A memorable deal of a person: their lead over the second place, or their gap to the first, in points."""

    person: int
    points: int


class Duel(Struct, frozen=True):
    """Two people, and how often each finished before the other."""

    first: int
    second: int
    before: int
    behind: int


class Summary(Struct, frozen=True):
    """The summary of an evening or a season."""

    scores: tuple[Score, ...]
    matches: int
    streak: tuple[int, int] | None = None
    """The longest current streak of wins: the person and its length."""
    duel: Duel | None = None
    best: NotableHand | None = None
    unluckiest: NotableHand | None = None
    cards: tuple[str, ...] = ()
    """The cards that ended the winner's last match."""


Places = Mapping[int, int]
"""The place of each person in a match, 0 for the best."""


def scores(matches: Iterable[Places], points: Sequence[int] = POINTS) -> tuple[Score, ...]:
    """Return each person's score in these matches, best first. People who tie all get the points of their place."""
    total, wins, played = Counter[int](), Counter[int](), Counter[int]()
    for match in matches:
        for person, place in places_among(match).items():
            total[person] += points[place] if place < len(points) else 0
            wins[person] += place == 0
            played[person] += 1
    unsorted = (Score(person, total[person], wins[person], played[person]) for person in played)
    return tuple(sorted(unsorted, key=lambda score: (-score.points, -score.wins, score.matches, score.person)))


def leaders(scores: Sequence[Score]) -> list[Score]:
    """Return the scores that share the first place."""
    return [score for score in scores if (score.points, score.wins) == (scores[0].points, scores[0].wins)]


def placed(scores: Sequence[Score]) -> list[int]:
    """Return the place of each score, counted from 0; scores with equal points and wins share a place."""
    keys = [(-score.points, -score.wins) for score in scores]
    return [sum(other < key for other in keys) for key in keys]


def summary(matches: Sequence[PlayedMatch], before: Sequence[Places] = (), points: Sequence[int] = POINTS) -> Summary:
    """Return an evening's summary; `before` has earlier matches, oldest first, which count for streaks only."""
    ordered = sorted(matches, key=lambda match: match.ended)
    all_scores = scores((match.places for match in ordered), points)
    winners = {leader.person for leader in leaders(all_scores)} if all_scores else set()
    won = [match.cards for match in ordered if match.cards and winners & _first(match.places)]
    deals = [deal for match in ordered for deal in match.deals]
    return Summary(
        all_scores,
        len(ordered),
        _streak([*before, *(match.places for match in ordered)], {score.person for score in all_scores}),
        _duel([match.places for match in ordered]),
        *_notable(deals),
        won[-1] if won else (),
    )


def _first(places: Places) -> set[int]:
    return {person for person, place in places_among(places).items() if place == 0}


def _streak(matches: Sequence[Places], present: set[int]) -> tuple[int, int] | None:
    """Return the longest current streak of wins among the people in `present`; None if it is short or shared."""
    rows = dict.fromkeys(present, 0)
    for match in matches:
        first = _first(match)
        for person in present & match.keys():
            rows[person] = rows[person] + 1 if person in first else 0
    longest = max(rows.values(), default=0)
    who = [person for person, row in rows.items() if row == longest]
    return (who[0], longest) if longest >= STREAK and len(who) == 1 else None


def _duel(matches: Sequence[Places]) -> Duel | None:
    """Return the pair that met most often; among several such pairs, the one with the closest result."""
    before: defaultdict[tuple[int, int], int] = defaultdict(int)
    for match in matches:
        for one, place in match.items():
            for other, behind in match.items():
                before[one, other] += place < behind
    pairs = [(one, other) for one, other in before if one < other]
    duels = [(before[one, other], before[other, one], one, other) for one, other in pairs]
    often = [duel for duel in duels if duel[0] + duel[1] >= OFTEN]
    if not often:
        return None
    ahead, behind, one, other = min(often, key=lambda duel: (-duel[0] - duel[1], abs(duel[0] - duel[1]), duel[2:]))
    return Duel(one, other, ahead, behind) if ahead >= behind else Duel(other, one, behind, ahead)


def _notable(deals: Sequence[PlayedDeal]) -> tuple[NotableHand | None, NotableHand | None]:
    """Return the deals with the largest lead and with the smallest gap; None if all leads are equal."""
    leads = [lead for deal in deals if (lead := _lead(deal)) is not None]
    if len({points for _, _, points in leads}) < 2:
        return None, None
    winner, _, most = max(leads, key=lambda lead: lead[2])
    _, loser, least = min(leads, key=lambda lead: lead[2])
    return NotableHand(winner, most), NotableHand(loser, least)


def _lead(deal: PlayedDeal) -> tuple[int, int, int] | None:
    """Return the single winner of a deal, the single second, and the difference in points; None for ties."""
    places = places_among(deal.places)
    first, second = ([person for person, place in places.items() if place == wanted] for wanted in (0, 1))
    if len(first) != 1 or len(second) != 1:
        return None
    return first[0], second[0], abs(deal.points[first[0]] - deal.points[second[0]])
