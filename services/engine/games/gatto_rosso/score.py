"""Points and ranking: one point for each captured card."""

from locanda.games.base import Result
from locanda.games.gatto_rosso import FEWEST_WINS
from services.engine.games.base import rank_by_points
from services.engine.games.gatto_rosso.state import DealState


def score(deal: DealState) -> Result:
    """Rank the seats by captured cards, most first, equals together."""
    ranking = rank_by_points(deal.captured, fewest_wins=FEWEST_WINS)
    return Result(ranking, deal.captured, "emptied" if deal.last is None else "closed")
