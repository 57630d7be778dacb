"""What each seat and a spectator may see of a deal, and random deals that agree with such a view."""

from random import Random

from locanda.games.highest_card import View
from services.engine.games.highest_card.state import PACK, DealState

from locanda.cards import CARDS, CODES, codes, mask, members


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator, may see."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(members(deal.hands[seat])),
        counts=tuple(map(int.bit_count, deal.hands)),
        stock_count=len(deal.stock),
        table=None if deal.table is None else CODES[deal.table],
        captured=deal.captured,
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; the unseen cards lie anywhere."""
    own = [CARDS[code] for code in view.hand or ()]
    table = None if view.table is None else CARDS[view.table]
    unseen = [card for card in PACK if card not in own and card != table]
    rng.shuffle(unseen)
    hands = (
        mask(own if seat == view.seat else [unseen.pop() for _ in range(count)])
        for seat, count in enumerate(view.counts)
    )
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=tuple(hands),
        stock=bytes(unseen[: view.stock_count]),
        table=table,
        captured=view.captured,
    )
