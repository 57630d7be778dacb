"""The rules of Scopa: dealing, the moves and their effects, and the points.

Sets of cards are bit sets over the cards of `locanda.cards`; the stock is a byte string.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from locanda.cards import CARDS, CODES, ITALIAN_RANKS, mask, members, pack
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import Refusal, Result
from locanda.games.dealing import added, changed, deal_out, removed, require_turn
from locanda.games.described import described
from locanda.games.forms import FRENCH
from locanda.games.game import MalformedDealError, Shuffle
from locanda.games.points import by_side, most_of_sides, result_of_sides
from locanda_scopa import types as wire
from locanda_scopa.types import DealState, Event, Move, Options, Play

PLAYERS = range(2, 5)
HAND = 3
VALUES = {CARDS[rank + suit]: value for suit in "hdcs" for value, rank in enumerate(ITALIAN_RANKS, 1)}
"""The value of each card: Ace to seven 1 to 7, knave 8, knight 9, king 10."""
PRIMIERA = dict(zip(range(1, 11), (16, 12, 13, 14, 15, 18, 21, 10, 10, 10), strict=True))
"""Primiera points of a suit's best card, by its value."""
SUITS = _, COINS, _, _ = [mask(pack(ITALIAN_RANKS, suit)) for suit in "hdcs"]
SEVEN, KING = 1 << CARDS["7d"], 1 << CARDS["Kd"]

codes, cards = FRENCH.set.to_wire, FRENCH.set.from_wire
"""Convert a set of cards to codes, by suit and rank, and back."""


def seats(options: Options) -> range:
    """Return the numbers of players that the options allow: two to four; Scopone is for four."""
    return range(4, 5) if options.scopone else PLAYERS


cards_in_play, deal = described(__file__, DealState)


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal. Raises `MalformedDealError` unless its hands are played in turn."""
    players = len(deal.hands)
    require_turn(deal.hands, deal.turn, 0 if deal.turn is None else (deal.turn - deal.dealer - 1) % players)
    if len(deal.stock) % (HAND * players) or (deal.stock and deal.turn is None):
        raise MalformedDealError("stock: it cannot be dealt evenly")
    return deal


# --- the moves


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return every legal move of the seat on turn: cards by suit and rank, each with all that it can take."""
    return [
        Play(CODES[card], codes(taken)) for card in members(deal.hands[seat]) for taken in captures(deal, card) or [0]
    ]


def captures(deal: DealState, card: int) -> list[int]:
    """Return the sets of cards that a card can take: one of its value, or else cards that add up to it."""
    table, value = members(deal.table), VALUES[card]
    if value == 1 and deal.options.ace_takes_all and table:
        return [deal.table]
    return [1 << other for other in table if VALUES[other] == value] or list(_sums(table, value))


def _sums(table: Sequence[int], value: int) -> Iterator[int]:
    """Yield the sets of cards on the table that add up to a value."""
    for place, card in enumerate(table):
        if VALUES[card] == value:
            yield 1 << card
        elif VALUES[card] < value:
            yield from (1 << card | rest for rest in _sums(table[place + 1 :], value - VALUES[card]))


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    card, taken = CARDS[move.card], cards(move.takes)
    if not deal.hands[seat] >> card & 1:
        return NOT_IN_HAND.refuse({"card": move.card})
    can = captures(deal, card)
    if not taken and can:
        return wire.MUST_TAKE.refuse({"card": move.card, "takes": codes(can[0])})
    if (taken not in can and move.takes) or taken.bit_count() != len(move.takes):
        return wire.CANNOT_TAKE.refuse({"card": move.card, "takes": move.takes, "can": [*map(codes, can)]})
    return None


# --- what follows from a move


def play(deal: DealState, seat: int, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    card, taken = CARDS[move.card], cards(move.takes)
    hands = removed(deal.hands, seat, 1 << card)
    played = structs.replace(deal, hands=hands, turn=(seat + 1) % len(hands))
    if not taken:
        return _refill(structs.replace(played, table=deal.table | 1 << card), [wire.Laid(seat, move.card)])
    clears = taken == deal.table and not (deal.options.ace_takes_all and VALUES[card] == 1)
    sweep = clears and (bool(deal.stock) or any(hands))
    captured = added(deal.captured, seat, taken | 1 << card)
    sweeps = changed(deal.sweeps, seat, deal.sweeps[seat] + sweep)
    left = structs.replace(played, table=deal.table & ~taken, captured=captured, sweeps=sweeps, last=seat)
    return _refill(left, [wire.Taken(seat, move.card, move.takes, sweep)])


def _refill(deal: DealState, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Deal again if all hands are empty; end the deal if the stock is empty too."""
    if any(deal.hands):
        return deal, events
    if deal.stock:
        stock = list(deal.stock)
        hands = tuple(map(mask, deal_out(stock, len(deal.hands), deal.dealer, HAND)))
        events.append(wire.Refilled(len(stock)))
        return structs.replace(deal, hands=hands, stock=bytes(stock)), events
    over = structs.replace(deal, turn=None)
    if deal.table and deal.last is not None:
        events.append(wire.Rest(deal.last, codes(deal.table)))
        over = structs.replace(over, table=0, captured=added(deal.captured, deal.last, deal.table))
    return over, [*events, count(over)]


# --- points


def score(deal: DealState) -> Result:
    """Rank the seats by their points. Partners add theirs together."""
    counted = structs.astuple(count(deal))
    points = [
        counted.count(side) + sum(deal.sweeps[seat] for seat in side) + _coins(held, deal.options)
        for side, held in by_side(deal.captured).items()
    ]
    return result_of_sides(points, len(deal.hands))


def count(deal: DealState) -> wire.Counted:
    """Return the seats that get each of the counted points."""
    return wire.Counted(
        cards=most_of_sides(deal.captured, int.bit_count),
        coins=most_of_sides(deal.captured, lambda held: (held & COINS).bit_count()),
        settebello=most_of_sides(deal.captured, lambda held: held & SEVEN),
        primiera=most_of_sides(deal.captured, primiera),
    )


def primiera(held: int) -> int:
    """Return the sum of the best card of each suit; a suit without a card adds nothing."""
    return sum(max((PRIMIERA[VALUES[card]] for card in members(held & suit)), default=0) for suit in SUITS)


def _coins(held: int, options: Options) -> int:
    """Return the points of the king of coins and of the napola."""
    run = next((place for place, rank in enumerate(ITALIAN_RANKS) if not held >> CARDS[f"{rank}d"] & 1), 10)
    napola = run if options.napola and run >= 3 else 0
    return (options.king and bool(held & KING)) + napola
