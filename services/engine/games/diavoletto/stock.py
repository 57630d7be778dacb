"""Drawing from the stock, which the completed builds replenish, and the new stock after a deadlock (ruling D10)."""

from msgspec import structs

from services.engine.games.diavoletto.state import COLUMNS, HAND, Deal, with_seat
from services.engine.games.game import Shuffle
from shared.games.diavoletto import Drew, Event, Recycled, Redealt


def draw(deal: Deal, seat: int, events: list[Event], shuffle: Shuffle) -> Deal:
    """Give a seat the turn and cards up to five; a stock too short for that first gets those set aside under it."""
    hand = deal.hands[seat]
    wanted = HAND - len(hand)
    if len(deal.stock) < wanted and deal.aside:
        deal = _recycle(deal, events, shuffle)
    left = max(len(deal.stock) - wanted, 0)
    drawn = deal.stock[left:]
    if not drawn:
        return structs.replace(deal, turn=seat)
    events.append(Drew(seat, len(drawn), left))
    filled = bytes(sorted(hand + drawn))
    return structs.replace(deal, turn=seat, hands=with_seat(deal.hands, seat, filled), stock=deal.stock[:left])


def _recycle(deal: Deal, events: list[Event], shuffle: Shuffle) -> Deal:
    """Shuffle the cards set aside and put them under the stock; in what order they got there has no influence."""
    stock = bytes(shuffle(deal.seed, deal.shuffles, sorted(deal.aside))) + deal.stock
    events.append(Recycled(len(stock)))
    return structs.replace(deal, stock=stock, aside=b"", shuffles=deal.shuffles + 1)


def redeal(deal: Deal, events: list[Event], shuffle: Shuffle) -> Deal:
    """Shuffle all cards but the mazzetti into a new stock, and start all counts anew (option `deadlock: redeal`)."""
    columns = deal.columns[0] + deal.columns[1]
    cards = sorted(b"".join((deal.stock, deal.aside, *deal.hands, *columns, *deal.builds)))
    events.append(Redealt(len(cards)))
    return structs.replace(
        deal,
        stock=bytes(shuffle(deal.seed, deal.shuffles, cards)),
        aside=b"",
        hands=(b"", b""),
        columns=((b"",) * COLUMNS, (b"",) * COLUMNS),
        builds=(),
        shuffles=deal.shuffles + 1,
        redeals=deal.redeals + 1,
        stalled=0,
        barren=0,
        moved=False,
        advanced=False,
        refills=0,
    )
