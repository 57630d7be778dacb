"""The legal moves: which card beats which, what the seat on turn may play, and why a move is refused."""

from functools import lru_cache

from locanda.cards import CARDS, CODES, SUITS, mask, members, rank, suit
from locanda.explanations import MUST_BEAT, MUST_LEAD, NOT_IN_HAND
from locanda.games.base import Pass, Refusal
from locanda.games.gatto_rosso.deal import DealState, hand_codes
from locanda.games.gatto_rosso.types import MUST_PLAY, Move, Options, Play

# --- which card beats which

ACES = mask(card for card in range(52) if rank(card) == 0)
RED_CATS = mask((CARDS["Jh"], CARDS["Jd"]))
GREY_CATS = mask((CARDS["Qc"], CARDS["Qs"]))
CATS = RED_CATS | GREY_CATS


@lru_cache(maxsize=64)
def beaters(options: Options) -> tuple[int, ...]:
    """Return for each top card the cards that beat it (rules.en.md: What beats what, The cats; rulings A1, A8, A9)."""
    return tuple(_beaters(top, options) for top in range(52))


def _beaters(top: int, options: Options) -> int:
    ordinary = mask(card for card in range(52) if _beats(card, top, options.three_suits))
    if not options.cats:
        return ordinary
    for cats, others in ((RED_CATS, GREY_CATS), (GREY_CATS, RED_CATS)):
        if cats >> top & 1:
            return ACES | others
    own_suit = CATS & mask(card for card in range(52) if suit(card) == suit(top))
    return ordinary & ~CATS | own_suit if options.cats_strict else ordinary | own_suit


def _beats(card: int, top: int, three_suits: str | None) -> bool:
    if suit(card) == suit(top):
        return rank(card) > rank(top)
    return suit(card) == _next_suit(suit(top), three_suits)


def _next_suit(of: int, three_suits: str | None) -> int:
    following = (of + 1) % 4
    return (following + 1) % 4 if SUITS[following] == three_suits else following


# --- the moves of the seat on turn

PASS = Pass()
PLAYS = tuple(Play(code) for code in CODES)


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn: cards by suit and rank, then the pass (ruling A2)."""
    if deal.turn is None:
        return []
    cards = playable(deal, deal.turn)
    legal: list[Move] = [PLAYS[card] for card in members(cards)]
    if deal.table and (not cards or deal.options.voluntary_pass):
        legal.append(PASS)
    return legal


def playable(deal: DealState, seat: int) -> int:
    """Return the cards of a hand that may be played: any to lead, else those that beat the top card."""
    hand = deal.hands[seat]
    return hand & beaters(deal.options)[deal.table[-1]] if deal.table else hand


# --- why a move may not be made


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
    return MUST_PLAY.refuse({"top": CODES[deal.table[-1]], "cards": hand_codes(playable(deal, seat))})
