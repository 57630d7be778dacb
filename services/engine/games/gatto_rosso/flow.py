"""How a deal goes on: cards and passes, the end of a trick, the end of the deal."""

from msgspec import structs

from services.engine.games.game import Shuffle
from services.engine.games.gatto_rosso.refill import refill
from services.engine.games.gatto_rosso.score import score
from services.engine.games.gatto_rosso.state import Deal
from shared.cards import CARDS, CODES, codes
from shared.games.base import DealOver, Passed
from shared.games.gatto_rosso import Event, Move, Play, Played, TrickTaken


def play(deal: Deal, move: Move, _shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Return the next deal and what happened, after a move that `check` admits."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    if isinstance(move, Play):
        return _play_card(deal, deal.turn, CARDS[move.card])
    return _pass(deal, deal.turn)


def _play_card(deal: Deal, seat: int, card: int) -> tuple[Deal, list[Event]]:
    hand = deal.hands[seat] & ~(1 << card)
    hands = (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])
    table, following = deal.table + bytes((card,)), _following(deal, seat, deal.sitting_out, seat)
    played = structs.replace(deal, turn=following, hands=hands, table=table, last=seat, passes=0)
    events: list[Event] = [Played(seat, CODES[card])]
    if not hand and not deal.stock and deal.options.last_trick != "play_out":
        return _close(played, seat, events)
    return _end_trick(played, seat, events) if following == seat else (played, events)


def _pass(deal: Deal, seat: int) -> tuple[Deal, list[Event]]:
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    following = _following(deal, seat, sitting_out, deal.last)
    passed = structs.replace(deal, turn=following, passes=deal.passes + 1, sitting_out=sitting_out)
    events: list[Event] = [Passed(seat)]
    return _end_trick(passed, following, events) if following == deal.last else (passed, events)


def _following(deal: Deal, seat: int, sitting_out: int, last: int | None) -> int:
    """Return the next seat that is in the trick; where the turn comes back to who played last, the trick ends."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while sitting_out >> following & 1 and following != last:
        following = (following + 1) % players
    return following


def _end_trick(deal: Deal, winner: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Give the trick to its winner and refill; a hand that stays empty ends the deal."""
    taken = _take(deal, winner, events)
    if taken.stock:
        filled, refilled = refill(taken, winner)
        events.append(refilled)
        return (filled, events) if all(filled.hands) else _over(filled, events)
    return (taken, events) if all(taken.hands) else _over(structs.replace(taken, last=winner), events)


def _take(deal: Deal, winner: int, events: list[Event]) -> Deal:
    """Clear the table: its cards are captured by the winner, who leads next."""
    events.append(TrickTaken(winner, codes(deal.table)))
    captured = list(deal.captured)
    captured[winner] += len(deal.table)
    return structs.replace(deal, turn=winner, table=b"", last=None, passes=0, captured=tuple(captured), sitting_out=0)


def _close(deal: Deal, closer: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """End the deal with the closing card: the table goes to the closer, or to nobody (ruling A4)."""
    if deal.options.last_trick == "closer":
        return _over(structs.replace(_take(deal, closer, events), last=closer), events)
    events.append(TrickTaken(None, codes(deal.table)))
    return _over(structs.replace(deal, table=b"", sitting_out=0), events)


def _over(deal: Deal, events: list[Event]) -> tuple[Deal, list[Event]]:
    over = structs.replace(deal, turn=None)
    events.append(DealOver(score(over)))
    return over, events
