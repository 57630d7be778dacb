"""The search of `hard`: candidate moves race over hidden deals, each played on to the end of the trick or the deal."""

from collections.abc import Sequence
from random import Random

from locanda.cards import CARDS, mask
from locanda.games.gatto_rosso import Event, Move, View
from services.engine.players.base import Analysis, Budget, Situation
from services.engine.players.gatto_rosso.beliefs import deals
from services.engine.players.gatto_rosso.heuristic import card_of, medium, own_hand, quick
from services.engine.players.gatto_rosso.knowledge import knowledge
from services.engine.players.gatto_rosso.simulation import NOBODY, Position, rules_of
from services.engine.players.gatto_rosso.values import expected, finished
from services.engine.players.racing import RaceRules, race

RULES = RaceRules(first=24, each=8, drop=3.0)


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Return what each move is worth: the expected share of the win, with a little for the lead in cards."""
    view, seat = situation.view, situation.view.turn or 0
    favourite = medium(situation, moves, rng)
    candidates = [favourite, *(move for move in moves if move != favourite)]
    cards = [card_of(move) for move in candidates]
    hidden = deals(knowledge(situation), situation, rng)

    def simulate(running: Sequence[int]) -> list[float]:
        hands, rest = next(hidden)
        start = _position(view, hands, rest)
        return [_value_after(start.copy(), cards[each], seat) for each in running]

    return race(candidates, simulate, budget, RULES)


def _position(view: View, hands: list[int], rest: list[int]) -> Position:
    if view.seat is not None:
        hands[view.seat] = own_hand(view)
    position = Position(rules_of(view.options), hands, bytes(rest[: view.stock_count]), list(view.captured))
    position.turn = NOBODY if view.turn is None else view.turn
    if view.table:
        position.top, position.pile = CARDS[view.table[-1]], len(view.table)
        position.last = NOBODY if view.last is None else view.last
        position.lock = mask(view.sitting_out)
    return position


def _value_after(position: Position, card: int, seat: int) -> float:
    """Play a card, then by the quick policy: to the end of the trick or, once the stock is empty, of the deal."""
    position.move(card)
    while position.turn != NOBODY:
        if not position.pile and position.left:
            return expected(position, seat)
        legal = position.legal()
        if legal & (legal - 1):
            hand = position.hands[position.turn]
            position.move(quick(position.rules, hand, position.live & ~hand, legal))
        else:
            position.move(legal.bit_length() - 1)
    return finished(position.captured, seat)
