"""What the seat on turn may do, and why it may not do the rest."""

from functools import lru_cache

from services.engine.games.ramino.combinations import held, takers
from services.engine.games.ramino.counts import SIZE, codes, designs
from services.engine.games.ramino.selection import check_meld, fault
from services.engine.games.ramino.state import Deal
from shared.cards import spelling
from shared.cuccu import CARDS
from shared.games.base import Refusal
from shared.games.ramino import Attach, Discard, Draw, Meld, Move

STOCK = Draw("stock")
DISCARDS = Draw("discards")


def moves(deal: Deal) -> list[Move]:
    """Return every legal move of the seat on turn: draws; or combinations, cards to attach, and discards."""
    if deal.turn is None:
        return []
    if not deal.drawn:
        return _draws(deal)
    hand = deal.hands[deal.turn]
    has = designs(hand)
    listed: list[Move] = [_meld(cards) for cards in held(hand, long=deal.options.long_scala)]
    for number, meld in enumerate(deal.melds):
        if takers(meld) & has and deal.melds.index(meld) == number:
            listed += _attaches(takers(meld) & has, number)
    return [*listed, *_discards(throwable(deal, hand))]


def _draws(deal: Deal) -> list[Move]:
    draws: list[Move] = [STOCK] if _may_draw(deal) else []
    return [*draws, DISCARDS] if deal.discards else draws


def _may_draw(deal: Deal) -> bool:
    """Tell whether there is a stock, or one can be made; or drawing without one ends the deal."""
    return bool(deal.stock) or len(deal.discards) > 1 or deal.options.stock_end == "block"


@lru_cache(maxsize=2**10)
def _meld(cards: int) -> Meld:
    return Meld(codes(cards))


@lru_cache(maxsize=2**12)
def _attaches(cards: int, number: int) -> tuple[Attach, ...]:
    return tuple(Attach(code, number) for code in codes(cards))


_discards = spelling(SIZE, lambda cards: map(Discard, codes(cards)))


def throwable(deal: Deal, hand: int) -> int:
    """Return the set of designs that may be discarded: not the one taken, unless it is all there is (ruling B8)."""
    has = designs(hand)
    if deal.taken is None or deal.options.return_taken:
        return has
    return has & ~(1 << 2 * deal.taken) or has


def check(deal: Deal, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    if isinstance(move, Draw) == deal.drawn:
        return Refusal("wrong_phase", {"phase": "play" if deal.drawn else "draw"})
    hand = deal.hands[deal.turn]
    match move:
        case Draw():
            return _check_draw(deal, move)
        case Meld():
            return check_meld(hand, move.cards, long=deal.options.long_scala)
        case Attach():
            return _check_attach(deal, hand, move)
        case Discard():
            return _check_discard(deal, hand, move.card)


def _check_draw(deal: Deal, move: Draw) -> Refusal | None:
    possible = _may_draw(deal) if move.source == "stock" else bool(deal.discards)
    return None if possible else Refusal("nothing_to_draw", {"from": move.source})


def _check_attach(deal: Deal, hand: int, move: Attach) -> Refusal | None:
    card = 1 << 2 * CARDS[move.card]
    if not designs(hand) & card:
        return Refusal("not_in_hand", {"card": move.card})
    if move.meld >= len(deal.melds):
        return Refusal("no_such_meld", {"melds": len(deal.melds)})
    meld = deal.melds[move.meld]
    if takers(meld) & card:
        return None
    return Refusal(fault(meld + card).code, {"card": move.card, "meld": codes(meld), "cards": codes(takers(meld))})


def _check_discard(deal: Deal, hand: int, code: str) -> Refusal | None:
    card = 1 << 2 * CARDS[code]
    if not designs(hand) & card:
        return Refusal("not_in_hand", {"card": code})
    return None if throwable(deal, hand) & card else Refusal("taken_card", {"card": code})
