"""How likely a hidden deal is by what the others have chosen: players tend to keep hands that answer many cards.

The deals that a `sampling.draw` returns agree with all proofs. Here each is weighed: going backwards through the
history, a hand takes back what it played, and each choice counts for more where the quick policy would have made it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from locanda.cards import CARDS, mask, members
from locanda.games.base import Passed
from locanda.games.gatto_rosso import Event, Played, Refilled, TrickTaken, View
from services.engine.games.gatto_rosso.state import cards_in_play
from services.engine.players.base import Situation
from services.engine.players.gatto_rosso.heuristic import answers
from services.engine.players.gatto_rosso.knowledge import Knowledge
from services.engine.players.gatto_rosso.sampling import draw, hands_of
from services.engine.players.gatto_rosso.simulation import PASS, Rules, rules_of

TRUST = 0.9
"""How likely a player is thought to choose as the quick policy does, and not just any legal card."""
BATCH = 64
"""How many deals are weighed at once."""
USES = 4
"""How often as many deals are handed out as were weighed, before more of them are."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A seat played a card."""

    card: int
    beaters: int
    """The cards that were legal, if held."""
    live: int
    """The cards that nobody had seen played before."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """A seat held none of these cards."""

    refused: int


@dataclass(frozen=True, slots=True)
class _Draw:
    """A seat drew cards."""

    cards: int


_Step = _Choice | _Pass | _Draw


def deals(known: Knowledge, situation: Situation[View, Event], rng: Random) -> Iterator[tuple[list[int], list[int]]]:
    """Yield hidden deals without end: the hands as bit sets, the own one empty, and the other hidden cards shuffled."""
    view = situation.view
    players = len(view.counts)
    if situation.history is None or known.hidden.bit_count() == 0:
        while True:
            placed, rest = draw(known, rng)
            yield hands_of(known, placed, players), rest
    rules, records = rules_of(view.options), _records(situation.history, view)
    pool: list[list[int]] = []
    weights: list[float] = []
    while True:
        for _ in range(BATCH):
            hands = hands_of(known, draw(known, rng)[0], players)
            pool.append(hands)
            weights.append(_weight(rules, records, hands, rng))
        for hands in rng.choices(pool, cum_weights=list(accumulate(weights)), k=BATCH * USES):
            rest = members(known.hidden & ~sum(hands))
            rng.shuffle(rest)
            yield hands.copy(), rest


def _records(history: tuple[Event, ...], view: View) -> list[list[_Step]]:
    """Return what each seat did, latest first."""
    rules = rules_of(view.options)
    records: list[list[_Step]] = [[] for _ in view.counts]
    live, top = mask(cards_in_play(view.options.three_suits)), PASS
    for event in history:
        if isinstance(event, Played):
            card = CARDS[event.card]
            records[event.seat].append(_Choice(card, live if top == PASS else rules.beaters[top], live))
            live, top = live ^ 1 << card, card
        elif isinstance(event, Passed) and not rules.free_pass:
            records[event.seat].append(_Pass(rules.beaters[top]))
        elif isinstance(event, TrickTaken):
            top = PASS
        elif isinstance(event, Refilled):
            for record, drawn in zip(records, event.drawn, strict=True):
                record.append(_Draw(drawn))
    return [[] if seat == view.seat else record[::-1] for seat, record in enumerate(records)]


def _weight(rules: Rules, records: list[list[_Step]], hands: list[int], rng: Random) -> float:
    weight = 1.0
    for record, hand in zip(records, hands, strict=True):
        weight *= _likelihood(rules, record, hand, rng)
    return weight


def _likelihood(rules: Rules, steps: list[_Step], hand: int, rng: Random) -> float:
    """Return how likely the choices of a seat were, if it holds this hand now."""
    weight = 1.0
    for number, step in enumerate(steps):
        if isinstance(step, _Choice):
            hand |= 1 << step.card
            legal = hand & step.beaters
            if legal & (legal - 1):
                weight *= _chance(rules, hand, legal, step)
        elif isinstance(step, _Draw) and step.cards:
            hand = _without_draw(hand, step.cards, steps[number + 1 :], rng)
    return weight


def _chance(rules: Rules, hand: int, legal: int, step: _Choice) -> float:
    """Return how likely a player with this hand is thought to have chosen the card."""
    unseen = step.live & ~hand
    kept = answers(rules, hand ^ 1 << step.card, unseen)
    best = all(answers(rules, hand ^ 1 << card, unseen) <= kept for card in members(legal))
    return (1 - TRUST) / legal.bit_count() + (TRUST if best else 0.0)


def _without_draw(hand: int, drawn: int, earlier: list[_Step], rng: Random) -> int:
    """Return the hand before a draw: gone are the cards that the passes before it rule out soonest."""

    def ruled_out(card: int) -> tuple[int, float]:
        passes = (number for number, step in enumerate(earlier) if isinstance(step, _Pass) and step.refused >> card & 1)
        return next(passes, len(earlier)), rng.random()

    return hand & ~mask(sorted(members(hand), key=ruled_out)[:drawn])
