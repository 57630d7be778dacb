"""The players without search, `easy` and `medium`, and the reasons for moves."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from locanda.cards.cuccu import CARDS, DESIGNS, PACK
from locanda.explanations import Reason
from locanda.games.players import Situation, Skill
from locanda.games.ramino import types as reasons
from locanda.games.ramino.deal import COMBINATIONS, ON_TABLE, codes, designs
from locanda.games.ramino.fast import BIT, Simulation
from locanda.games.ramino.moves import DISCARDS, STOCK, held
from locanda.games.ramino.play import ONE_CARD
from locanda.games.ramino.player.judgement import Judge, Table, judge_of_positions
from locanda.games.ramino.player.planning import Melds, Plan, Position, apart, outcomes, taken_by
from locanda.games.ramino.types import Attach, Discard, Draw, Event, Meld, Move, View, packed, size

QUICK = ("easy", "medium")

THREES = tuple(sorted(cards for cards in COMBINATIONS if cards.bit_count() == ON_TABLE))

CLOSING = 1000.0
"""Value of emptying the hand, above all others."""


class Planner:
    """Plans turns: chooses the plan that leads to the position with the highest value by a `Judge`."""

    def __init__(self, judge: Judge, *, long: bool) -> None:
        self._judge, self._long = judge, long

    def best_plan(self, hand: int, melds: Melds, barred: int, sizes: Sequence[int]) -> tuple[float, Plan]:
        """Return the highest value that the turn can reach after the draw, and the plan that reaches it.

        The arguments have the meaning of the fields of `Position`; `melds` are in ascending order.
        """
        return _best_plan(self._judge, hand, melds, barred, (min(sizes), sizes[0]), self._long)

    def worth_with(self, hand: int, thrown: int, melds: Melds, sizes: Sequence[int]) -> float:
        """Return the value of ending the turn with this discard."""
        if hand == thrown:
            return CLOSING
        table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
        return self._judge.best_discard(hand, (thrown,), table)[0]

    def takes(self, hand: int, melds: Melds, top: int, barred: int, sizes: Sequence[int]) -> bool:
        """Return whether the top discard is worth more than a card from the stock."""
        worth, _ = self.best_plan(hand + top, melds, barred, sizes)
        table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
        return worth >= CLOSING or worth > self._judge.before(hand, table)

    def draw(self, view: View) -> Draw:
        """Return the better draw. There must be a top discard."""
        position, top = Position.of(view), packed([CARDS[view.discards[-1]]])
        barred = 0 if view.options.return_taken else top
        taken = self.takes(position.hand, position.melds, top, barred, position.sizes)
        return DISCARDS if taken else STOCK

    def play_turn(self, deal: Simulation) -> float:
        """Simulate the rest of a turn; return the position's value, or 0 at the end of the deal."""
        seat, options = deal.turn, deal.options
        sizes = [size(hand) for hand in deal.hands[seat + 1 :] + deal.hands[:seat]]
        melds = tuple(sorted(deal.melds))
        if not deal.drawn:
            self._draw(deal, melds, sizes)
            if deal.turn != seat:
                return 0.0
        barred = 0 if options.return_taken else deal.taken
        left, plan = self.best_plan(deal.hands[seat], melds, barred, sizes)
        deal.follow(plan.steps, plan.thrown)
        return left

    def _draw(self, deal: Simulation, melds: Melds, sizes: Sequence[int]) -> None:
        options, discards = deal.options, deal.discards
        if not discards:
            return deal.draw()
        if not deal.stock and len(discards) == 1 and options.stock_end != "block":
            return deal.take()
        top = BIT[discards[-1]]
        taken = self.takes(deal.hands[deal.turn], melds, top, 0 if options.return_taken else top, sizes)
        return deal.take() if taken else deal.draw()


# Cached: a search reaches the same turns repeatedly, after different earlier moves.
@lru_cache(maxsize=2**14)
def _best_plan(
    judge: Judge,
    hand: int,
    melds: Melds,
    barred: int,
    others: tuple[int, int],
    long: bool,  # noqa: FBT001  (a key of the cache)
) -> tuple[float, Plan]:
    most, best = -CLOSING, Plan((), 0, hand, melds)
    for (left, laid), steps in outcomes(hand, melds, long=long).items():
        if not left or left in ONE_CARD:
            return CLOSING, Plan(steps, left, 0, laid)
        has = designs(left)
        table = Table(taken_by(laid), len(laid), *others)
        worth, card = judge.best_discard(left, apart(has & ~barred or has), table)
        if worth > most:
            most, best = worth, Plan(steps, card, left - card, laid)
    return most, best


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Choose as an experienced player: the move with the highest value."""
    view = situation.view
    planner = Planner(judge_of_positions(len(view.counts)), long=view.options.long_scala)
    if view.phase == "draw":
        return planner.draw(view) if len(moves) > 1 else moves[0]
    position = Position.of(view)
    return position.move(planner.best_plan(position.hand, position.melds, position.barred, position.sizes)[1])


# --- a beginner

DEAD_END = 2
"""Number of cards before a discard that leaves a single card, which cannot close while no combination is on the
table."""
PATIENCE = 2
"""Number of rounds without a laid card after which a beginner keeps cards that may become a combination."""
OVERLOOKED = 0.5
"""Probability that a beginner overlooks cards to lay, or a top discard that completes a combination."""


def easy(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Choose as a beginner, who overlooks combinations, but breaks up none and closes whenever possible.

    They know that a single card cannot close while the table is empty, so deals come to an end.
    """
    view, position = situation.view, Position.of(situation.view)
    if view.phase == "draw":
        return _drawn_by_a_beginner(view, position, moves, rng)
    laid = [move for move in moves if isinstance(move, Meld)]
    attached = [move for move in moves if isinstance(move, Attach)]
    left = len(view.hand or ())
    down: list[Meld | Attach] = [*laid, *attached]
    for move in down:
        if left - (len(move.cards) if isinstance(move, Meld) else 1) <= 1:
            return move
    laid = [move for move in laid if view.melds or len(move.cards) == ON_TABLE or left - len(move.cards) > DEAD_END]
    attached = [move for move in attached if len(view.melds) > 1 or left - 1 > DEAD_END]
    if laid and rng.random() >= OVERLOOKED:
        return max(laid, key=lambda meld: len(meld.cards))
    if attached and rng.random() >= OVERLOOKED:
        return rng.choice(attached)
    thrown = [move for move in moves if isinstance(move, Discard)]
    if not thrown:
        return rng.choice(moves)
    waits = view.idle >= PATIENCE * len(view.counts)
    kept = _together(position)
    loose = [move for move in thrown if not BIT[CARDS[move.card]] & kept] or thrown
    alone = [move for move in loose if waits and not _fits(position.hand, CARDS[move.card])]
    return max(alone or loose, key=lambda move: DESIGNS[CARDS[move.card]].points)


def _together(position: Position) -> int:
    """Return the designs that a beginner keeps: parts of combinations in hand, and cards that can be attached."""
    kept = taken_by(position.melds)
    for cards in held(position.hand, long=position.long):
        kept |= cards
    return kept


def _fits(hand: int, card: int) -> bool:
    """Return whether a combination of three contains this card and another card of the hand."""
    others = designs(hand) & ~BIT[card]
    return any(three & BIT[card] and three & others for three in THREES)


def _drawn_by_a_beginner(view: View, position: Position, moves: Sequence[Move], rng: Random) -> Move:
    """Return a beginner's draw: from the discards if they notice that the top card completes a combination."""
    if len(moves) == 1:
        return moves[0]
    top = packed([CARDS[view.discards[-1]]])
    reached = outcomes(position.hand + top, position.melds, long=position.long)
    if any(size(left) <= 1 for left, _ in reached):
        return DISCARDS
    completes = any(cards & top for cards in held(position.hand + top, long=position.long))
    return DISCARDS if completes and rng.random() >= OVERLOOKED else STOCK


# --- reasons for moves


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move], skill: Skill) -> Reason | None:
    """Return the reason for a move; None if a beginner keeps cards that could be laid, which they overlooked."""
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
            down = any(isinstance(other, Meld | Attach) for other in moves)
            if down and position.hand != packed([CARDS[code]]):
                return None if skill == "beginner" else _explain_keeping(view, position, code)
            return _explain_discard(view, position, code)


def _explain_draw(view: View, position: Position, move: Draw) -> Reason | None:
    code = view.discards[-1]
    top = packed([CARDS[code]])
    hand = position.hand + top
    closes = any(size(left) < 2 for left, _ in outcomes(hand, position.melds, long=position.long))
    completed = [cards for cards in held(hand, long=position.long) if cards & top]
    attaches, partners = bool(taken_by(position.laid) & top), _partners(top, designs(position.hand))
    if move != DISCARDS:
        useless = not (closes or completed or attaches or partners)
        return reasons.DRAWS_UNKNOWN.because(card=code) if useless else None
    if closes:
        return reasons.TAKES_TO_CLOSE.because(card=code)
    if completed:
        return reasons.TAKES_TO_LAY.because(card=code, cards=list(codes(max(completed, key=int.bit_count))))
    if attaches:
        return reasons.TAKES_TO_ATTACH.because(card=code)
    return reasons.TAKES_TO_KEEP.because(card=code, cards=list(codes(partners))) if partners else None


def _closing(view: View, position: Position, cards: int, melds: Melds) -> Reason | None:
    """Return the reason for laying these cards if the hand can then be emptied in this turn; otherwise None."""
    hand = position.hand - cards
    if all(size(left) > 1 for left, _ in outcomes(hand, tuple(sorted(melds)), long=position.long)):
        return None
    return _closes(view)


def _closes(view: View) -> Reason:
    return (reasons.CLOSES if view.opened[view.seat or 0] else reasons.MAKES_RAMINO).because()


def _explain_discard(view: View, position: Position, code: str) -> Reason:
    card, count = packed([CARDS[code]]), _points([code])
    if position.hand == card:
        return _closes(view)
    rest = designs(position.hand - card)
    if _useless(view, position, card):
        return reasons.DISCARDS_USELESS.because(card=code)
    if not _partners(card, rest):
        return reasons.DISCARDS_LONE_CARD.because(card=code, count=count)
    if together := sum(other for other in apart(rest) if _partners(other, rest)):
        return reasons.DISCARDS_LEAST.because(card=code, cards=list(codes(together)))
    return reasons.DISCARDS_POINTS.because(card=code, count=count)


def _explain_keeping(view: View, position: Position, code: str) -> Reason | None:
    """Return why cards that could be laid or attached are kept.

    One reason is that others could attach cards to a combination of three. A combination of four leaves the table.
    """
    reached = outcomes(position.hand, position.melds, long=position.long)
    if all(not melds and size(left) == 2 for left, melds in reached if left != position.hand):
        return reasons.AVOIDS_DEAD_END.because(card=code)
    if view.opened[view.seat or 0] or view.acted:
        added = taken_by(tuple({meld for _, melds in reached for meld in melds} - set(position.melds)))
        return reasons.KEEPS_BACK.because(card=code) if added & _unseen(view, position) else None
    return reasons.KEEPS_FOR_RAMINO.because(card=code)


def _useless(view: View, position: Position, card: int) -> bool:
    """Return whether no other seat can lay or attach this card, as long as the discards do not return to the stock."""
    others = _unseen(view, position)
    return not taken_by(position.laid) & card and not any(
        three & card and three - card & others == three - card for three in THREES
    )


def _unseen(view: View, position: Position) -> int:
    """Return the designs of cards that other seats may hold."""
    seen = position.hand + sum(position.laid) + packed(CARDS[code] for code in view.discards)
    return designs(packed(PACK) - seen)


def _partners(card: int, others: int) -> int:
    """Return the designs among `others` that form a combination of three with this card."""
    together = 0
    for three in THREES:
        if three & card:
            together |= three
    return together & others & ~card


def _points(cards: Sequence[str]) -> int:
    return sum(DESIGNS[CARDS[code]].points for code in cards)
