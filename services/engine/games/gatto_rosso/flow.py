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
    played = structs.replace(deal, hands=hands, table=deal.table + bytes((card,)), last=seat, passes=0)
    events: list[Event] = [Played(seat, CODES[card])]
    if not hand and not deal.stock and deal.options.last_trick != "play_out":
        return _close(played, seat, events)
    return _next_turn(played, seat, events)


def _pass(deal: Deal, seat: int) -> tuple[Deal, list[Event]]:
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    passed = structs.replace(deal, passes=deal.passes + 1, sitting_out=sitting_out)
    return _next_turn(passed, seat, [Passed(seat)])


def _next_turn(deal: Deal, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Give the turn to the next seat that is in the trick; when it comes back to who played last, the trick ends."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while deal.sitting_out >> following & 1 and following != deal.last:
        following = (following + 1) % players
    if following == deal.last:
        return _end_trick(deal, following, events)
    return structs.replace(deal, turn=following), events


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
