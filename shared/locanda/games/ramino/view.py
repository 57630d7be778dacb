"""What each seat and a spectator see of a deal, and random deals that agree with such a view (ruling B20)."""

from random import Random

from locanda.cuccu import CARDS, CODES, PACK
from locanda.cuccu import codes as codes_of
from locanda.games.ramino.deal import DealState, codes, packed, size, unpacked
from locanda.games.ramino.types import Cards, View


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator (None), sees; once the deal is over, every hand."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(deal.hands[seat]),
        counts=tuple(map(size, deal.hands)),
        stock_count=len(deal.stock),
        discards=codes_of(deal.discards),
        melds=tuple(map(codes, deal.melds)),
        phase="play" if deal.drawn else "draw",
        taken=None if deal.taken is None else CODES[deal.taken],
        opened=tuple([bool(deal.opened >> seat & 1) for seat in range(len(deal.hands))]),
        acted=deal.acted,
        idle=deal.idle,
        known=tuple(map(codes, deal.known)),
        closer=deal.closer,
        hands=tuple(map(codes, deal.hands)) if deal.turn is None else None,
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    seen = [_seen(view, seat) for seat in range(len(view.counts))]
    melds, discards = tuple(_counts(meld) for meld in view.melds), bytes(CARDS[code] for code in view.discards)
    unseen = list(unpacked(packed(PACK) - sum(seen) - sum(melds) - packed(discards)))
    rng.shuffle(unseen)
    hands = tuple(
        own + packed(unseen.pop() for _ in range(count - size(own)))
        for own, count in zip(seen, view.counts, strict=True)
    )
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=hands,
        known=tuple(_counts(known) for known in view.known),
        stock=bytes(unseen[: view.stock_count]),
        discards=discards,
        melds=melds,
        drawn=view.phase == "play",
        taken=None if view.taken is None else CARDS[view.taken],
        opened=sum(1 << seat for seat, opened in enumerate(view.opened) if opened),
        acted=view.acted,
        idle=view.idle,
        closer=view.closer,
    )


def _seen(view: View, seat: int) -> int:
    """Return the cards of a hand that the view shows."""
    if view.hands is not None:
        return _counts(view.hands[seat])
    if view.hand is not None and seat == view.seat:
        return _counts(view.hand)
    return _counts(view.known[seat])


def _counts(cards: Cards) -> int:
    return packed(CARDS[code] for code in cards)
