"""The rules of Gatto Rosso Gatto Grigio: dealing, the order of cards, legal moves, effects of moves, results.

Hands are bit sets of the cards of `locanda.cards`. The stock and the table are byte strings, bottom card first.
"""

from functools import lru_cache
from typing import Any

from msgspec import structs

from locanda.cards import CARDS, CODES, SUITS, codes, mask, members, rank, suit
from locanda.explanations import MUST_BEAT, MUST_LEAD, NOT_IN_HAND
from locanda.games.base import Pass, Passed, Refusal, Result
from locanda.games.described import described
from locanda.games.forms import FRENCH
from locanda.games.game import MalformedDealError, Shuffle
from locanda.games.gatto_rosso.types import (
    MUST_PLAY,
    DealState,
    Event,
    Move,
    Options,
    Play,
    Played,
    Refilled,
    TrickTaken,
)
from locanda.games.points import rank_by_points

# --- the start of a deal

PLAYERS = range(2, 11)
SUGGESTED = range(2, 7)
PLAYERS_OF_THREE_SUITS = range(2, 3)

HAND = 4
"""Cards in each hand at the start and after each refill."""


def seats(options: Options) -> range:
    """Return the numbers of players that the options allow: 2 to 10, or 2 with three suits."""
    return PLAYERS_OF_THREE_SUITS if options.three_suits else PLAYERS


cards_in_play, deal = described(__file__, DealState)


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a submitted deal with `last`, the seat that played the top card.

    If `last` is missing, it is counted back from `turn`. Raises `MalformedDealError` if the deal contradicts itself.
    """
    if deal.turn is not None and not deal.table and not deal.hands[deal.turn]:
        raise MalformedDealError("turn: who leads holds cards")
    if deal.sitting_out and not deal.options.pass_lock:
        raise MalformedDealError("sitting_out: only with pass_lock")
    if deal.last is not None or not deal.table or deal.turn is None:
        return deal
    return structs.replace(deal, last=(deal.turn - 1 - deal.passes) % len(deal.hands))


# --- which cards beat which

ACES = mask(card for card in range(52) if rank(card) == 0)
RED_CATS = mask((CARDS["Jh"], CARDS["Jd"]))
GREY_CATS = mask((CARDS["Qc"], CARDS["Qs"]))
CATS = RED_CATS | GREY_CATS


@lru_cache(maxsize=64)
def beaters(options: Options) -> tuple[int, ...]:
    """Return, for each top card, the bit set of the cards that beat it.

    The rules explain this order (rules.en.md: What beats what, Variants; rulings A1, A8, A9).
    """
    return tuple(_beaters(top, options) for top in range(52))


def _beaters(top: int, options: Options) -> int:
    ordinary = mask(card for card in range(52) if _beats(card, top, options.three_suits))
    if not options.cats:
        return ordinary
    for cats, others in ((RED_CATS, GREY_CATS), (GREY_CATS, RED_CATS)):
        if cats >> top & 1:
            return ACES | others
    own_suit = CATS & mask(card for card in range(52) if suit(card) == suit(top))
    return ordinary & ~CATS | own_suit if options.cats_strict else ordinary | own_suit


def _beats(card: int, top: int, three_suits: str | None) -> bool:
    if suit(card) == suit(top):
        return rank(card) > rank(top)
    return suit(card) == _next_suit(suit(top), three_suits)


def _next_suit(of: int, three_suits: str | None) -> int:
    following = (of + 1) % 4
    return (following + 1) % 4 if SUITS[following] == three_suits else following


# --- the moves of the seat on turn

PASS = Pass()
PLAYS = tuple(Play(code) for code in CODES)


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return the legal moves of the seat on turn: cards by suit and rank, then the pass (ruling A2)."""
    cards = playable(deal, seat)
    legal: list[Move] = [*_plays(cards)]
    if deal.table and (not cards or deal.options.voluntary_pass):
        legal.append(PASS)
    return legal


@lru_cache(maxsize=2**14)  # the same hands and top cards occur again and again
def _plays(cards: int) -> tuple[Play, ...]:
    return tuple([PLAYS[card] for card in members(cards)])


def playable(deal: DealState, seat: int) -> int:
    """Return the playable cards of a hand: every card if the seat leads, otherwise the cards that beat the top card."""
    hand = deal.hands[seat]
    return hand & beaters(deal.options)[deal.table[-1]] if deal.table else hand


# --- why a move is illegal


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the move is illegal for the seat on turn, or None."""
    return _check_play(deal, seat, move) if isinstance(move, Play) else _check_pass(deal, seat)


def _check_play(deal: DealState, seat: int, move: Play) -> Refusal | None:
    card = CARDS[move.card]
    if not deal.hands[seat] >> card & 1:
        return NOT_IN_HAND.refuse({"card": move.card})
    if not playable(deal, seat) >> card & 1:
        return MUST_BEAT.refuse({"card": move.card, "top": CODES[deal.table[-1]]})
    return None


def _check_pass(deal: DealState, seat: int) -> Refusal | None:
    if PASS in moves(deal, seat):
        return None
    if not deal.table:
        return MUST_LEAD.refuse()
    return MUST_PLAY.refuse({"top": CODES[deal.table[-1]], "cards": FRENCH.set.to_wire(playable(deal, seat))})


# --- effects of moves


def play(deal: DealState, seat: int, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    if not isinstance(move, Play):
        return _pass(deal, seat)
    card = CARDS[move.card]
    hand = deal.hands[seat] & ~(1 << card)
    hands = (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])
    table, following = deal.table + bytes((card,)), _following(deal, seat, deal.sitting_out, seat)
    played = structs.replace(deal, turn=following, hands=hands, table=table, last=seat, passes=0)
    events: list[Event] = [Played(seat, move.card)]
    if not hand and not deal.stock and deal.options.last_trick != "play_out":
        return _close(played, seat, events)
    return _end_trick(played, seat, events) if following == seat else (played, events)


def _pass(deal: DealState, seat: int) -> tuple[DealState, list[Event]]:
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    following = _following(deal, seat, sitting_out, deal.last)
    passed = structs.replace(deal, turn=following, passes=deal.passes + 1, sitting_out=sitting_out)
    events: list[Event] = [Passed(seat)]
    return _end_trick(passed, following, events) if following == deal.last else (passed, events)


def _following(deal: DealState, seat: int, sitting_out: int, last: int | None) -> int:
    """Return the next seat in the trick. If this is the seat that played last, the trick is over."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while sitting_out >> following & 1 and following != last:
        following = (following + 1) % players
    return following


def _end_trick(deal: DealState, winner: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give the trick to its winner, and refill the hands. If a hand is then still empty, the deal is over."""
    taken = _take(deal, winner, events)
    if taken.stock:
        filled, refilled = _refill(taken, winner)
        events.append(refilled)
        return (filled if all(filled.hands) else structs.replace(filled, turn=None)), events
    return (taken if all(taken.hands) else structs.replace(taken, turn=None, last=winner)), events


def _take(deal: DealState, winner: int, events: list[Event]) -> DealState:
    """Clear the table: the winner captures its cards and leads next."""
    events.append(TrickTaken(winner, codes(deal.table)))
    captured = list(deal.captured)
    captured[winner] += len(deal.table)
    return structs.replace(deal, turn=winner, table=b"", last=None, passes=0, captured=tuple(captured), sitting_out=0)


def _close(deal: DealState, closer: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """End the deal after its last card. The player of that card, or nobody, captures the table (ruling A4)."""
    if deal.options.last_trick == "closer":
        return structs.replace(_take(deal, closer, events), turn=None, last=closer), events
    events.append(TrickTaken(None, codes(deal.table)))
    return structs.replace(deal, turn=None, table=b"", sitting_out=0), events


def _refill(deal: DealState, winner: int) -> tuple[DealState, Refilled]:
    """Deal one card at a time from the stock until every hand has four cards or the stock is empty (rulings A5, A6)."""
    hands, stock = list(deal.hands), bytearray(deal.stock)
    order = _order([*map(int.bit_count, hands)], winner, len(stock), level=deal.options.last_deal == "level_hands")
    for seat in order:
        hands[seat] |= 1 << stock.pop()
    drawn = tuple(map(order.count, range(len(hands))))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock)), Refilled(drawn, len(stock))


def _order(counts: list[int], winner: int, stock: int, *, level: bool) -> list[int]:
    """Return the seats to deal to, in order from the winner; with `level`, the shortest hands are filled first."""
    order: list[int] = []
    round_table = (*range(winner, len(counts)), *range(winner))
    while len(order) < stock and (shortest := min(counts)) < HAND:
        longest = shortest if level else HAND - 1
        for seat in [seat for seat in round_table if counts[seat] <= longest][: stock - len(order)]:
            counts[seat] += 1
            order.append(seat)
    return order


# --- points and ranking


def score(deal: DealState) -> Result:
    """Rank the seats by captured cards, most first; ties share a place."""
    return Result(rank_by_points(deal.captured), deal.captured, "emptied" if deal.last is None else "closed")
