"""What follows from a move: the next turn, the end of the trick, the end of the deal."""

from msgspec import structs

from services.engine.games.game import Shuffle
from services.engine.games.presidente.combinations import FOUR, PLAYS, Combination, combination, unbeatable
from services.engine.games.presidente.giving import give
from services.engine.games.presidente.score import score
from services.engine.games.presidente.state import Deal, Knowledge
from shared.games.base import DealOver, Pass, Passed
from shared.games.presidente import Event, Give, Move, Played, Revolution, TrickWon, WentOut


def play(deal: Deal, move: Move, shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Return the deal after a legal move, and what happened. Raises `ValueError` for what cannot be played."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    if isinstance(move, Give):
        return give(deal, move, shuffle)
    if isinstance(move, Pass):
        return _pass(deal, deal.turn)
    played = combination(move)
    if played is None:
        raise ValueError("not a combination")
    return _lay(deal, deal.turn, played)


def _lay(deal: Deal, seat: int, played: Combination) -> tuple[Deal, list[Event]]:
    move = PLAYS[played]
    events: list[Event] = [Played(seat, played.kind, move.cards, move.joker)]
    inverted = deal.inverted
    if played.kind == FOUR and deal.options.revolution:
        inverted = not inverted
        events.append(Revolution(seat, inverted))
    hand = deal.hands[seat] & ~played.cards
    laid = structs.replace(
        deal,
        hands=(*deal.hands[:seat], hand, *deal.hands[seat + 1 :]),
        table=played,
        last=seat,
        passes=0,
        inverted=inverted,
        gone=deal.gone | (deal.table.cards if deal.table else 0),
        known=_still_held(deal, played.cards),
    )
    return _after(laid, played, seat, events) if hand else _go_out(laid, played, seat, events)


def _still_held(deal: Deal, played: int) -> tuple[Knowledge, ...]:
    """Return what is known by the tax of cards that have not been played."""
    return tuple([(seat, by, left) for seat, by, cards in deal.known if (left := cards & ~played)])


def _after(deal: Deal, played: Combination, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """End the trick at once with what cannot be beaten (rulings P10, P12), or let the next seat answer."""
    if unbeatable(played, deal.options):
        return _end_trick(deal, played, seat, events)
    return _next_turn(deal, played, seat, events)


def _go_out(deal: Deal, played: Combination, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Give the seat its place; end the deal with the first, or when a single hand is left (ruling P16)."""
    gone_out = structs.replace(deal, out=(*deal.out, seat))
    events.append(WentOut(seat, len(gone_out.out)))
    if deal.options.plays_on and sum(map(bool, deal.hands)) > 1:
        return _after(gone_out, played, seat, events)
    over = structs.replace(gone_out, turn=None)
    events.append(DealOver(score(over)))
    return over, events


def _pass(deal: Deal, seat: int) -> tuple[Deal, list[Event]]:
    if deal.table is None:
        raise ValueError("a leader cannot pass")
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    passed = structs.replace(deal, passes=deal.passes + 1, sitting_out=sitting_out)
    return _next_turn(passed, deal.table, seat, [Passed(seat)])


def _next_turn(deal: Deal, top: Combination, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Give the turn to the next seat that is in the trick; if none comes before who played last, the trick ends."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while following != deal.last and (not deal.hands[following] or deal.sitting_out >> following & 1):
        following = (following + 1) % players
    if following == deal.last:
        return _end_trick(deal, top, following, events)
    return structs.replace(deal, turn=following), events


def _end_trick(deal: Deal, top: Combination, winner: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Remove the cards; the winner leads, or the next seat if he is out or loses the lead by the joker (P18, P19)."""
    players = len(deal.hands)
    leader = (winner + _loses_lead(deal, top)) % players
    while not deal.hands[leader]:
        leader = (leader + 1) % players
    events.append(TrickWon(winner, leader))
    ended = structs.replace(
        deal, turn=leader, table=None, last=None, passes=0, gone=deal.gone | top.cards, sitting_out=0
    )
    return ended, events


def _loses_lead(deal: Deal, top: Combination) -> bool:
    """Does the joker cost its player the lead, even if he ended the trick with an Eight (ruling P11)?"""
    options = deal.options
    kept_by_eight = options.eight and options.joker_eight == "eight" and top.has_eight
    return top.has_joker and not kept_by_eight
