"""The effects of moves in Ramino: draws, laying, attaching, discards, the end of a deal and a match; and the points."""

from collections.abc import Sequence

from msgspec import structs

from locanda.cards.cuccu import CARDS, CODES, DESIGNS
from locanda.games.base import Result
from locanda.games.dealing import changed
from locanda.games.game import Shuffle
from locanda.games.points import rank_by_points
from locanda.games.ramino.deal import ON_TABLE, codes, unpacked, without
from locanda.games.ramino.types import (
    FEWEST_WINS,
    Attach,
    Attached,
    DealOver,
    DealState,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    Meld,
    Melded,
    Move,
    Options,
    Restocked,
    packed,
)


def play(deal: DealState, seat: int, move: Move, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    match move:  # the most frequent moves first: play-outs consist mostly of draws and discards
        case Discard():
            return _discard(deal, seat, CARDS[move.card])
        case Draw():
            return _take(deal, seat) if move.source == "discards" else _draw(deal, seat, shuffle)
        case Meld():
            return _meld(deal, seat, packed(CARDS[code] for code in move.cards))
        case Attach():
            return _attach(deal, seat, CARDS[move.card], deal.melds[move.meld])


def _take(deal: DealState, seat: int) -> tuple[DealState, list[Event]]:
    """Take the top discard. From then on, all seats know that this card is in the hand."""
    card = deal.discards[-1]
    hands = changed(deal.hands, seat, deal.hands[seat] + (1 << 2 * card))
    known = changed(deal.known, seat, deal.known[seat] + (1 << 2 * card))
    taken = structs.replace(deal, hands=hands, known=known, discards=deal.discards[:-1], drawn=True, taken=card)
    return taken, [Drew(seat, "discards", CODES[card])]


def _draw(deal: DealState, seat: int, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Draw from the stock; if it is empty, first refill it from the discards (ruling B13)."""
    events: list[Event] = []
    if not deal.stock:
        if deal.options.stock_end == "block":
            return _closed(deal, None), events
        deal = _restock(deal, shuffle, events)
    hands = changed(deal.hands, seat, deal.hands[seat] + (1 << 2 * deal.stock[-1]))
    events.append(Drew(seat, "stock"))
    return structs.replace(deal, hands=hands, stock=deal.stock[:-1], drawn=True), events


def _restock(deal: DealState, shuffle: Shuffle, events: list[Event]) -> DealState:
    """Make all discards except the top card the stock: shuffled, or turned over so that the oldest is drawn first."""
    below, top = deal.discards[:-1], deal.discards[-1:]
    events.append(Restocked(len(below)))
    if deal.options.stock_end == "turn_over":
        return structs.replace(deal, stock=below[::-1], discards=top)
    stock = bytes(shuffle(deal.seed, deal.shuffles, below))
    return structs.replace(deal, stock=stock, discards=top, shuffles=deal.shuffles + 1)


def _meld(deal: DealState, seat: int, cards: int) -> tuple[DealState, list[Event]]:
    """Lay a combination. Three cards stay on the table; more go to the discards (ruling B4)."""
    if cards.bit_count() == ON_TABLE:
        melds, discards = (*deal.melds, cards), deal.discards
    else:
        melds, discards = deal.melds, deal.discards + bytes(unpacked(cards))
    return _down(deal, seat, cards, melds, discards, Melded(seat, codes(cards)))


def _attach(deal: DealState, seat: int, card: int, meld: int) -> tuple[DealState, list[Event]]:
    """Attach a card to the first such combination of three; all four go to the discards (ruling B14)."""
    four = meld + (1 << 2 * card)
    number = deal.melds.index(meld)
    melds = deal.melds[:number] + deal.melds[number + 1 :]
    attached = Attached(seat, CODES[card], number, codes(four))
    return _down(deal, seat, four - meld, melds, deal.discards + bytes(unpacked(four)), attached)


def _down(
    deal: DealState, seat: int, cards: int, melds: tuple[int, ...], discards: bytes, event: Event
) -> tuple[DealState, list[Event]]:
    """Remove cards from the hand. An empty hand ends the deal at once (ruling B11)."""
    hand = deal.hands[seat] - cards
    down = structs.replace(
        deal,
        hands=changed(deal.hands, seat, hand),
        known=_forgotten(deal.known, seat, cards),
        melds=melds,
        discards=discards,
        acted=True,
    )
    return (down if hand else _closed(down, seat)), [event]


def _discard(deal: DealState, seat: int, card: int) -> tuple[DealState, list[Event]]:
    hand = deal.hands[seat] - (1 << 2 * card)
    thrown = structs.replace(
        deal,
        hands=changed(deal.hands, seat, hand),
        known=_forgotten(deal.known, seat, 1 << 2 * card),
        discards=deal.discards + bytes((card,)),
    )
    events: list[Event] = [Discarded(seat, CODES[card])]
    return (_end_turn(thrown, seat) if hand else _closed(thrown, seat)), events


def _end_turn(deal: DealState, seat: int) -> DealState:
    ended = structs.replace(
        deal,
        turn=(seat + 1) % len(deal.hands),
        drawn=False,
        taken=None,
        opened=deal.opened | deal.acted << seat,
        acted=False,
        idle=0 if deal.acted else deal.idle + 1,
    )
    return _closed(ended, None) if is_blocked(ended) else ended


def _closed(deal: DealState, closer: int | None) -> DealState:
    return structs.replace(deal, turn=None, closer=closer)


def deal_over(deal: DealState) -> DealOver:
    """Return the event for the end of the deal, which shows all hands."""
    return DealOver(score(deal), deal.closer, tuple(codes(hand) for hand in deal.hands))


def _forgotten(known: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Return the known cards of each hand after cards have left one, the known copies first."""
    own = known[seat]
    return changed(known, seat, without(own, cards)) if own else known


# --- points and ranking

MOST_DEALS = 100
"""Maximum number of deals of a match whose options could make it endless: void blocked deals, extra deals for ties."""

ONE_CARD = frozenset(packed([card]) for card in CARDS.values())
"""All possible hands with a single card."""


def is_blocked(deal: DealState) -> bool:
    """Return whether the deal ends with this turn: no seat can close, or too many turns passed without progress."""
    if deal.idle >= deal.options.idle_rounds * len(deal.hands):
        return True
    return not deal.melds and ONE_CARD.issuperset(deal.hands)


def score(deal: DealState) -> Result:
    """Count the cards left in the hands and rank the seats, fewest points first; ties share a place."""
    points = _points(deal)
    ranking = rank_by_points(points, fewest_wins=FEWEST_WINS)
    if deal.closer is None:
        return Result(ranking, points, "blocked")
    return Result(ranking, points, "ramino" if is_ramino(deal, deal.closer) else "closed")


def is_ramino(deal: DealState, closer: int) -> bool:
    """Return whether the closer played the whole hand in this turn (ruling B12)."""
    return not deal.opened >> closer & 1


def _points(deal: DealState) -> tuple[int, ...]:
    if deal.closer is None:
        counted = deal.options.blocked_score == "count"
        return tuple(value(hand) if counted else 0 for hand in deal.hands)
    times = 2 if deal.options.ramino_double and is_ramino(deal, deal.closer) else 1
    return tuple(times * value(hand) for hand in deal.hands)


def value(hand: int) -> int:
    """Return the points of the cards in a hand: the value of each numeral, and 10 for each figure without a numeral."""
    return sum(DESIGNS[card].points for card in unpacked(hand))


def match_over(options: Options, deals: int, points: Sequence[int]) -> bool:
    """Return whether a seat's total has reached the target and no extra deal is needed to break a tie."""
    endless = options.blocked_score == "void" or options.final_tie == "extra_deal"
    if endless and deals >= MOST_DEALS:
        return True
    tied = points.count(min(points)) > 1
    return max(points) >= options.target and not (tied and options.final_tie == "extra_deal")
