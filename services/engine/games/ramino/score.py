"""Points against, ranking, and the end of the match (rules.en.md: The score, A blocked deal, The end of the match)."""

from collections.abc import Sequence

from locanda.cuccu import CARDS, DESIGNS
from locanda.games.base import Result
from locanda.games.ramino import FEWEST_WINS, Options
from services.engine.games.base import rank_by_points
from services.engine.games.ramino.state import DealState, packed, unpacked

MOST_DEALS = 100
"""The deals of a match whose options would let it go on for ever: void blocked deals, or extra deals after ties."""

ONE_CARD = frozenset(packed([card]) for card in CARDS.values())
"""The hands of a single card."""


def is_blocked(deal: DealState) -> bool:
    """Return whether the turn that just ended was the last: nobody can close any more, or nobody has moved for long."""
    if deal.idle >= deal.options.idle_rounds * len(deal.hands):
        return True
    return not deal.melds and ONE_CARD.issuperset(deal.hands)


def score(deal: DealState) -> Result:
    """Count the cards left in the hands and rank the seats, fewest points first, equals together."""
    points = _points(deal)
    ranking = rank_by_points(points, fewest_wins=FEWEST_WINS)
    if deal.closer is None:
        return Result(ranking, points, "blocked")
    return Result(ranking, points, "ramino" if is_ramino(deal, deal.closer) else "closed")


def is_ramino(deal: DealState, closer: int) -> bool:
    """Return whether the closer got rid of the whole hand in this turn (ruling B12)."""
    return not deal.opened >> closer & 1


def _points(deal: DealState) -> tuple[int, ...]:
    if deal.closer is None:
        counted = deal.options.blocked_score == "count"
        return tuple(value(hand) if counted else 0 for hand in deal.hands)
    times = 2 if deal.options.ramino_double and is_ramino(deal, deal.closer) else 1
    return tuple(times * value(hand) for hand in deal.hands)


def value(hand: int) -> int:
    """Return what the cards of a hand count: their numerals, ten for each figure without one."""
    return sum(DESIGNS[card].points for card in unpacked(hand))


def match_over(options: Options, deals: int, points: Sequence[int]) -> bool:
    """Return whether a total has reached the target, or an extra deal has broken the tie that was left."""
    endless = options.blocked_score == "void" or options.final_tie == "extra_deal"
    if endless and deals >= MOST_DEALS:
        return True
    tied = points.count(min(points)) > 1
    return max(points) >= options.target and not (tied and options.final_tie == "extra_deal")
