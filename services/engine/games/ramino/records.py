"""A deal on the wire: codes for cards, and the checks of a deal that somebody posts (rules 9.2)."""

from collections import Counter
from collections.abc import Iterator

from services.engine.games.game import MalformedDealError
from services.engine.games.ramino.combinations import ON_TABLE, is_combination
from services.engine.games.ramino.counts import codes, packed
from services.engine.games.ramino.state import Deal, seats
from shared.cuccu import CARDS, CODES, COPIES
from shared.cuccu import codes as codes_of
from shared.games import ramino as wire


def record(deal: Deal) -> wire.Deal:
    """Return the deal as the wire shows it."""
    return wire.Deal(
        hands=tuple(codes(hand) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes_of(deal.stock),
        discards=codes_of(deal.discards),
        melds=tuple(codes(meld) for meld in deal.melds),
        phase="play" if deal.drawn else "draw",
        taken=None if deal.taken is None else CODES[deal.taken],
        opened=tuple(bool(deal.opened >> seat & 1) for seat in range(len(deal.hands))),
        acted=deal.acted,
        idle=deal.idle,
        known=tuple(codes(known) for known in deal.known),
        closer=deal.closer,
    )


def read(record: wire.Deal) -> Deal:
    """Return the deal of a record, which may be a cut-down position. Raises `MalformedDealError`."""
    players = len(record.hands)
    _check_seats(record, players)
    _check_cards(record)
    drawn = _drawn(record)
    _check_turn(record, drawn=drawn)
    return Deal(
        options=record.options,
        dealer=record.dealer,
        turn=record.turn,
        seed=bytes.fromhex(record.seed),
        shuffles=record.shuffles,
        hands=tuple(_counts(hand) for hand in record.hands),
        known=tuple(_counts(known) for known in record.known or ((),) * players),
        stock=bytes(CARDS[code] for code in record.stock),
        discards=bytes(CARDS[code] for code in record.discards),
        melds=tuple(_counts(meld) for meld in record.melds),
        drawn=drawn,
        taken=None if record.taken is None else CARDS[record.taken],
        opened=sum(1 << seat for seat, opened in enumerate(record.opened or ()) if opened),
        acted=record.acted,
        idle=record.idle,
        closer=record.closer,
    )


def _counts(cards: wire.Cards) -> int:
    return packed(CARDS[code] for code in cards)


def _drawn(record: wire.Deal) -> bool:
    """Tell whether the seat on turn has drawn; where the record does not say, whether it shows signs of it."""
    if record.phase is not None:
        return record.phase == "play"
    return record.taken is not None or record.acted or not (record.stock or record.discards)


def _check_seats(record: wire.Deal, players: int) -> None:
    if players not in seats(record.options):
        raise MalformedDealError("hands: these options do not admit so many players")
    for name in ("opened", "known"):
        if len(getattr(record, name) or record.hands) != players:
            raise MalformedDealError(f"{name}: there must be one entry for each hand")
    for name in ("dealer", "turn", "closer"):
        if (getattr(record, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")


def _check_turn(record: wire.Deal, *, drawn: bool) -> None:
    """Refuse a turn in which nothing could be done, or that contradicts itself."""
    if record.turn is None:
        if record.closer is not None and record.hands[record.closer]:
            raise MalformedDealError("closer: who closed holds no card")
        return
    if record.closer is not None:
        raise MalformedDealError("closer: nobody has closed while somebody is on turn")
    if drawn and not record.hands[record.turn]:
        raise MalformedDealError("hands: who is on turn and has drawn holds a card")
    if not drawn and not (record.stock or record.discards):
        raise MalformedDealError("stock: there is nothing to draw, nor to take from the discards")
    if not drawn and (record.taken is not None or record.acted):
        raise MalformedDealError("phase: a card was taken, laid or attached, so the draw is over")


def _check_cards(record: wire.Deal) -> None:
    """Refuse a third copy of a card, a combination that is none, and known cards that are not there."""
    left = Counter(dict.fromkeys(CODES, COPIES))
    for place, pile in _piles(record):
        left.subtract(pile)
        for code in pile:
            if left[code] < 0:
                raise MalformedDealError(f"{place}: there are but two of {code} in the deck")
    for number, meld in enumerate(record.melds):
        if len(meld) != ON_TABLE or not is_combination(_counts(meld)):
            raise MalformedDealError(f"melds[{number}]: not a combination of three cards")
    for seat, known in enumerate(record.known or ()):
        if Counter(known) - Counter(record.hands[seat]):
            raise MalformedDealError(f"known[{seat}]: not in the hand")


def _piles(record: wire.Deal) -> Iterator[tuple[str, wire.Cards]]:
    for name, piles in (("hands", record.hands), ("melds", record.melds)):
        yield from ((f"{name}[{number}]", pile) for number, pile in enumerate(piles))
    yield from (("stock", record.stock), ("discards", record.discards))
