"""The effects of moves in Presidente: the tax, the next turn, the end of a trick and of the deal; and the result."""

from msgspec import structs

from locanda.cards import mask, members
from locanda.games.base import Pass, Passed, Result
from locanda.games.game import Shuffle
from locanda.games.presidente.deal import PLAYS, combination, decoded
from locanda.games.presidente.moves import unbeatable
from locanda.games.presidente.types import (
    FOUR,
    DealState,
    Event,
    Give,
    Knowledge,
    Move,
    Played,
    RankedCombination,
    Revolution,
    Taxed,
    TrickWon,
    WentOut,
)


def play(deal: DealState, seat: int, move: Move, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Return the next state and the events of a legal move (see `check`)."""
    if isinstance(move, Pass):
        return _pass(deal, seat)
    if isinstance(move, Give):
        return _give(deal, move, shuffle)
    played = combination(move)
    if played is None:
        raise ValueError("not a combination")
    return _lay(deal, seat, played)


def _lay(deal: DealState, seat: int, played: RankedCombination) -> tuple[DealState, list[Event]]:
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
        known=_still_held(deal, played.cards) if deal.known else (),
    )
    return _after(laid, played, seat, events) if hand else _go_out(laid, played, seat, events)


def _still_held(deal: DealState, played: int) -> tuple[Knowledge, ...]:
    """Return the cards known from the tax that are still held after a play."""
    return tuple([(seat, by, left) for seat, by, cards in deal.known if (left := cards & ~played)])


def _after(deal: DealState, played: RankedCombination, seat: int, events: list[Event]) -> tuple[DealState, list[Event]]:
    """End the trick at once if nothing can beat the play (rulings P10, P12); otherwise pass the turn."""
    if unbeatable(played, deal.options):
        return _end_trick(deal, played, seat, events)
    return _next_turn(deal, played, seat, events)


def _go_out(
    deal: DealState, played: RankedCombination, seat: int, events: list[Event]
) -> tuple[DealState, list[Event]]:
    """Give a seat its place. End the deal after the first place, or once only one hand is left (ruling P16)."""
    gone_out = structs.replace(deal, out=(*deal.out, seat))
    events.append(WentOut(seat, len(gone_out.out)))
    if deal.options.plays_on and sum(map(bool, deal.hands)) > 1:
        return _after(gone_out, played, seat, events)
    return structs.replace(gone_out, turn=None), events


def _pass(deal: DealState, seat: int) -> tuple[DealState, list[Event]]:
    if deal.table is None:
        raise ValueError("a leader cannot pass")
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    passed = structs.replace(deal, passes=deal.passes + 1, sitting_out=sitting_out)
    return _next_turn(passed, deal.table, seat, [Passed(seat)])


def _next_turn(
    deal: DealState, top: RankedCombination, seat: int, events: list[Event]
) -> tuple[DealState, list[Event]]:
    """Pass the turn to the next seat in the trick. If this is the seat that played last, the trick is over."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while following != deal.last and (not deal.hands[following] or deal.sitting_out >> following & 1):
        following = (following + 1) % players
    if following == deal.last:
        return _end_trick(deal, top, following, events)
    return structs.replace(deal, turn=following), events


def _end_trick(
    deal: DealState, top: RankedCombination, winner: int, events: list[Event]
) -> tuple[DealState, list[Event]]:
    """Remove the trick; its winner leads, or the next seat with cards (rulings P11, P18, P19)."""
    players = len(deal.hands)
    leader = (winner + _loses_lead(deal, top)) % players
    while not deal.hands[leader]:
        leader = (leader + 1) % players
    events.append(TrickWon(winner, leader))
    ended = structs.replace(
        deal, turn=leader, table=None, last=None, passes=0, gone=deal.gone | top.cards, sitting_out=0
    )
    return ended, events


def _loses_lead(deal: DealState, top: RankedCombination) -> bool:
    """Return whether the winner used the joker and so loses the lead; with an Eight, an option decides (ruling P11)."""
    options = deal.options
    kept_by_eight = options.eight and options.joker_eight == "eight" and top.has_eight
    return top.has_joker and not kept_by_eight


def _give(deal: DealState, move: Give, shuffle: Shuffle) -> tuple[DealState, list[Event]]:
    """Exchange the chosen cards for as many from the top of the partner's shuffled hand (ruling P13)."""
    if not deal.dues:
        raise ValueError("no tax is due")
    (giver, partner, count), *owed = deal.dues
    cards = decoded(move.cards)
    drawn = mask(shuffle(deal.seed, deal.shuffles, tuple(members(deal.hands[partner])))[-count:])
    hands = list(deal.hands)
    hands[giver] ^= cards | drawn
    hands[partner] ^= cards | drawn
    paid = structs.replace(
        deal,
        hands=tuple(hands),
        turn=owed[0][0] if owed else (deal.dealer + 1) % len(hands),
        shuffles=deal.shuffles + 1,
        dues=tuple(owed),
        known=(*deal.known, (partner, giver, cards), (giver, partner, drawn)),
    )
    return paid, [Taxed(giver, partner, count)]


# --- points and ranking


def score(deal: DealState) -> Result:
    """Rank the seats by the order in which they went out; seats with cards left share the last place (ruling P16)."""
    players = range(len(deal.hands))
    rest = tuple(seat for seat in players if seat not in deal.out)
    ranking = (*((seat,) for seat in deal.out), *((rest,) if rest else ()))
    points = tuple(int(seat == deal.out[0]) for seat in players)
    return Result(ranking, points, "all_placed" if deal.options.plays_on else "first_out")
