"""What each seat and a spectator see of a deal, and random deals that agree with such a view (ruling D21)."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from locanda.games.diavoletto.deal import CODES, JOKER, PACK, DealState, cards, codes
from locanda.games.diavoletto.types import Mazzetto, View

BOTH_PACKS = PACK * 2 + bytes((JOKER, JOKER))


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator (None), sees."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(deal.hands[seat]),
        counts=tuple(map(len, deal.hands)),
        mazzetti=tuple([Mazzetto(CODES[pile[-1]] if pile else None, len(pile)) for pile in deal.mazzetti]),
        columns=tuple([tuple(map(codes, columns)) for columns in deal.columns]),
        builds=tuple(map(codes, deal.builds)),
        aside=codes(deal.aside),
        stock_count=len(deal.stock),
        stalled=deal.stalled,
        barren=deal.barren,
        moved=deal.moved,
        advanced=deal.advanced,
        refills=deal.refills,
        redeals=deal.redeals,
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; unseen cards are placed at random."""
    unseen = _unseen(view)
    rng.shuffle(unseen)
    first, second = _mazzetti(view, unseen)
    rng.shuffle(unseen)
    hands = [cards(view.hand or ()) if seat == view.seat else _dealt(unseen, view.counts[seat]) for seat in (0, 1)]
    return deal_with(view, rng.randbytes(32), (hands[0], hands[1]), (first, second), bytes(unseen[: view.stock_count]))


def deal_with(
    view: View, seed: bytes, hands: tuple[bytes, bytes], mazzetti: tuple[bytes, bytes], stock: bytes
) -> DealState:
    """Return the deal that a view shows, with these cards where it does not show them."""
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=seed,
        shuffles=view.shuffles,
        hands=hands,
        mazzetti=mazzetti,
        columns=(tuple(map(cards, view.columns[0])), tuple(map(cards, view.columns[1]))),
        builds=tuple(map(cards, view.builds)),
        aside=cards(view.aside),
        stock=stock,
        stalled=view.stalled,
        barren=view.barren,
        moved=view.moved,
        advanced=view.advanced,
        refills=view.refills,
        redeals=view.redeals,
    )


def _tops(view: View) -> bytes:
    return cards(each.top for each in view.mazzetti if each.top)


def _unseen(view: View) -> list[int]:
    """Return the cards of both packs that the view does not show."""
    columns = [column for columns in view.columns for column in columns]
    seen = b"".join(map(cards, (view.hand or (), view.aside, *view.builds, *columns)))
    return list((Counter(BOTH_PACKS) - Counter(seen + _tops(view))).elements())


def _mazzetti(view: View, unseen: list[int]) -> Iterator[bytes]:
    """Take the hidden cards of both mazzetti from the unseen: no joker, and no card twice, since they are one pack."""
    known = set(_tops(view))
    likely: list[int] = []
    unlikely: list[int] = []
    for card in unseen:
        (unlikely if card == JOKER or card in known else likely).append(card)
        known.add(card)
    unseen[:] = [*sorted(unlikely, reverse=True), *likely]
    for each in view.mazzetti:
        under = bytes([unseen.pop() for _ in range(each.count - (each.top is not None))])
        yield under + cards((each.top,) if each.top else ())


def _dealt(unseen: list[int], count: int) -> bytes:
    return bytes(sorted(unseen.pop() for _ in range(count)))
