"""How an experienced player plans a turn, which is how the turns of play-outs are played as well."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from locanda.cuccu import CARDS
from locanda.games.ramino import Draw, Event, Move, View
from services.engine.games.ramino.moves import DISCARDS, STOCK
from services.engine.games.ramino.score import ONE_CARD
from services.engine.games.ramino.state import designs, packed, size
from services.engine.players.base import Situation
from services.engine.players.ramino.judgement import Judge, Table, judge
from services.engine.players.ramino.plans import Melds, Plan, apart, outcomes, taken_by
from services.engine.players.ramino.position import Position
from services.engine.players.ramino.simulation import BIT, Simulation

CLOSING = 1000.0
"""The worth of going out, above all else."""


def best_plan(hand: int, melds: Melds, barred: int, sizes: Sequence[int], *, long: bool) -> tuple[float, Plan]:
    """Return the highest worth that the turn can come to after the draw, and its plan.

    The arguments are those of a `Position`; `melds` are in ascending order.
    """
    return _best_plan(judge(len(sizes) + 1), hand, melds, barred, (min(sizes), sizes[0]), long)


# A search comes upon the same turns again and again, after other moves before them.
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


def worth_of(plan: Plan, position: Position) -> float:
    """Return the worth of a plan, as `best_plan` compares them."""
    if not plan.hand:
        return CLOSING
    return worth_with(plan.hand + plan.thrown, plan.thrown, plan.melds, position.sizes)


def worth_with(hand: int, thrown: int, melds: Melds, sizes: Sequence[int]) -> float:
    """Return the worth of ending the turn with this discard."""
    table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
    return judge(len(sizes) + 1).best_discard(hand, (thrown,), table)[0]


def takes(hand: int, melds: Melds, top: int, sizes: Sequence[int], *, barred: bool, long: bool) -> bool:
    """Return whether the top of the discards is worth more than a card of the stock.

    `barred` is whether it may not be thrown back.
    """
    worth, _ = best_plan(hand + top, melds, top if barred else 0, sizes, long=long)
    table = Table(taken_by(melds), len(melds), min(sizes), sizes[0])
    return worth >= CLOSING or worth > judge(len(sizes) + 1).before(hand, table)


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Return the choice of an experienced player: the one of the highest worth."""
    view = situation.view
    if view.phase == "draw":
        return draw(view) if len(moves) > 1 else moves[0]
    position = Position.of(view)
    _, plan = best_plan(position.hand, position.melds, position.barred, position.sizes, long=position.long)
    return position.move(plan)


def draw(view: View) -> Draw:
    """Return where an experienced player draws from, where there is a choice."""
    position = Position.of(view)
    top = packed([CARDS[view.discards[-1]]])
    barred = not view.options.return_taken
    taken = takes(position.hand, position.melds, top, position.sizes, barred=barred, long=position.long)
    return DISCARDS if taken else STOCK


def play_turn(deal: Simulation) -> float:
    """Play the rest of the turn in a simulation as an experienced player does; return the worth that it leaves.

    The worth says nothing once the deal is over.
    """
    seat, options = deal.turn, deal.options
    sizes = [size(hand) for hand in deal.hands[seat + 1 :] + deal.hands[:seat]]
    if not deal.drawn:
        _draw(deal, sizes)
        if deal.turn != seat:
            return 0.0
    barred = 0 if options.return_taken else deal.taken
    melds = tuple(sorted(deal.melds))
    left, plan = best_plan(deal.hands[seat], melds, barred, sizes, long=options.long_scala)
    deal.follow(plan)
    return left


def _draw(deal: Simulation, sizes: Sequence[int]) -> None:
    options, discards = deal.options, deal.discards
    if not discards:
        deal.draw()
    elif (not deal.stock and len(discards) == 1 and options.stock_end != "block") or takes(
        deal.hands[deal.turn],
        tuple(sorted(deal.melds)),
        BIT[discards[-1]],
        sizes,
        barred=not options.return_taken,
        long=options.long_scala,
    ):
        deal.take()
    else:
        deal.draw()
