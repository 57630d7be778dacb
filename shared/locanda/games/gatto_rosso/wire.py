"""A deal in the wire's form, with codes for cards, and the validation of a posted deal (ruling R9)."""

from locanda.cards import CARDS, codes, mask, members
from locanda.games.game import MalformedDealError
from locanda.games.gatto_rosso import types as wire
from locanda.games.gatto_rosso.deal import DealState, cards_in_play, hand_codes, seats


def to_wire(deal: DealState) -> wire.Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return wire.Deal(
        hands=tuple(map(hand_codes, deal.hands)),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes(deal.stock),
        table=codes(deal.table),
        last=deal.last,
        passes=deal.passes,
        captured=deal.captured,
        sitting_out=tuple(members(deal.sitting_out)),
    )


def from_wire(posted: wire.Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    _check_seats(posted)
    _check_cards(posted)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(mask(CARDS[code] for code in hand) for hand in posted.hands),
        stock=bytes(CARDS[code] for code in posted.stock),
        table=bytes(CARDS[code] for code in posted.table),
        last=_last(posted),
        passes=posted.passes,
        captured=posted.captured or (0,) * len(posted.hands),
        sitting_out=mask(posted.sitting_out),
    )


def _last(posted: wire.Deal) -> int | None:
    """Return who played the top card. If a posted deal leaves it out, count the passes back from the turn."""
    if posted.last is not None or not posted.table or posted.turn is None:
        return posted.last
    return (posted.turn - 1 - posted.passes) % len(posted.hands)


# --- validation of a posted deal


def _check_seats(posted: wire.Deal) -> None:
    players = len(posted.hands)
    if players not in seats(posted.options):
        raise MalformedDealError("hands: these options do not admit so many players")
    if posted.captured is not None and len(posted.captured) != players:
        raise MalformedDealError("captured: there must be one count for each hand")
    for name in ("dealer", "turn", "last"):
        if (getattr(posted, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")
    if posted.turn is not None and not posted.table and not posted.hands[posted.turn]:
        raise MalformedDealError("turn: who leads holds cards")
    if any(seat >= players for seat in posted.sitting_out):
        raise MalformedDealError("sitting_out: no such seat")
    if posted.sitting_out and not posted.options.pass_lock:
        raise MalformedDealError("sitting_out: only with pass_lock")


def _check_cards(posted: wire.Deal) -> None:
    """Refuse a card that is not in the pack, or occurs twice."""
    left = set(cards_in_play(posted.options.three_suits))
    piles = {f"hands[{seat}]": hand for seat, hand in enumerate(posted.hands)}
    for place, pile in {**piles, "stock": posted.stock, "table": posted.table}.items():
        for code in pile:
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
