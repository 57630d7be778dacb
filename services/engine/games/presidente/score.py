"""Places and points: one point for who went out first."""

from locanda.games.base import Result
from services.engine.games.presidente.state import DealState


def score(deal: DealState) -> Result:
    """Rank the seats as they went out; those that still hold cards share the last place (ruling P16)."""
    players = range(len(deal.hands))
    rest = tuple(seat for seat in players if seat not in deal.out)
    ranking = (*((seat,) for seat in deal.out), *((rest,) if rest else ()))
    points = tuple(int(seat == deal.out[0]) for seat in players)
    return Result(ranking, points, "all_placed" if deal.options.plays_on else "first_out")
