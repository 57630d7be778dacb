"""Places and points: one point for who went out first."""

from collections.abc import Sequence

from services.engine.games.presidente.state import Deal
from shared.games.base import Result
from shared.games.presidente import Options


def result(deal: Deal) -> Result | None:
    """Return ranking and points once the deal is over, else nothing."""
    return score(deal) if deal.turn is None else None


def score(deal: Deal) -> Result:
    """Rank the seats as they went out; those that still hold cards share the last place (ruling P16)."""
    players = range(len(deal.hands))
    rest = tuple(seat for seat in players if seat not in deal.out)
    ranking = (*((seat,) for seat in deal.out), *((rest,) if rest else ()))
    points = tuple(int(seat == deal.out[0]) for seat in players)
    return Result(ranking, points, "all_placed" if deal.options.plays_on else "first_out")


def match_over(options: Options, deals: int, _points: Sequence[int]) -> bool:
    """Tell whether the match has had all its deals."""
    return deals >= options.deals
