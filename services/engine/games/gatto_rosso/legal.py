"""What the seat on turn may do, and why it may not do the rest."""

from services.engine.games.gatto_rosso.beating import beaters
from services.engine.games.gatto_rosso.state import Deal
from shared.cards import CARDS, CODES, codes, members
from shared.games.base import Pass, Refusal
from shared.games.gatto_rosso import Move, Play

PASS = Pass()
PLAYS = tuple(Play(code) for code in CODES)


def moves(deal: Deal) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank, the pass last."""
    if deal.turn is None:
        return []
    playable = _playable(deal, deal.turn)
    plays: list[Move] = [PLAYS[card] for card in members(playable)]
    if deal.table and (not playable or deal.options.voluntary_pass):
        plays.append(PASS)
    return plays


def _playable(deal: Deal, seat: int) -> int:
    hand = deal.hands[seat]
    return hand & beaters(deal.options)[deal.table[-1]] if deal.table else hand


def check(deal: Deal, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return _check_play(deal, deal.turn, move) if isinstance(move, Play) else _check_pass(deal, deal.turn)


def _check_play(deal: Deal, seat: int, move: Play) -> Refusal | None:
    card = CARDS[move.card]
    if not deal.hands[seat] >> card & 1:
        return Refusal("not_in_hand", {"card": move.card})
    if not _playable(deal, seat) >> card & 1:
        return Refusal("must_beat", {"card": move.card, "top": CODES[deal.table[-1]]})
    return None


def _check_pass(deal: Deal, seat: int) -> Refusal | None:
    if not deal.table:
        return Refusal("must_lead")
    playable = _playable(deal, seat)
    if playable and not deal.options.voluntary_pass:
        return Refusal("must_play", {"top": CODES[deal.table[-1]], "cards": codes(members(playable))})
    return None
