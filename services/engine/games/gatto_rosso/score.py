"""Points and ranking: one point for each captured card."""

from collections.abc import Sequence

from services.engine.games.gatto_rosso.state import Deal
from shared.games.base import Result
from shared.games.gatto_rosso import Options


def result(deal: Deal) -> Result | None:
    """Return ranking and points once the deal is over, else nothing."""
    return score(deal) if deal.turn is None else None


def score(deal: Deal) -> Result:
    """Rank the seats by captured cards, most first, equals together."""
    tallies = sorted(set(deal.captured), reverse=True)
    ranking = tuple(tuple(seat for seat, count in enumerate(deal.captured) if count == tally) for tally in tallies)
    return Result(ranking, deal.captured, "emptied" if deal.last is None else "closed")


def match_over(options: Options, deals: int, _points: Sequence[int]) -> bool:
    """Tell whether the match has had all its deals."""
    return deals >= options.deals
