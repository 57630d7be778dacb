"""The rules of Briscola: the state of a deal, its moves and what follows, what each sees, and its form on the wire.

Hands and captured cards are bit sets over the cards of `locanda.cards`; the stock and the trick are byte strings.
"""

from collections.abc import Sequence
from random import Random

from msgspec import UNSET, Struct, structs

from locanda.cards import CARDS, CODES, ITALIAN_RANKS, codes, mask, members, pack, rank, suit
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import DealOver, Refusal, Result
from locanda.games.game import MalformedDealError, Ranking, Shuffle, rank_by_points
from locanda_briscola.types import Deal, Drawn, Event, Move, Options, Play, Played, TrickTaken, View

PLAYERS = range(2, 5)
SUGGESTED = range(2, 5)
HAND = 3
POINTS = {0: 11, 2: 10, 12: 4, 11: 3, 10: 2}
"""What a card of a rank counts: Ace, three, king, knight, knave. The others count nothing."""
STRENGTH = {rank(CARDS[f"{code}h"]): place for place, code in enumerate("24567JQK3A")}
"""By rank: which card of a suit takes which."""


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    trump: int
    table: bytes
    captured: tuple[int, ...]
    drawer: int | None
    """Who has drawn the card that was turned up."""


def cards_in_play(players: int) -> tuple[int, ...]:
    """Return the pack: 40 cards, with three players without the two of cups."""
    return tuple(card for card in pack(ITALIAN_RANKS) if players != 3 or CODES[card] != "2h")


def seats(_options: Options) -> range:
    """Return the numbers of players that the options allow: two to four."""
    return PLAYERS


def teams(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the partners: with four players, those who sit opposite."""
    return ((0, 2), (1, 3)) if players == 4 else ()


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal three cards to each, one at a time from the seat after the dealer, and turn up the trump card."""
    stock = shuffle(seed, 0, cards_in_play(players))
    hands = [0] * players
    for number in range(HAND * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        trump=stock.pop(),
        stock=bytes(stock),
        table=b"",
        captured=(0,) * players,
        drawer=None,
    )


# --- the moves


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn: any card, by suit and rank."""
    return [] if deal.turn is None else [Play(CODES[card]) for card in members(deal.hands[deal.turn])]


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return None if deal.hands[deal.turn] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})


# --- what follows from a move


def play(deal: DealState, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`). Raises `ValueError` once the deal is over."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    seat, card, players = deal.turn, CARDS[move.card], len(deal.hands)
    hands = list(deal.hands)
    hands[seat] &= ~(1 << card)
    table = deal.table + bytes((card,))
    played = structs.replace(deal, hands=tuple(hands), table=table, turn=(seat + 1) % players)
    events: list[Event] = [Played(seat, move.card)]
    return (played, events) if len(table) < players else _end_trick(played, (seat + 1) % players, events)


def _end_trick(deal: DealState, leader: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give the trick to the highest trump, else to the highest card of the suit led; everybody draws."""
    players = len(deal.hands)
    strengths = [_strength(card, suit(deal.table[0]), suit(deal.trump)) for card in deal.table]
    winner = (leader + strengths.index(max(strengths))) % players
    captured = list(deal.captured)
    captured[winner] |= mask(deal.table)
    events.append(TrickTaken(winner, codes(deal.table), card_points(mask(deal.table))))
    taken = structs.replace(deal, turn=winner, table=b"", captured=tuple(captured))
    if taken.drawer is None:
        return _draw(taken, winner, events)
    if not any(taken.hands):
        taken = structs.replace(taken, turn=None)
        events.append(DealOver(score(taken)))
    return taken, events


def _strength(card: int, led: int, trumps: int) -> tuple[bool, bool, int]:
    return suit(card) == trumps, suit(card) == led, STRENGTH[rank(card)]


def _draw(deal: DealState, winner: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Let everybody draw, the winner first; whoever comes last to an empty stock takes the card that was turned up."""
    hands, stock, drawer = list(deal.hands), bytearray(deal.stock), None
    for number in range(len(hands)):
        seat = (winner + number) % len(hands)
        if not stock:
            drawer = seat
        hands[seat] |= 1 << (stock.pop() if stock else deal.trump)
    events.append(Drawn(len(stock), drawer))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock), drawer=drawer), events


def card_points(cards: int) -> int:
    """Return what cards count."""
    return sum(POINTS.get(rank(card), 0) for card in members(cards))


def score(deal: DealState) -> Result:
    """Rank the seats by the points of their cards; partners have theirs together."""
    own = [card_points(cards) for cards in deal.captured]
    points = tuple(own[seat] + (own[seat - 2] if len(own) == 4 else 0) for seat in range(len(own)))
    return Result(rank_by_points(points), points, teams=teams(len(points)) or UNSET)


# --- what each sees


def view(deal: DealState, seat: int | None) -> View:
    """Return what a seat, or a spectator, may see; taken cards were open when they were played."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(members(deal.hands[seat])),
        counts=tuple(map(int.bit_count, deal.hands)),
        stock_count=len(deal.stock),
        trump=(CODES[deal.trump],),
        table=codes(deal.table),
        captured=tuple(codes(members(cards)) for cards in deal.captured),
        points=tuple(map(card_points, deal.captured)),
        drawer=deal.drawer,
    )


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; the unseen cards lie anywhere."""
    trump, own = CARDS[view.trump[0]], mask(CARDS[code] for code in view.hand or ())
    table, captured = _cards(view.table), tuple(mask(_cards(cards)) for cards in view.captured)
    seen = own | mask(table) | sum(captured) | 1 << trump
    unseen = [card for card in cards_in_play(len(view.counts)) if not seen >> card & 1]
    rng.shuffle(unseen)
    hands = [0] * len(view.counts)
    if view.drawer is not None and not (mask(table) | sum(captured)) >> trump & 1:
        hands[view.drawer] = 1 << trump
    for seat, count in enumerate(view.counts):
        hands[seat] |= mask(unseen.pop() for _ in range(count - hands[seat].bit_count())) if seat != view.seat else own
    return DealState(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=tuple(hands),
        stock=bytes(unseen[: view.stock_count]),
        trump=trump,
        table=table,
        captured=captured,
        drawer=view.drawer,
    )


def _cards(spelled: Sequence[str]) -> bytes:
    return bytes(CARDS[code] for code in spelled)


# --- a deal on the wire


def to_wire(deal: DealState) -> Deal:
    """Return the deal in the wire's form, with hidden cards."""
    return Deal(
        hands=tuple(codes(members(hand)) for hand in deal.hands),
        turn=deal.turn,
        trump=(CODES[deal.trump],),
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes(deal.stock),
        table=codes(deal.table),
        captured=tuple(codes(members(cards)) for cards in deal.captured),
        drawer=deal.drawer,
    )


def from_wire(posted: Deal) -> DealState:
    """Return the state of a posted deal. Raises `MalformedDealError`."""
    _validate(posted)
    return DealState(
        options=posted.options,
        dealer=posted.dealer,
        turn=posted.turn,
        seed=bytes.fromhex(posted.seed),
        shuffles=posted.shuffles,
        hands=tuple(mask(_cards(hand)) for hand in posted.hands),
        stock=_cards(posted.stock),
        trump=CARDS[posted.trump[0]],
        table=_cards(posted.table),
        captured=tuple(mask(_cards(cards)) for cards in posted.captured) or (0,) * len(posted.hands),
        drawer=posted.drawer,
    )


def _validate(posted: Deal) -> None:
    """Refuse other seats, a card that the pack does not hold, or holds but once, and what cannot be played in turn."""
    players, played = len(posted.hands), len(posted.table)
    for name in ("dealer", "turn", "drawer"):
        if (getattr(posted, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")
    if len(posted.trump) != 1 or len(posted.captured) not in (0, players):
        raise MalformedDealError("captured: there must be one pile for each hand, and one trump card")
    left = set(cards_in_play(players))
    piles = {"hands": posted.hands, "captured": posted.captured, "table": (posted.table, posted.stock)}
    piles["trump"] = (posted.trump,) if posted.drawer is None else ()
    for place, each in piles.items():
        for code in (code for pile in each for code in pile):
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])
    leader = ((posted.turn or 0) - played) % players
    sizes = {len(hand) + ((seat - leader) % players < played) for seat, hand in enumerate(posted.hands)}
    if len(sizes) != 1 or played >= players or (posted.turn is not None) != (max(sizes) > 0):
        raise MalformedDealError("hands: they do not agree with turn and trick")
    if posted.turn is not None and posted.stock and posted.drawer is not None:
        raise MalformedDealError("drawer: the card that was turned up is drawn last")
    if posted.turn is not None and posted.drawer is None and (len(posted.stock) + 1) % players:
        raise MalformedDealError("stock: it cannot be drawn evenly")
