"""The rules of Tressette: dealing, the moves and their effects, and the points.

Hands and captured cards are bit sets over the cards of `locanda.cards`; the stock and the trick are byte strings.
"""

from typing import Any

from msgspec import structs

from locanda.cards import CARDS, CODES, codes, mask, members, rank, suit
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import Refusal, Result
from locanda.games.conversions import Shown
from locanda.games.dealing import added, removed, require_turn
from locanda.games.described import described
from locanda.games.game import MalformedDealError, Shuffle
from locanda.games.points import by_side, result_of_sides
from locanda_tressette.types import (
    MUST_FOLLOW,
    DealState,
    Drawn,
    Event,
    Move,
    Play,
    Played,
    TrickTaken,
    View,
)

PLAYERS = range(2, 5)
STRENGTH = {rank(CARDS[f"{code}h"]): place for place, code in enumerate("4567JQKA23")}
"""Strength by rank: the stronger card of a suit takes the weaker."""
THIRDS = {rank(CARDS[f"{code}h"]): 3 if code == "A" else 1 for code in "A23JQK"}
"""Thirds of a point by rank. The others count nothing."""


cards_in_play, deal = described(__file__, DealState)


# --- the moves


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank."""
    return [Play(CODES[card]) for card in members(_playable(deal, seat))]


def _playable(deal: DealState, seat: int) -> int:
    """Return the hand's cards of the suit led, or the whole hand if it has none."""
    hand = deal.hands[seat]
    return hand if not deal.table else mask(card for card in members(hand) if suit(card) == suit(deal.table[0])) or hand


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    card, can = 1 << CARDS[move.card], _playable(deal, seat)
    if not deal.hands[seat] & card:
        return NOT_IN_HAND.refuse({"card": move.card})
    if not can & card:
        return MUST_FOLLOW.refuse({"card": move.card, "led": CODES[deal.table[0]], "can": codes(members(can))})
    return None


# --- what follows from a move


def play(deal: DealState, seat: int, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    card, following = CARDS[move.card], (seat + 1) % len(deal.hands)
    hands, shown = (removed(piles, seat, 1 << card) for piles in (deal.hands, deal.shown))
    table = deal.table + bytes((card,))
    played = structs.replace(deal, hands=hands, shown=shown, table=table, turn=following)
    events: list[Event] = [Played(seat, move.card)]
    return (played, events) if len(table) < len(hands) else _end_trick(played, following, events)


def _end_trick(deal: DealState, leader: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give the trick to the highest card of the suit led. With a stock, both draw and show their cards."""
    strengths = [STRENGTH[rank(card)] if suit(card) == suit(deal.table[0]) else -1 for card in deal.table]
    winner, trick = (leader + strengths.index(max(strengths))) % len(deal.hands), mask(deal.table)
    events.append(TrickTaken(winner, codes(deal.table), thirds_of(trick)))
    captured = added(deal.captured, winner, trick)
    taken = structs.replace(deal, turn=winner, table=b"", captured=captured, last=winner)
    if taken.stock:
        taken = _drawn(taken, winner, events)
    return (taken if any(taken.hands) else structs.replace(taken, turn=None)), events


def _drawn(deal: DealState, winner: int, events: list[Event]) -> DealState:
    hands, shown, stock = list(deal.hands), list(deal.shown), bytearray(deal.stock)
    for seat in (winner, 1 - winner):
        card = stock.pop()
        hands[seat] |= 1 << card
        shown[seat] |= 1 << card
        events.append(Drawn(seat, CODES[card]))
    return structs.replace(deal, hands=tuple(hands), shown=tuple(shown), stock=bytes(stock))


# --- points


def thirds_of(cards: int) -> int:
    """Return the value of cards in thirds of a point."""
    return sum(THIRDS.get(rank(card), 0) for card in members(cards))


def score(deal: DealState) -> Result:
    """Rank the seats by whole points, with one for the last trick. Partners add theirs together."""
    points = [thirds_of(taken) // 3 + (deal.last in side) for side, taken in by_side(deal.captured).items()]
    return result_of_sides(points, len(deal.hands))


# --- what each sees, and posted deals

SHOWN: Shown = {"thirds": lambda deal, _: tuple(map(thirds_of, deal.captured))}
"""Thirds may be shown, as everybody has seen the taken cards."""


def known_cards(view: View) -> list[tuple[str, ...]]:
    """Return the cards of each hand that a view shows: the viewer's hand, and cards that others drew face up."""
    return [view.hand or () if seat == view.seat else shown for seat, shown in enumerate(view.shown)]


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal. Raises `MalformedDealError` for one that cannot be played in turn."""
    require_turn(deal.hands, deal.turn, len(deal.table))
    if len(deal.stock) % 2 or (deal.stock and len(deal.hands) > 2):
        raise MalformedDealError("stock: it cannot be drawn evenly")
    if any(shown & ~hand for shown, hand in zip(deal.shown, deal.hands, strict=True)):
        raise MalformedDealError("shown: it is not in the hand")
    return deal
