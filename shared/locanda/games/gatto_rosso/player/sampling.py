"""Random hidden deals that agree with a seat's knowledge, weighted by how likely the other seats' choices are.

With few players, a deal is more likely if the others played as usual: they keep hands that beat many cards. The events
are read backwards: each hand takes back the cards that it played, and the deal gains weight where the fast policy would
have chosen the same card. With many players, choices reveal too little, so deals are unweighted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from msgspec import structs

from locanda.cards import CARDS, mask, members
from locanda.games.base import Passed
from locanda.games.conversions import determinizer
from locanda.games.gatto_rosso.fast import PASS, Rules, rules_of
from locanda.games.gatto_rosso.player.heuristic import MANY, answers
from locanda.games.gatto_rosso.player.knowledge import Knowledge, knowledge
from locanda.games.gatto_rosso.rules import cards_in_play
from locanda.games.gatto_rosso.types import DealState, Event, Played, Refilled, TrickTaken, View
from locanda.games.players import Situation

# --- deals that agree with the knowledge

determinize = determinizer(DealState, View, cards_in_play)

SWEEPS = 2
"""Number of passes over the slots if several hands compete for cards. In each pass, each slot's card may be exchanged
for another."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a random deal that agrees with the situation."""
    view = situation.view
    known = knowledge(situation)
    placed, rest = draw(known, rng)
    hands = [0 if seat == view.seat else cards for seat, cards in enumerate(hands_of(known, placed, len(view.counts)))]
    deal = determinize(view, rng)
    full = tuple(deal.hands[seat] if seat == view.seat else cards for seat, cards in enumerate(hands))
    return structs.replace(deal, hands=full, stock=bytes(rest[: view.stock_count]))


def hands_of(known: Knowledge, placed: list[int], players: int) -> list[int]:
    """Return the hands as bit sets, with these cards in the slots; the viewer's own hand is empty."""
    hands = [0] * players
    for slot, card in zip(known.slots, placed, strict=True):
        hands[slot.seat] |= 1 << card
    return hands


def draw(known: Knowledge, rng: Random) -> tuple[list[int], list[int]]:
    """Draw a card for each slot; return these, and the remaining hidden cards in random order."""
    placed: list[int] = []
    left = known.hidden
    for slot in known.slots[: known.bound]:
        choice = members(left & slot.allowed)
        card = choice[int(rng.random() * len(choice))] if choice else _make_room(known, placed, left)
        placed.append(card)
        left ^= 1 << card
        if not choice:
            left = known.hidden & ~mask(placed)
    rest = members(left)
    rng.shuffle(rest)
    free = len(known.slots) - known.bound
    placed += rest[:free]
    rest = rest[free:]
    if known.contested:
        _exchange(known, placed, rest, rng)
    return placed, rest


def _make_room(known: Knowledge, placed: list[int], left: int) -> int:
    """Find a card for the next slot by moving cards of earlier slots (an augmenting path of a bipartite matching).

    In a deal played by the rules such a path always exists. In a contradictory submitted position any card is taken.
    """
    card = _give_way(known, placed, len(placed), left, set())
    return members(left)[0] if card is None else card


def _give_way(known: Knowledge, placed: list[int], wanting: int, left: int, tried: set[int]) -> int | None:
    for number, card in enumerate(placed):
        if number in tried or not known.slots[wanting].allowed >> card & 1:
            continue
        tried.add(number)
        choice = left & known.slots[number].allowed
        other = members(choice)[0] if choice else _give_way(known, placed, number, left, tried)
        if other is not None:
            placed[number] = other
            return card
    return None


def _exchange(known: Knowledge, placed: list[int], rest: list[int], rng: Random) -> None:
    """Exchange cards at random as far as the slots admit. In the limit, all possible deals are equally likely."""
    slots, held = known.slots, len(placed)
    for _ in range(SWEEPS):
        for number in range(known.bound):
            other = int(rng.random() * (held + len(rest)))
            mine = placed[number]
            theirs = placed[other] if other < held else rest[other - held]
            if not slots[number].allowed >> theirs & 1:
                continue
            if other >= held:
                placed[number], rest[other - held] = theirs, mine
            elif slots[other].allowed >> mine & 1:
                placed[number], placed[other] = theirs, mine


# --- the likelihood of deals

TRUST = 0.9
"""Assumed probability that a player follows the fast policy; otherwise they choose any legal card."""
BATCH = 64
"""Number of deals that are drawn and weighted at a time."""
USES = 4
"""Number of deals yielded for each weighted deal before the next batch is drawn."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A seat played a card."""

    card: int
    beaters: int
    """Bit set of the cards that the seat could legally play if it held them."""
    live: int
    """Bit set of the cards not played before."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """A seat passed, so it held none of the cards that beat the top card."""

    refused: int


@dataclass(frozen=True, slots=True)
class _Draw:
    """A seat drew cards."""

    cards: int


_Step = _Choice | _Pass | _Draw


def deals(known: Knowledge, situation: Situation[View, Event], rng: Random) -> Iterator[tuple[list[int], list[int]]]:
    """Yield hidden deals endlessly: hands as bit sets, the viewer's own empty, and the other hidden cards."""
    view = situation.view
    players = len(view.counts)
    if situation.history is None or players >= MANY or known.hidden.bit_count() == 0:
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
    """Return the actions of each seat, latest first."""
    rules = rules_of(view.options)
    records: list[list[_Step]] = [[] for _ in view.counts]
    live, top = mask(cards_in_play(view.options)), PASS
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
    """Compute the likelihood of a seat's choices, given that it now holds this hand."""
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
    """Return the probability that a player with this hand plays this card."""
    unseen = step.live & ~hand
    kept = answers(rules, hand ^ 1 << step.card, unseen)
    best = all(answers(rules, hand ^ 1 << card, unseen) <= kept for card in members(legal))
    return (1 - TRUST) / legal.bit_count() + (TRUST if best else 0.0)


def _without_draw(hand: int, drawn: int, earlier: list[_Step], rng: Random) -> int:
    """Return the hand before a draw. It removes cards that the passes just before the draw rule out, or any others."""

    def ruled_out(card: int) -> tuple[int, float]:
        passes = (number for number, step in enumerate(earlier) if isinstance(step, _Pass) and step.refused >> card & 1)
        return next(passes, len(earlier)), rng.random()

    return hand & ~mask(sorted(members(hand), key=ruled_out)[:drawn])
