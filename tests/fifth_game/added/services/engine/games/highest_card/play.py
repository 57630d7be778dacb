"""What follows from a move: the answer to a lead, the end of the deal, and its points."""

from collections.abc import Sequence

from locanda.games.highest_card import FEWEST_WINS, Event, Move, Options, Played, Taken
from msgspec import structs
from services.engine.games.highest_card.state import DealState

from locanda.cards import CARDS, rank
from locanda.games.base import DealOver, Result
from services.engine.games.base import Shuffle, rank_by_points


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
