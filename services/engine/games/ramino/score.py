"""Points against, ranking, and the end of the match (rules 2.2, Scoring, Ramino, Blocked deal, End of match)."""

from collections.abc import Sequence

from services.engine.games.ramino.counts import packed, unpacked
from services.engine.games.ramino.state import Deal
from shared.cuccu import CARDS, DESIGNS
from shared.games.base import Result
from shared.games.ramino import Options

MOST_DEALS = 100
"""The deals of a match whose options would let it go on for ever: void blocked deals, or extra deals after ties."""

ONE_CARD = frozenset(packed([card]) for card in CARDS.values())
"""The hands of a single card."""


def is_blocked(deal: Deal) -> bool:
    """Tell whether the turn that just ended was the last: nobody can close any more, or nobody has moved for long."""
    if deal.idle >= deal.options.idle_rounds * len(deal.hands):
        return True
    return not deal.melds and ONE_CARD.issuperset(deal.hands)


def result(deal: Deal) -> Result | None:
    """Return ranking and points once the deal is over, else nothing."""
    return score(deal) if deal.turn is None else None


def score(deal: Deal) -> Result:
    """Count the cards left in the hands and rank the seats, fewest points first, equals together."""
    points = _points(deal)
    ranking = tuple(tuple(seat for seat, own in enumerate(points) if own == each) for each in sorted(set(points)))
    if deal.closer is None:
        return Result(ranking, points, "blocked")
    return Result(ranking, points, "ramino" if is_ramino(deal, deal.closer) else "closed")


def is_ramino(deal: Deal, closer: int) -> bool:
    """Tell whether the closer's whole hand went in this one turn (ruling B12: attaching in it is allowed)."""
    return not deal.opened >> closer & 1


def _points(deal: Deal) -> tuple[int, ...]:
    if deal.closer is None:
        counted = deal.options.blocked_score == "count"
        return tuple(value(hand) if counted else 0 for hand in deal.hands)
    times = 2 if deal.options.ramino_double and is_ramino(deal, deal.closer) else 1
    return tuple(times * value(hand) for hand in deal.hands)


def value(hand: int) -> int:
    """Return what the cards of a hand count: their numerals, ten for each figure without one."""
    return sum(DESIGNS[card].points for card in unpacked(hand))


def match_over(options: Options, deals: int, points: Sequence[int]) -> bool:
    """Tell whether a total has reached the target, or an extra deal has broken the tie that was left."""
    endless = options.blocked_score == "void" or options.final_tie == "extra_deal"
    if endless and deals >= MOST_DEALS:
        return True
    tied = points.count(min(points)) > 1
    return max(points) >= options.target and not (tied and options.final_tie == "extra_deal")
