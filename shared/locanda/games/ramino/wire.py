"""A deal in the wire's form, with codes for cards, and the validation of a posted deal (ruling R9)."""

from collections import Counter
from collections.abc import Iterator

from locanda.cuccu import CARDS, CODES, COPIES
from locanda.cuccu import codes as codes_of
from locanda.games.game import MalformedDealError
from locanda.games.ramino import types as wire
from locanda.games.ramino.deal import DealState, codes, packed, seats
from locanda.games.ramino.moves import ON_TABLE, is_combination


def to_wire(deal: DealState) -> wire.Deal:
    """Return the deal in the wire's form, with hidden cards."""
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


def from_wire(posted: wire.Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    players = len(posted.hands)
    _check_seats(posted, players)
    _check_cards(posted)
    drawn = _drawn(posted)
    _check_turn(posted, drawn=drawn)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(_counts(hand) for hand in posted.hands),
        known=tuple(_counts(known) for known in posted.known or ((),) * players),
        stock=bytes(CARDS[code] for code in posted.stock),
        discards=bytes(CARDS[code] for code in posted.discards),
        melds=tuple(_counts(meld) for meld in posted.melds),
        drawn=drawn,
        taken=None if posted.taken is None else CARDS[posted.taken],
        opened=sum(1 << seat for seat, opened in enumerate(posted.opened or ()) if opened),
        acted=posted.acted,
        idle=posted.idle,
        closer=posted.closer,
    )


def _counts(cards: wire.Cards) -> int:
    return packed(CARDS[code] for code in cards)


def _drawn(posted: wire.Deal) -> bool:
    """Return whether the seat on turn has drawn.

    Without `phase`: if it has moved since, or there is nothing to draw.
    """
    if posted.phase is not None:
        return posted.phase == "play"
    return posted.taken is not None or posted.acted or not (posted.stock or posted.discards)


# --- validation of a posted deal


def _check_seats(posted: wire.Deal, players: int) -> None:
    if players not in seats(posted.options):
        raise MalformedDealError("hands: these options do not admit so many players")
    for name in ("opened", "known"):
        if len(getattr(posted, name) or posted.hands) != players:
            raise MalformedDealError(f"{name}: there must be one entry for each hand")
    for name in ("dealer", "turn", "closer"):
        if (getattr(posted, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")


def _check_turn(posted: wire.Deal, *, drawn: bool) -> None:
    """Refuse a turn without any possible move, or one that contradicts itself."""
    if posted.turn is None:
        if posted.closer is not None and posted.hands[posted.closer]:
            raise MalformedDealError("closer: who closed holds no card")
        return
    if posted.closer is not None:
        raise MalformedDealError("closer: nobody has closed while somebody is on turn")
    if drawn and not posted.hands[posted.turn]:
        raise MalformedDealError("hands: who is on turn and has drawn holds a card")
    if not drawn and not (posted.stock or posted.discards):
        raise MalformedDealError("stock: there is nothing to draw, nor to take from the discards")
    if not drawn and (posted.taken is not None or posted.acted):
        raise MalformedDealError("phase: a card was taken, laid or attached, so the draw is over")


def _check_cards(posted: wire.Deal) -> None:
    """Refuse a third copy of a card, cards on the table that are no combination, and known cards that no hand has."""
    left = Counter(dict.fromkeys(CODES, COPIES))
    for place, pile in _piles(posted):
        left.subtract(pile)
        for code in pile:
            if left[code] < 0:
                raise MalformedDealError(f"{place}: there are but two of {code} in the deck")
    for number, meld in enumerate(posted.melds):
        if len(meld) != ON_TABLE or not is_combination(_counts(meld)):
            raise MalformedDealError(f"melds[{number}]: not a combination of three cards")
    for seat, known in enumerate(posted.known or ()):
        if Counter(known) - Counter(posted.hands[seat]):
            raise MalformedDealError(f"known[{seat}]: not in the hand")


def _piles(posted: wire.Deal) -> Iterator[tuple[str, wire.Cards]]:
    for name, piles in (("hands", posted.hands), ("melds", posted.melds)):
        yield from ((f"{name}[{number}]", pile) for number, pile in enumerate(piles))
    yield from (("stock", posted.stock), ("discards", posted.discards))
