"""Why the seat on turn may not make a move."""

from locanda.cards import CARDS, CODES, codes, members
from locanda.games.base import Refusal
from locanda.games.gatto_rosso import MUST_PLAY, Move, Play
from locanda.refusals import MUST_BEAT, MUST_LEAD, NOT_IN_HAND
from services.engine.games.gatto_rosso.moves import PASS, moves, playable
from services.engine.games.gatto_rosso.state import DealState


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return _check_play(deal, deal.turn, move) if isinstance(move, Play) else _check_pass(deal, deal.turn)


def _check_play(deal: DealState, seat: int, move: Play) -> Refusal | None:
    card = CARDS[move.card]
    if not deal.hands[seat] >> card & 1:
        return NOT_IN_HAND.refuse({"card": move.card})
    if not playable(deal, seat) >> card & 1:
        return MUST_BEAT.refuse({"card": move.card, "top": CODES[deal.table[-1]]})
    return None


def _check_pass(deal: DealState, seat: int) -> Refusal | None:
    if PASS in moves(deal):
        return None
    if not deal.table:
        return MUST_LEAD.refuse()
    return MUST_PLAY.refuse({"top": CODES[deal.table[-1]], "cards": codes(members(playable(deal, seat)))})
