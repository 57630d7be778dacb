"""The effects of a move: the next turn, the end of a trick with its refill, the end of the deal; and the points."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from locanda.cards import CARDS, CODES, codes
from locanda.games.base import DealOver, Passed, Result
from locanda.games.game import Shuffle, rank_by_points
from locanda.games.gatto_rosso.deal import HAND, DealState
from locanda.games.gatto_rosso.types import FEWEST_WINS, Event, Move, Play, Played, Refilled, TrickTaken


def play(deal: DealState, move: Move, _shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`). Raises `ValueError` once the deal is over."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    if isinstance(move, Play):
        return _play_card(deal, deal.turn, CARDS[move.card])
    return _pass(deal, deal.turn)


def _play_card(deal: DealState, seat: int, card: int) -> tuple[DealState, list[Event]]:
    hand = deal.hands[seat] & ~(1 << card)
    hands = (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])
    table, following = deal.table + bytes((card,)), _following(deal, seat, deal.sitting_out, seat)
    played = structs.replace(deal, turn=following, hands=hands, table=table, last=seat, passes=0)
    events: list[Event] = [Played(seat, CODES[card])]
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
    """Return the next seat in the trick. If that is the one who played last, the trick ends."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while sitting_out >> following & 1 and following != last:
        following = (following + 1) % players
    return following


def _end_trick(deal: DealState, winner: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """Give the trick to its winner and refill the hands. If a hand stays empty, the deal ends."""
    taken = _take(deal, winner, events)
    if taken.stock:
        filled, refilled = _refill(taken, winner)
        events.append(refilled)
        return (filled, events) if all(filled.hands) else _over(filled, events)
    return (taken, events) if all(taken.hands) else _over(structs.replace(taken, last=winner), events)


def _take(deal: DealState, winner: int, events: list[Event]) -> DealState:
    """Clear the table: its cards are captured by the winner, who leads next."""
    events.append(TrickTaken(winner, codes(deal.table)))
    captured = list(deal.captured)
    captured[winner] += len(deal.table)
    return structs.replace(deal, turn=winner, table=b"", last=None, passes=0, captured=tuple(captured), sitting_out=0)


def _close(deal: DealState, closer: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """End the deal with the closing card; the cards on the table go to the closer, or to nobody (ruling A4)."""
    if deal.options.last_trick == "closer":
        return _over(structs.replace(_take(deal, closer, events), last=closer), events)
    events.append(TrickTaken(None, codes(deal.table)))
    return _over(structs.replace(deal, table=b"", sitting_out=0), events)


def _over(deal: DealState, events: list[Event]) -> tuple[DealState, list[Event]]:
    over = structs.replace(deal, turn=None)
    events.append(DealOver(score(over)))
    return over, events


def _refill(deal: DealState, winner: int) -> tuple[DealState, Refilled]:
    """Deal from the stock, one card at a time, until every hand holds four or the stock is empty (rulings A5, A6)."""
    before = [hand.bit_count() for hand in deal.hands]
    hands, stock = list(deal.hands), bytearray(deal.stock)
    for seat in _order(before, winner, len(stock), level=deal.options.last_deal == "level_hands"):
        hands[seat] |= 1 << stock.pop()
    drawn = tuple(hand.bit_count() - held for hand, held in zip(hands, before, strict=True))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock)), Refilled(drawn, len(stock))


def _order(held: Sequence[int], winner: int, stock: int, *, level: bool) -> Iterator[int]:
    """Yield the seats to deal to, round the table from the winner; with `level`, always to the shortest hand."""
    counts = list(held)
    round_table = (*range(winner, len(held)), *range(winner))
    while stock and min(counts) < HAND:
        longest = min(counts) if level else HAND - 1
        for seat in [seat for seat in round_table if counts[seat] <= longest][:stock]:
            yield seat
            counts[seat] += 1
            stock -= 1


# --- points and ranking


def score(deal: DealState) -> Result:
    """Rank the seats by captured cards, most first; equal counts share a place."""
    ranking = rank_by_points(deal.captured, fewest_wins=FEWEST_WINS)
    return Result(ranking, deal.captured, "emptied" if deal.last is None else "closed")
