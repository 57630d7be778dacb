"""What each seat and a spectator see of a deal, and random deals that agree with such a view (ruling A16)."""

from random import Random

from locanda.cards import CARDS, codes, mask, members
from locanda.games.gatto_rosso.deal import DealState, cards_in_play, hand_codes
from locanda.games.gatto_rosso.types import View


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator (None), sees."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else hand_codes(deal.hands[seat]),
        counts=tuple(map(int.bit_count, deal.hands)),
        stock_count=len(deal.stock),
        table=codes(deal.table),
        last=deal.last,
        passes=deal.passes,
        captured=deal.captured,
        sitting_out=tuple(members(deal.sitting_out)),
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    own = () if view.hand is None else tuple(CARDS[code] for code in view.hand)
    table = bytes(CARDS[code] for code in view.table)
    unseen = [card for card in cards_in_play(view.options.three_suits) if card not in own and card not in table]
    rng.shuffle(unseen)
    hands = tuple(
        mask(own if seat == view.seat else (unseen.pop() for _ in range(count)))
        for seat, count in enumerate(view.counts)
    )
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=hands,
        stock=bytes(unseen[: view.stock_count]),
        table=table,
        last=view.last,
        passes=view.passes,
        captured=view.captured,
        sitting_out=mask(view.sitting_out),
    )
