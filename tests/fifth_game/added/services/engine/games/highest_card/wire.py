"""A deal in the wire's form, with codes for cards, and the validation of a posted deal (ruling R9)."""

from locanda.games.highest_card import Deal
from services.engine.games.highest_card.state import PACK, DealState

from locanda.cards import CARDS, CODES, codes, mask, members
from services.engine.games.base import MalformedDealError


def to_wire(deal: DealState) -> Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return Deal(
        hands=tuple(codes(members(hand)) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes(deal.stock),
        table=None if deal.table is None else CODES[deal.table],
        captured=deal.captured,
    )


def from_wire(posted: Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    _validate(posted)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(mask(CARDS[code] for code in hand) for hand in posted.hands),
        stock=bytes(CARDS[code] for code in posted.stock),
        table=None if posted.table is None else CARDS[posted.table],
        captured=posted.captured,
    )


def _validate(posted: Deal) -> None:
    """Refuse a card that the pack does not hold, or holds but once, and a turn without a card to play."""
    for name in ("dealer", "turn"):
        if (getattr(posted, name) or 0) >= len(posted.hands):
            raise MalformedDealError(f"{name}: no such seat")
    left = set(PACK)
    for place, pile in (("hands", posted.hands[0] + posted.hands[1]), ("stock", posted.stock)):
        for code in pile:
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
    if posted.table is not None and CARDS[posted.table] not in left:
        raise MalformedDealError("table: the card is not in the pack, or is there twice")
    if posted.turn is not None and not posted.hands[posted.turn]:
        raise MalformedDealError("turn: who is on turn holds cards")
