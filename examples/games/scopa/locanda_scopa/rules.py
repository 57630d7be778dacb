"""The rules of Scopa: the state of a deal, its moves and what follows, what each sees, and its form on the wire.

Sets of cards are bit sets over the cards of `locanda.cards`; the stock is a byte string.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import UNSET, Struct, structs

from locanda.cards import CARDS, CODES, ITALIAN_RANKS, codes, mask, members, pack
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import DealOver, Refusal, Result
from locanda.games.game import MalformedDealError, Ranking, Shuffle, rank_by_points
from locanda_scopa.types import (
    CANNOT_TAKE,
    MUST_TAKE,
    Deal,
    Event,
    Laid,
    Move,
    Options,
    Play,
    Refilled,
    Rest,
    Taken,
    View,
)

PLAYERS = range(2, 5)
SUGGESTED = range(2, 5)
PACK = pack(ITALIAN_RANKS)
HAND, SCOPONE_HAND, TABLE = 3, 9, 4
VALUES = {CARDS[rank + suit]: value for suit in "hdcs" for value, rank in enumerate(ITALIAN_RANKS, 1)}
"""What a card takes, and counts when it is taken: Ace 1 to seven, knave 8, knight 9, king 10."""
PRIMIERA = dict(zip(range(1, 11), (16, 12, 13, 14, 15, 18, 21, 10, 10, 10), strict=True))
"""By value: what the best card of a suit counts for the primiera."""
COINS = mask(CARDS[f"{rank}d"] for rank in ITALIAN_RANKS)
SEVEN, KING = 1 << CARDS["7d"], 1 << CARDS["Kd"]


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    table: int
    captured: tuple[int, ...]
    sweeps: tuple[int, ...]
    last: int | None


def seats(options: Options) -> range:
    """Return the numbers of players that the options allow: two to four; Scopone is for four."""
    return range(4, 5) if options.scopone else PLAYERS


def teams(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the partners: with four players, those who sit opposite."""
    return ((0, 2), (1, 3)) if players == 4 else ()


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer, then four cards to the table."""
    stock = shuffle(seed, 0, PACK)
    hands = _dealt(stock, players, dealer, SCOPONE_HAND if options.scopone else HAND)
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=hands,
        table=mask(stock.pop() for _ in range(TABLE)),
        stock=bytes(stock),
        captured=(0,) * players,
        sweeps=(0,) * players,
        last=None,
    )


def _dealt(stock: list[int] | bytearray, players: int, dealer: int, each: int) -> tuple[int, ...]:
    hands = [0] * players
    for number in range(each * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return tuple(hands)


# --- the moves


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn: cards by suit and rank, each with all that it can take."""
    if deal.turn is None:
        return []
    return [
        Play(CODES[card], codes(members(taken)))
        for card in members(deal.hands[deal.turn])
        for taken in captures(deal, card) or [0]
    ]


def captures(deal: DealState, card: int) -> list[int]:
    """Return the sets of cards that a card can take: one of its value, or else cards that add up to it."""
    table, value = members(deal.table), VALUES[card]
    if value == 1 and deal.options.ace_takes_all and table:
        return [deal.table]
    return [1 << each for each in table if VALUES[each] == value] or list(_sums(table, value))


def _sums(cards: Sequence[int], value: int) -> Iterator[int]:
    """Yield the sets of these cards that add up to a value."""
    for place, card in enumerate(cards):
        if VALUES[card] == value:
            yield 1 << card
        elif VALUES[card] < value:
            yield from (1 << card | rest for rest in _sums(cards[place + 1 :], value - VALUES[card]))


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    card, taken = CARDS[move.card], mask(CARDS[code] for code in move.takes)
    if not deal.hands[deal.turn] >> card & 1:
        return NOT_IN_HAND.refuse({"card": move.card})
    can = captures(deal, card)
    if not taken and can:
        return MUST_TAKE.refuse({"card": move.card, "takes": codes(members(can[0]))})
    if (taken not in can and move.takes) or taken.bit_count() != len(move.takes):
        listed = [codes(members(each)) for each in can]
        return CANNOT_TAKE.refuse({"card": move.card, "takes": move.takes, "can": listed})
    return None


# --- what follows from a move


def play(deal: DealState, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`). Raises `ValueError` once the deal is over."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    seat, card, taken = deal.turn, CARDS[move.card], mask(CARDS[code] for code in move.takes)
    hands = _changed(deal.hands, seat, deal.hands[seat] & ~(1 << card))
    played = structs.replace(deal, hands=hands, turn=(seat + 1) % len(hands))
    if not taken:
        events: list[Event] = [Laid(seat, move.card)]
        return _refill(structs.replace(played, table=deal.table | 1 << card), events)
    clears = taken == deal.table and not (deal.options.ace_takes_all and VALUES[card] == 1)
    sweep = clears and (bool(deal.stock) or any(hands))
    captured = _changed(deal.captured, seat, deal.captured[seat] | taken | 1 << card)
    sweeps = _changed(deal.sweeps, seat, deal.sweeps[seat] + sweep)
    events = [Taken(seat, move.card, move.takes, sweep)]
    left = structs.replace(played, table=deal.table & ~taken, captured=captured, sweeps=sweeps, last=seat)
    return _refill(left, events)


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _refill(deal: DealState, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Deal again where all hands are empty, or end the deal where the stock is empty too."""
    if any(deal.hands):
        return deal, events
    if deal.stock:
        stock = bytearray(deal.stock)
        hands = _dealt(stock, len(deal.hands), deal.dealer, HAND)
        events.append(Refilled(len(stock)))
        return structs.replace(deal, hands=hands, stock=bytes(stock)), events
    over = structs.replace(deal, turn=None)
    if deal.table and deal.last is not None:
        captured = _changed(deal.captured, deal.last, deal.captured[deal.last] | deal.table)
        events.append(Rest(deal.last, codes(members(deal.table))))
        over = structs.replace(over, table=0, captured=captured)
    events.append(DealOver(score(over)))
    return over, events


# --- points


def score(deal: DealState) -> Result:
    """Rank the seats by their points; partners have theirs together."""
    players = len(deal.hands)
    sides = teams(players) or tuple((seat,) for seat in range(players))
    cards = [mask(card for seat in side for card in members(deal.captured[seat])) for side in sides]
    sweeps = [sum(deal.sweeps[seat] for seat in side) for side in sides]
    counts = (int.bit_count, lambda held: (held & COINS).bit_count(), primiera)
    most = [_most([count(held) for held in cards]) for count in counts]
    own = [most.count(side) + sweeps[side] + _coins(held, deal.options) for side, held in enumerate(cards)]
    points = tuple(own[seat % len(sides)] for seat in range(players))
    return Result(rank_by_points(points), points, teams=teams(players) or UNSET)


def _most(counts: Sequence[int]) -> int | None:
    """Return who has the most; None for a tie."""
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None


def primiera(cards: int) -> int:
    """Return the sum of the best card of each suit; a suit without a card adds nothing."""
    best: dict[str, int] = {}
    for card in members(cards):
        suit = CODES[card][1]
        best[suit] = max(best.get(suit, 0), PRIMIERA[VALUES[card]])
    return sum(best.values())


def _coins(cards: int, options: Options) -> int:
    """Return the points of single coins: the seven, the king, and the napola."""
    run = next((place for place, rank in enumerate(ITALIAN_RANKS) if not cards >> CARDS[f"{rank}d"] & 1), 10)
    napola = run if options.napola and run >= 3 else 0
    return bool(cards & SEVEN) + (options.king and bool(cards & KING)) + napola


def match_over(options: Options, _deals: int, points: Sequence[int]) -> bool:
    """Return whether one side has the points to win, and more than the others."""
    leaders = points.count(max(points))
    return max(points) >= options.target and leaders == len((teams(len(points)) or ((0,),))[0])


# --- what each sees


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator, may see; taken cards were open when they were taken."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(members(deal.hands[seat])),
        counts=tuple(map(int.bit_count, deal.hands)),
        stock_count=len(deal.stock),
        table=codes(members(deal.table)),
        captured=tuple(codes(members(cards)) for cards in deal.captured),
        sweeps=deal.sweeps,
        last=deal.last,
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; the unseen cards lie anywhere."""
    own, table, captured = _mask(view.hand or ()), _mask(view.table), tuple(map(_mask, view.captured))
    unseen = [card for card in PACK if not (own | table | sum(captured)) >> card & 1]
    rng.shuffle(unseen)
    hands = [
        own if seat == view.seat else mask(unseen.pop() for _ in range(count)) for seat, count in enumerate(view.counts)
    ]
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=tuple(hands),
        stock=bytes(unseen[: view.stock_count]),
        table=table,
        captured=captured,
        sweeps=view.sweeps,
        last=view.last,
    )


def _mask(spelled: Sequence[str]) -> int:
    return mask(CARDS[code] for code in spelled)


# --- a deal on the wire


def to_wire(deal: DealState) -> Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return Deal(
        hands=tuple(codes(members(hand)) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes(deal.stock),
        table=codes(members(deal.table)),
        captured=tuple(codes(members(cards)) for cards in deal.captured),
        sweeps=deal.sweeps,
        last=deal.last,
    )


def from_wire(posted: Deal) -> DealState:
    """Return the state of a posted deal. Raises `MalformedDealError`."""
    _validate(posted)
    none = (0,) * len(posted.hands)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(map(_mask, posted.hands)),
        stock=bytes(CARDS[code] for code in posted.stock),
        table=_mask(posted.table),
        captured=tuple(map(_mask, posted.captured)) or none,
        sweeps=posted.sweeps or none,
        last=posted.last,
    )


def _validate(posted: Deal) -> None:
    """Refuse what no deal can be: other seats, a card twice or not at all, hands that are not played in turn."""
    players = len(posted.hands)
    if players not in seats(posted.options):
        raise MalformedDealError("hands: these options do not allow so many players")
    for name in ("dealer", "turn", "last"):
        if (getattr(posted, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")
    for name in ("captured", "sweeps"):
        if len(getattr(posted, name)) not in (0, players):
            raise MalformedDealError(f"{name}: there must be one for each hand")
    left = set(PACK)
    for place, piles in (
        ("hands", posted.hands),
        ("captured", posted.captured),
        ("table", (posted.table, posted.stock)),
    ):
        for code in (code for pile in piles for code in pile):
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
    if len(posted.stock) % (HAND * players):
        raise MalformedDealError("stock: it cannot be dealt evenly")
    _validate_turn(posted)


def _validate_turn(posted: Deal) -> None:
    """Refuse hands in which others than those between the dealer and the seat on turn have a card less."""
    players = len(posted.hands)
    if posted.turn is None:
        if any(posted.hands) or posted.stock:
            raise MalformedDealError("turn: the deal is not over")
        return
    played = (posted.turn - posted.dealer - 1) % players
    sizes = {len(hand) + ((seat - posted.dealer - 1) % players < played) for seat, hand in enumerate(posted.hands)}
    if len(sizes) != 1 or sizes == {0}:
        raise MalformedDealError("hands: they do not agree with the turn")
