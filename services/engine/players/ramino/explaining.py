"""Why a move is worth playing, in facts that the seat sees."""

from collections.abc import Sequence

from locanda.cuccu import CARDS, DESIGNS, PACK
from locanda.games import ramino as reasons
from locanda.games.ramino import Attach, Discard, Draw, Event, Meld, Move, View
from locanda.reasons import ONLY_MOVE, Reason
from services.engine.games.ramino.moves import COMBINATIONS, DISCARDS, ON_TABLE, held
from services.engine.games.ramino.state import codes, designs, packed, size
from services.engine.players.base import Situation
from services.engine.players.ramino.plans import Melds, apart, outcomes, taken_by
from services.engine.players.ramino.position import Position

THREES = tuple(sorted(cards for cards in COMBINATIONS if cards.bit_count() == ON_TABLE))


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move]) -> Reason:
    """Return why this move is worth playing."""
    if len(moves) == 1:
        return ONLY_MOVE.because()
    view, position = situation.view, Position.of(situation.view)
    match move:
        case Draw():
            return _explain_draw(view, position, move)
        case Meld(cards):
            laid = packed(CARDS[code] for code in cards)
            melds = (*position.laid, laid) if len(cards) == ON_TABLE else position.laid
            why = reasons.LAYS.because(cards=list(cards), count=_points(cards))
            return _closing(view, position, laid, melds) or why
        case Attach(code, number):
            melds = position.laid[:number] + position.laid[number + 1 :]
            why = reasons.ATTACHES.because(card=code, count=_points([code]))
            return _closing(view, position, packed([CARDS[code]]), melds) or why
        case Discard(code):
            return _explain_discard(view, position, code, moves)


def _explain_draw(view: View, position: Position, move: Draw) -> Reason:
    code = view.discards[-1]
    if move != DISCARDS:
        return reasons.DRAWS_UNKNOWN.because(card=code)
    top = packed([CARDS[code]])
    hand = position.hand + top
    if any(size(left) < 2 for left, _ in outcomes(hand, position.melds, long=position.long)):
        return reasons.TAKES_TO_CLOSE.because(card=code)
    if completed := [cards for cards in held(hand, long=position.long) if cards & top]:
        return reasons.TAKES_TO_LAY.because(card=code, cards=list(codes(max(completed, key=int.bit_count))))
    if taken_by(position.laid) & top:
        return reasons.TAKES_TO_ATTACH.because(card=code)
    return reasons.TAKES_TO_KEEP.because(card=code)


def _closing(view: View, position: Position, cards: int, melds: Melds) -> Reason | None:
    """Return a reason if the hand can be emptied in this turn once these cards are gone."""
    hand = position.hand - cards
    if all(size(left) > 1 for left, _ in outcomes(hand, tuple(sorted(melds)), long=position.long)):
        return None
    return _closes(view)


def _closes(view: View) -> Reason:
    return (reasons.CLOSES if view.opened[view.seat or 0] else reasons.MAKES_RAMINO).because()


def _explain_discard(view: View, position: Position, code: str, moves: Sequence[Move]) -> Reason:
    card, count = packed([CARDS[code]]), _points([code])
    if position.hand == card:
        return _closes(view)
    if any(isinstance(move, Meld | Attach) for move in moves):
        return _explain_keeping(view, position)
    rest = designs(position.hand - card)
    if _useless(view, position, card):
        return reasons.DISCARDS_USELESS.because(card=code)
    if not _partners(card, rest):
        return reasons.DISCARDS_LONE_CARD.because(card=code, count=count)
    if together := sum(other for other in apart(rest) if _partners(other, rest)):
        return reasons.DISCARDS_LEAST.because(card=code, cards=list(codes(together)))
    return reasons.DISCARDS_POINTS.because(card=code, count=count)


def _explain_keeping(view: View, position: Position) -> Reason:
    """Return why cards that could go down are not laid or attached."""
    reached = outcomes(position.hand, position.melds, long=position.long)
    if all(not melds and size(left) == 2 for left, melds in reached if left != position.hand):
        return reasons.AVOIDS_DEAD_END.because()
    if view.opened[view.seat or 0] or view.acted:
        return reasons.KEEPS_BACK.because()
    return reasons.KEEPS_FOR_RAMINO.because()


def _useless(view: View, position: Position, card: int) -> bool:
    """Return whether nobody else can lay or attach the card, unless discards come back."""
    seen = position.hand + sum(position.laid) + packed(CARDS[code] for code in view.discards)
    others = designs(packed(PACK) - seen)
    return not taken_by(position.laid) & card and not any(
        three & card and three - card & others == three - card for three in THREES
    )


def _partners(card: int, others: int) -> int:
    """Return the designs among others that some combination of three has together with a card."""
    together = 0
    for three in THREES:
        if three & card:
            together |= three
    return together & others & ~card


def _points(cards: Sequence[str]) -> int:
    return sum(DESIGNS[CARDS[code]].points for code in cards)
