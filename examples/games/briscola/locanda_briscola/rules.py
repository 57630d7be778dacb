"""The rules of Briscola: dealing, the moves and their effects, and the views.

Hands and captured cards are bit sets over the cards of `locanda.cards`; the stock and the trick are byte strings.
"""

from random import Random
from typing import Any

from msgspec import structs

from locanda.cards import CARDS, CODES, codes, mask, members, rank, suit
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import Refusal, Result
from locanda.games.conversions import Shown, filled, own_hand, restored, unseen_cards
from locanda.games.dealing import added, removed, require_turn
from locanda.games.described import described
from locanda.games.game import MalformedDealError, Shuffle
from locanda.games.points import by_side, result_of_sides
from locanda_briscola.types import DealState, Drawn, Event, Move, Play, Played, TrickTaken, View

PLAYERS = range(2, 5)
POINTS = {0: 11, 2: 10, 12: 4, 11: 3, 10: 2}
"""Points by rank: Ace, three, king, knight, knave. The others count nothing."""
STRENGTH = {rank(CARDS[f"{code}h"]): place for place, code in enumerate("24567JQK3A")}
"""Strength by rank: the stronger card of a suit takes the weaker."""


cards_in_play, deal = described(__file__, DealState)


# --- the moves


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return every legal move of the seat on turn: any card, by suit and rank."""
    return [Play(CODES[card]) for card in members(deal.hands[seat])]


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    return None if deal.hands[seat] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})


# --- what follows from a move


def play(deal: DealState, seat: int, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    card, following = CARDS[move.card], (seat + 1) % len(deal.hands)
    hands, table = removed(deal.hands, seat, 1 << card), deal.table + bytes((card,))
    played = structs.replace(deal, hands=hands, table=table, turn=following)
    events: list[Event] = [Played(seat, move.card)]
    return (played, events) if len(table) < len(hands) else _end_trick(played, following, events)


def _end_trick(deal: DealState, leader: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give the trick to the highest trump, else to the highest card of the suit led; everybody draws."""
    strengths = [_strength(card, suit(deal.table[0]), suit(deal.trump)) for card in deal.table]
    winner, trick = (leader + strengths.index(max(strengths))) % len(deal.hands), mask(deal.table)
    events.append(TrickTaken(winner, codes(deal.table), card_points(trick)))
    taken = structs.replace(deal, turn=winner, table=b"", captured=added(deal.captured, winner, trick))
    if taken.drawer is None:
        return _draw(taken, winner, events)
    return (taken if any(taken.hands) else structs.replace(taken, turn=None)), events


def _strength(card: int, led: int, trumps: int) -> tuple[bool, bool, int]:
    return suit(card) == trumps, suit(card) == led, STRENGTH[rank(card)]


def _draw(deal: DealState, winner: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Let everybody draw, the winner first. Once the stock is empty, the last player gets the card turned up."""
    hands, stock, drawer = list(deal.hands), bytearray(deal.stock), None
    for number in range(len(hands)):
        seat = (winner + number) % len(hands)
        if not stock:
            drawer = seat
        hands[seat] |= 1 << (stock.pop() if stock else deal.trump)
    events.append(Drawn(len(stock), drawer))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock), drawer=drawer), events


def card_points(cards: int) -> int:
    """Return the points of a set of cards."""
    return sum(POINTS.get(rank(card), 0) for card in members(cards))


def score(deal: DealState) -> Result:
    """Rank the seats by the points of their cards. Partners add theirs together."""
    return result_of_sides([*map(card_points, by_side(deal.captured).values())], len(deal.hands))


# --- what each sees

SHOWN: Shown = {
    "turned_up": lambda deal, _: (CODES[deal.trump],) if deal.drawer is None else (),
    "points": lambda deal, _: tuple(map(card_points, deal.captured)),
}
"""Points may be shown, as everybody has seen the taken cards."""


def determinize(view: View, rng: Random) -> DealState:
    """Return a full deal that agrees with the view; the unseen cards lie anywhere."""
    held, played = list(own_hand(view)), {*view.table, *(code for cards in view.captured for code in cards)}
    if view.drawer not in (None, view.seat) and not played.issuperset(view.trump):
        held[view.drawer] = view.trump
    unseen = unseen_cards(DealState, view, cards_in_play(view.options, len(view.counts)), held)
    unseen = [card for card in unseen if CODES[card] not in view.trump]
    rng.shuffle(unseen)
    hands, seed = filled(DealState, view, unseen, held), rng.randbytes(32)
    return restored(DealState, view, seed=seed, hands=hands, stock=bytes(unseen[: view.stock_count]))


# --- posted deals


def checked(deal: DealState, _posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal. Raises `MalformedDealError` for one that cannot be played in turn."""
    players, trump = len(deal.hands), 1 << deal.trump
    lying = sum((*deal.hands, *deal.captured)) | mask(deal.table + deal.stock)
    if (deal.drawer is None and lying & trump) or not mask(cards_in_play(deal.options, players)) & trump:
        raise MalformedDealError("trump: it is not in the pack, or is there twice")
    require_turn(deal.hands, deal.turn, len(deal.table))
    if deal.turn is not None and deal.stock and deal.drawer is not None:
        raise MalformedDealError("drawer: the card that was turned up is drawn last")
    if deal.turn is not None and deal.drawer is None and (len(deal.stock) + 1) % players:
        raise MalformedDealError("stock: it cannot be drawn evenly")
    return deal
