"""The rules of Highest Card: the state of a deal, its moves and what follows, what each sees, and its form on the wire.

Hands are bit sets over the cards of `locanda.cards`.
"""

from collections.abc import Sequence
from random import Random

from locanda.games.highest_card.types import FEWEST_WINS, Deal, Event, Move, Options, Play, Played, Taken, View
from msgspec import Struct, structs

from locanda.cards import CARDS, CODES, ITALIAN_RANKS, SUITS, codes, mask, members, pack, rank
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import DealOver, Refusal, Result
from locanda.games.game import MalformedDealError, Ranking, Shuffle, rank_by_points

PACK = pack(ITALIAN_RANKS, SUITS)


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    table: int | None
    captured: tuple[int, ...]


PLAYERS = SUGGESTED = range(2, 3)


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: two."""
    return PLAYERS


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer; the rest is the stock."""
    stock = shuffle(seed, 0, PACK)
    hands = [0] * players
    for number in range(options.cards * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        stock=bytes(stock),
        table=None,
        captured=(0,) * players,
    )


# --- the moves


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank."""
    return [] if deal.turn is None else [Play(CODES[card]) for card in members(deal.hands[deal.turn])]


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return None if deal.hands[deal.turn] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})


# --- what follows from a move


def play(deal: DealState, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a move that `check` admits. Raises `ValueError` once the deal is over."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    seat, card = deal.turn, CARDS[move.card]
    hand = deal.hands[seat] & ~(1 << card)
    hands = (hand, deal.hands[1]) if seat == 0 else (deal.hands[0], hand)
    events: list[Event] = [Played(seat, move.card)]
    played = structs.replace(deal, hands=hands, turn=1 - seat, table=card)
    return (played, events) if deal.table is None else _answered(played, seat, deal.table, events)


def _answered(deal: DealState, seat: int, led: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give both cards to the higher one's player, the leader where they are equal; the winner leads."""
    assert deal.table is not None
    winner = seat if rank(deal.table) > rank(led) else 1 - seat
    captured = tuple(count + 2 * (number == winner) for number, count in enumerate(deal.captured))
    events.append(Taken(winner))
    answered = structs.replace(deal, turn=winner if any(deal.hands) else None, table=None, captured=captured)
    if answered.turn is None:
        events.append(DealOver(score(answered)))
    return answered, events


def score(deal: DealState) -> Result:
    """Rank the seats by captured cards."""
    return Result(rank_by_points(deal.captured, fewest_wins=FEWEST_WINS), deal.captured, "emptied")


def match_over(_options: Options, _deals: int, _points: Sequence[int]) -> bool:
    """Return whether the match has had all its deals: it has one."""
    return True


# --- what each sees


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
        table=None if deal.table is None else CODES[deal.table],
        captured=deal.captured,
    )


def from_wire(posted: Deal) -> DealState:
    """Return the state of a posted deal, which need not be complete. Raises `MalformedDealError`."""
    _validate(posted)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(mask(CARDS[code] for code in hand) for hand in posted.hands),
        stock=bytes(CARDS[code] for code in posted.stock),
        table=None if posted.table is None else CARDS[posted.table],
        captured=posted.captured,
    )


def _validate(posted: Deal) -> None:
    """Refuse a card that the pack does not hold, or holds but once, and a turn without a card to play."""
    for name in ("dealer", "turn"):
        if (getattr(posted, name) or 0) >= len(posted.hands):
            raise MalformedDealError(f"{name}: no such seat")
    left = set(PACK)
    for place, pile in (("hands", posted.hands[0] + posted.hands[1]), ("stock", posted.stock)):
        for code in pile:
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
    if posted.table is not None and CARDS[posted.table] not in left:
        raise MalformedDealError("table: the card is not in the pack, or is there twice")
    if posted.turn is not None and not posted.hands[posted.turn]:
        raise MalformedDealError("turn: who is on turn holds cards")
