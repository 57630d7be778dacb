"""The search of `hard`, and the estimate of a position's value for a seat.

Candidate moves are compared in a race of play-outs over hidden deals. Each play-out ends with the trick, or with the
deal once the stock is empty. A value is a share of the win, from 0 to 1. Between tricks it is estimated: the quality of
each hand predicts how many cards the seat will still capture, and a lead counts more when fewer cards are left. The
weights were fitted to deals in which the fast policy played itself: least squares for the expected cards, maximum
likelihood for the steepness.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random

from locanda.cards import CARDS, mask, members
from locanda.games.gatto_rosso.fast import NOBODY, PASS, Position, Rules, rules_of
from locanda.games.gatto_rosso.player.heuristic import card_of, medium, own_hand, quick
from locanda.games.gatto_rosso.player.knowledge import knowledge
from locanda.games.gatto_rosso.player.sampling import deals
from locanda.games.gatto_rosso.types import Event, Move, View
from locanda.games.players import Analysis, Budget, RaceRules, Situation, WeighedMove, race

RULES = RaceRules(first=24, each=8, drop=3.0)
WARY = RaceRules(first=24, each=8, drop=3.0, favour=1.0)
"""The race for three or more players: a single choice seldom decides the deal, and most differences are noise."""


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Return the value of each move: the expected share of the win plus a small bonus for the lead in cards."""
    view, seat = situation.view, situation.view.turn or 0
    favourite = medium(situation, moves, rng)
    candidates = [favourite, *(move for move in moves if move != favourite)]
    cards = [card_of(move) for move in candidates]
    hidden = deals(knowledge(situation), situation, rng)
    if len(view.counts) == 2 and not view.stock_count:
        return _solved(_position(view, *next(hidden)), candidates, seat)

    def simulate(running: Sequence[int]) -> Iterator[float]:
        hands, rest = next(hidden)
        start = _position(view, hands, rest)
        return (_value_after(start.copy(), cards[index], seat) for index in running)

    return race(candidates, simulate, budget, RULES if len(view.counts) == 2 else WARY)


def _solved(position: Position, candidates: Sequence[Move], seat: int) -> Analysis[Move]:
    """Solve a deal of two players, who know each other's hands once the stock is empty; return each move's value."""
    values = [best_value(_after(position, card_of(move)), seat, {}) for move in candidates]
    order = sorted(range(len(candidates)), key=lambda index: -values[index])
    most = values[order[0]]
    weighed = tuple(WeighedMove(candidates[index], values[index], 1, most - values[index]) for index in order)
    return Analysis(weighed[0].move, weighed, 1)


def best_value(position: Position, seat: int, known: dict[tuple[object, ...], float]) -> float:
    """Return the value for a seat if both players play perfectly; `known` caches the values of positions."""
    if position.turn == NOBODY:
        return finished(position.captured, seat)
    key = (*position.hands, *position.captured, position.turn, position.top, position.last, position.lock)
    if key not in known:
        legal = members(position.legal())
        free = position.pile and (position.rules.free_pass or not legal)
        values = [best_value(_after(position, card), seat, known) for card in (*legal, *([PASS] if free else []))]
        known[key] = max(values) if position.turn == seat else min(values)
    return known[key]


def _after(position: Position, card: int) -> Position:
    following = position.copy()
    following.move(card)
    return following


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
    """Return the value for a seat after a card, and further play by the fast policy.

    The play ends with the trick or, once the stock is empty, with the deal.
    """
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


# --- the value of a position

MARGIN = 0.2
"""Weight of the lead in a finished deal's value, because a narrow win here may be a loss in a similar deal."""
MOST = 40
"""Size of the full pack; the unit for leads and for cards left."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights for predicting from a hand how many cards its seat will still capture.

    Each weight is a pair: the value when no cards are left, and the amount added when the whole pack is left.
    """

    leads: tuple[float, float]
    """Weights for leading the next trick."""
    answers: tuple[float, float]
    """Weights for the share of the other cards that the hand beats."""
    beaten: tuple[float, float]
    """Weights for the mean share of the other cards that beat a card of the hand."""
    strength: tuple[float, float]
    """Weights for the sum over its cards: the share of the other cards that a card beats."""
    safe: tuple[float, float]
    """Weights for each card that no other hand can beat."""
    sharpness: float
    """Effect of one captured card on the log-odds of a win, times the square root of the number of cards left."""


OF_TWO = Weights((0.41, -0.16), (6.26, -9.58), (-14.76, 10.74), (-2.44, 10.58), (0.61, 1.71), 0.8)
OF_MORE = Weights((-0.91, -0.09), (-1.78, -4.49), (-27.82, -7.8), (0.53, -3.71), (2.55, 1.42), 0.6)


def finished(captured: list[int], seat: int) -> float:
    """Return the value of a finished deal: the share of the win, and a small bonus for the lead in cards."""
    own, most = captured[seat], max(captured)
    best_other = max(captured[:seat] + captured[seat + 1 :])
    share = 1 / captured.count(most) if own == most else 0.0
    return share * (1 - MARGIN) + MARGIN * (0.5 + (own - best_other) / (2 * MOST))


def expected(position: Position, seat: int) -> float:
    """Return the estimated value of a position between two tricks for a seat."""
    live = position.live.bit_count()
    weights = OF_TWO if position.players == 2 else OF_MORE
    scaled = _at(weights, live / MOST)
    held = 0
    for hand in position.hands:
        held |= hand
    sums = [
        captured + _prospects(position.rules, hand, position.live & ~hand, held & ~hand, scaled)
        for captured, hand in zip(position.captured, position.hands, strict=True)
    ]
    sums[position.turn] += scaled[0]
    slope = weights.sharpness / sqrt(live)
    return 1 / sum([exp(min(50.0, slope * (other - sums[seat]))) for other in sums])


def _at(weights: Weights, left: float) -> tuple[float, float, float, float, float]:
    """Compute the weights for the share of the pack that is left."""
    pairs = (weights.leads, weights.answers, weights.beaten, weights.strength, weights.safe)
    leads, answers, beaten, strength, safe = [start + slope * left for start, slope in pairs]
    return leads, answers, beaten, strength, safe


def _prospects(rules: Rules, hand: int, elsewhere: int, held: int, weights: tuple[float, ...]) -> float:
    """Return the number of cards that a seat with this hand is expected to capture.

    `held` is the bit set of the cards in other hands; `elsewhere` is the bit set of all cards outside this hand.
    """
    _, answers, beaten, strength, safe = weights
    cards, covered, beats, beaten_by, safes = hand.bit_count(), 0, 0, 0, 0
    while hand:
        low = hand & -hand
        hand ^= low
        card = low.bit_length() - 1
        lower = rules.beaten[card] & elsewhere
        higher = rules.beaters[card] & elsewhere
        covered |= lower
        beats += lower.bit_count()
        beaten_by += higher.bit_count()
        if not higher & held:
            safes += 1
    total = elsewhere.bit_count() or 1
    shares = answers * covered.bit_count() + beaten * beaten_by / (cards or 1) + strength * beats
    return shares / total + safe * safes
