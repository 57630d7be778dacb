"""Points and ranking: one point for each captured card."""

from collections.abc import Sequence

from locanda.games.highest_card import FEWEST_WINS, Options
from services.engine.games.highest_card.state import DealState

from locanda.games.base import Result
from services.engine.games.base import rank_by_points


def score(deal: DealState) -> Result:
    """Rank the seats by captured cards."""
    return Result(rank_by_points(deal.captured, fewest_wins=FEWEST_WINS), deal.captured, "emptied")


def match_over(_options: Options, _deals: int, _points: Sequence[int]) -> bool:
    """Return whether the match has had all its deals: it has one."""
    return True
