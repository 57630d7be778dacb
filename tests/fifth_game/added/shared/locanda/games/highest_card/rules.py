"""The rules of Highest Card: dealing, the moves and their effects.

Hands are bit sets over the cards of `locanda.cards`.
"""

from collections.abc import Sequence
from typing import Any

from locanda.games.highest_card.types import DealState, Event, Move, Options, Play, Played, Taken
from msgspec import structs

from locanda.cards import CARDS, CODES, members, rank
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import Refusal, Result
from locanda.games.described import described
from locanda.games.game import MalformedDealError, Shuffle
from locanda.games.points import rank_by_points

PLAYERS = range(2, 3)

cards_in_play, deal = described(__file__, DealState)


# --- the moves


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank."""
    return [Play(CODES[card]) for card in members(deal.hands[seat])]


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    return None if deal.hands[seat] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})


# --- the effects of a move


def play(deal: DealState, seat: int, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a move that `check` has accepted."""
    card = CARDS[move.card]
    hand = deal.hands[seat] & ~(1 << card)
    hands = (hand, deal.hands[1]) if seat == 0 else (deal.hands[0], hand)
    events: list[Event] = [Played(seat, move.card)]
    played = structs.replace(deal, hands=hands, turn=1 - seat, table=card)
    return (played, events) if deal.table is None else _answered(played, seat, deal.table, events)


def _answered(deal: DealState, seat: int, led: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give both cards to the player of the higher card, or to the leader if the cards are equal.

    The winner leads next.
    """
    assert deal.table is not None
    winner = seat if rank(deal.table) > rank(led) else 1 - seat
    first, second = deal.captured
    captured = (first, second + 2) if winner else (first + 2, second)
    events.append(Taken(winner))
    turn = winner if any(deal.hands) else None
    return structs.replace(deal, turn=turn, table=None, captured=captured), events


def score(deal: DealState) -> Result:
    """Rank the seats by the number of captured cards."""
    return Result(rank_by_points(deal.captured), deal.captured, "emptied")


def match_over(_options: Options, _deals: int, _points: Sequence[int]) -> bool:
    """Return whether the match is over. It has only one deal."""
    return True


# --- deals sent by clients


def checked(deal: DealState, _posted: Any) -> DealState:
    """Return the checked deal. Raises `MalformedDealError` unless the sizes of the hands are possible in play."""
    if deal.turn is not None:
        held, others = deal.hands[deal.turn].bit_count(), deal.hands[1 - deal.turn].bit_count()
        if not held or held != others + (deal.table is not None):
            raise MalformedDealError("hands: who is on turn holds as many cards as the other one, who may have led one")
    return deal
