"""The refill after each trick, which levels the hands when the stock is short (rulings A5, A6)."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from services.engine.games.gatto_rosso.state import HAND, Deal
from shared.games.gatto_rosso import Refilled


def refill(deal: Deal, winner: int) -> tuple[Deal, Refilled]:
    """Deal from the stock, one card at a time, until every hand holds four or the stock is empty."""
    before = [hand.bit_count() for hand in deal.hands]
    hands, stock = list(deal.hands), bytearray(deal.stock)
    for seat in _order(before, winner, len(stock), level=deal.options.last_deal == "level_hands"):
        hands[seat] |= 1 << stock.pop()
    drawn = tuple(hand.bit_count() - held for hand, held in zip(hands, before, strict=True))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock)), Refilled(drawn, len(stock))


def _order(held: Sequence[int], winner: int, stock: int, *, level: bool) -> Iterator[int]:
    """Yield the seats that the cards go to, from the winner round the table; `level`: always to the shortest hand."""
    counts = list(held)
    round_table = (*range(winner, len(held)), *range(winner))
    while stock and min(counts) < HAND:
        longest = min(counts) if level else HAND - 1
        for seat in [seat for seat in round_table if counts[seat] <= longest][:stock]:
            yield seat
            counts[seat] += 1
            stock -= 1
