"""What each seat and a spectator see of a deal, and random deals that agree with such a view (ruling P25)."""

from random import Random

from locanda.cards import mask, members
from locanda.games.presidente.deal import DealState, codes, decoded, pack
from locanda.games.presidente.types import View
from locanda.games.presidente.wire import (
    combination_from_wire,
    combination_to_wire,
    knowledge_from_wire,
    knowledge_to_wire,
    phase,
)


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator (None), sees; of the tax, only what concerns the seat."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(deal.hands[seat]),
        counts=tuple(map(int.bit_count, deal.hands)),
        stock_count=deal.shown.bit_count(),
        shown=codes(deal.shown) if deal.options.leftovers == "shown" or deal.turn is None else (),
        table=combination_to_wire(deal.table),
        last=deal.last,
        passes=deal.passes,
        inverted=deal.inverted,
        out=deal.out,
        phase=phase(deal),
        dues=deal.dues,
        known=tuple([knowledge_to_wire(fact) for fact in deal.known if seat in fact[:2]]),
        gone=codes(deal.gone),
        sitting_out=tuple(members(deal.sitting_out)),
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    hands, shown, table, gone = (
        _seen_hands(view),
        decoded(view.shown),
        combination_from_wire(view.table),
        decoded(view.gone),
    )
    seen = sum(hands) | shown | gone | (table.cards if table else 0)
    unseen = [card for card in pack(joker=view.options.joker) if not seen >> card & 1]
    rng.shuffle(unseen)
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=tuple(_filled(hand, count, unseen) for hand, count in zip(hands, view.counts, strict=True)),
        shown=_filled(shown, view.stock_count, unseen),
        table=table,
        last=view.last,
        passes=view.passes,
        inverted=view.inverted,
        out=view.out,
        dues=view.dues,
        known=tuple(map(knowledge_from_wire, view.known)),
        gone=gone,
        sitting_out=mask(view.sitting_out),
    )


def _seen_hands(view: View) -> list[int]:
    """Return by seat the cards that the viewer knows: their own hand, and others' cards that they know by the tax."""
    hands = [0] * len(view.counts)
    for fact in view.known:
        hands[fact.seat] |= decoded(fact.cards)
    if view.seat is not None and view.hand is not None:
        hands[view.seat] = decoded(view.hand)
    return hands


def _filled(cards: int, count: int, unseen: list[int]) -> int:
    """Add unseen cards up to a number, removing them from the unseen."""
    missing = count - cards.bit_count()
    return cards | mask(unseen.pop() for _ in range(missing))
