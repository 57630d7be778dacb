"""What the seat on turn may do."""

from itertools import combinations as subsets

from services.engine.games.presidente.cards import codes
from services.engine.games.presidente.combinations import Combination, combination, unbeatable
from services.engine.games.presidente.finding import answers, leads
from services.engine.games.presidente.state import Deal
from shared.games.base import Pass
from shared.games.presidente import Give, Move, Play

PASS = Pass()


def moves(deal: Deal) -> list[Move]:
    """Return every legal move of the seat on turn: low before high, those with the joker later, the pass last."""
    if deal.turn is None:
        return []
    hand = deal.hands[deal.turn]
    if deal.dues:
        return [Give(chosen) for chosen in subsets(codes(hand), deal.dues[0][2])]
    if deal.table is None:
        return [*_allowed(deal, hand, leads(hand))]
    if unbeatable(deal.table, deal.options):
        return [PASS]
    return [*_allowed(deal, hand, answers(hand, deal.table, inverted=deal.inverted)), PASS]


def _allowed(deal: Deal, hand: int, plays: list[Play]) -> list[Play]:
    if deal.options.finish_ban == "none":
        return plays
    read = ((play, combination(play)) for play in plays)
    return [play for play, what in read if what is not None and not forbidden(deal, hand, what)]


def forbidden(deal: Deal, hand: int, played: Combination) -> bool:
    """Would it empty the hand with a card that may not be the last (option `finish_ban`)?

    A leader has to play, so that who leads with a single card left may always play it.
    """
    if played.cards != hand or (deal.table is None and played.size == 1):
        return False
    ban = deal.options.finish_ban
    return (ban in ("joker", "both") and played.has_joker) or (ban in ("eight", "both") and played.has_eight)
