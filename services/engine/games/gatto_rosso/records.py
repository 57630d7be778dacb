"""A deal on the wire: codes for cards, and the checks of a deal that somebody posts (rules 9.2)."""

from services.engine.games.game import MalformedDealError
from services.engine.games.gatto_rosso.state import Deal, cards_in_play, seats
from shared.cards import CARDS, codes, mask, members
from shared.games import gatto_rosso as wire


def record(deal: Deal) -> wire.Deal:
    """Return the deal as the wire shows it."""
    return wire.Deal(
        hands=tuple(codes(members(hand)) for hand in deal.hands),
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


def read(record: wire.Deal) -> Deal:
    """Return the deal of a record, which may be a cut-down position. Raises `MalformedDealError`."""
    _check_seats(record)
    _check_cards(record)
    return Deal(
        options=record.options,
        dealer=record.dealer,
        turn=record.turn,
        seed=bytes.fromhex(record.seed),
        shuffles=record.shuffles,
        hands=tuple(mask(CARDS[code] for code in hand) for hand in record.hands),
        stock=bytes(CARDS[code] for code in record.stock),
        table=bytes(CARDS[code] for code in record.table),
        last=_last(record),
        passes=record.passes,
        captured=record.captured or (0,) * len(record.hands),
        sitting_out=mask(record.sitting_out),
    )


def _last(record: wire.Deal) -> int | None:
    """Return who played the top card; where the record does not say, count the passes back from the turn."""
    if record.last is not None or not record.table or record.turn is None:
        return record.last
    return (record.turn - 1 - record.passes) % len(record.hands)


def _check_seats(record: wire.Deal) -> None:
    players = len(record.hands)
    if players not in seats(record.options):
        raise MalformedDealError("hands: these options do not admit so many players")
    if record.captured is not None and len(record.captured) != players:
        raise MalformedDealError("captured: there must be one count for each hand")
    for name in ("dealer", "turn", "last"):
        if (getattr(record, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")
    if record.turn is not None and not record.table and not record.hands[record.turn]:
        raise MalformedDealError("turn: who leads holds cards")
    if any(seat >= players for seat in record.sitting_out):
        raise MalformedDealError("sitting_out: no such seat")
    if record.sitting_out and not record.options.pass_lock:
        raise MalformedDealError("sitting_out: only with pass_lock")


def _check_cards(record: wire.Deal) -> None:
    """Refuse a card that the pack does not hold, or holds but once."""
    left = set(cards_in_play(record.options.three_suits))
    piles = {f"hands[{seat}]": hand for seat, hand in enumerate(record.hands)}
    for place, pile in {**piles, "stock": record.stock, "table": record.table}.items():
        for code in pile:
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
