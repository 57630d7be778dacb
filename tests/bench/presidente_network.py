"""Learn the value of choices in Presidente by self-play (Deep Monte Carlo: Zha and others 2021).

`python -m tests.bench.presidente_network MINUTES SEED` trains a new network on one core, and stores it. Every five
minutes it prints the wins of the network without search, with three players, against `medium` and the learned weights.

Many deals are played at once, so that numpy evaluates all their choices together. In half of them some seats have other
players: the heuristic, the learned weights, and strangers with randomly shifted weights. A choice's target is the
deal's result, mixed with the value of the best choice on each later turn (Watkins's Q(λ)).
"""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from random import Random
from time import monotonic
from typing import TypeAlias

import msgspec
import numpy as np

from locanda.cards import mask
from locanda.games.presidente.fast import Combo, Rules, Simulation, rules_of
from locanda.games.presidente.player.endings import choices
from locanda.games.presidente.player.features import FEATURES, Outlook, features
from locanda.games.presidente.player.judgement import NETWORK_FILE
from locanda.games.presidente.player.planning import WEIGHTS, Planner
from locanda.games.presidente.player.policy import LEARNED_POLICY, USUAL_POLICY, Policy
from locanda.games.presidente.player.search import distinct, value
from locanda.games.presidente.types import JOKER, Options
from tests.bench.arena import interval
from tests.bench.perceptron import Active, Perceptron
from tests.bench.ramino_weights import numbers, of_numbers

UNITS = 64, 32
"""The units of the two hidden layers."""
TABLES = (3, 3, 3, 3, 3, 3, 2, 2, 4, 4, 5)
"""The numbers of players at the tables."""
AT_ONCE, BUFFER, BATCH = 400, 8192, 512
"""Three numbers: deals played at once, choices between two rounds of learning, and choices of one step."""
STRAY = 0.04
"""The probability that a seat plays a random move."""
LATER = 0.8
"""The share of a choice's target that comes from later results. The rest is the value of the seat's next choice."""
RATES = 1e-3, 3e-5
"""The learning rates in the first half of the time, and at the end."""
VARIED = 0.15
"""The share of deals with unusual options."""
STRANGERS = 12
PRINTED, BOUTS = 300.0, 500
"""Seconds between two printed scores of the network, and the number of bouts for each score."""
BASE = rules_of(Options())

Player: TypeAlias = Policy | None
"""The policy of each seat; None for the network."""
Sample: TypeAlias = tuple[list[int], float]
"""The features of a choice, and its value."""
Playing: TypeAlias = Generator[Active, tuple[int, float, bool], tuple[list[Sample], list[float]]]
"""A deal that yields choices. It is sent three values: the chosen one, the best choice's value, and whether the choice
was the best.
"""


# --- deals


def dealt(rng: Random, seats: int, rules: Rules, *, joker: bool = False) -> Simulation:
    """Return a new deal in which a random seat leads."""
    size = 10 if seats == 5 else 13
    cards = rng.sample(range(JOKER + joker), size * seats)
    hands = [mask(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]
    return Simulation(rules, hands, rng.randrange(seats))


def varied(rng: Random) -> tuple[Rules, bool]:
    """Return random options, and whether the deal has a joker."""
    likely = Options(
        revolution=rng.random() < 0.7,
        eight=rng.random() < 0.5,
        play_on=rng.random() < 0.5,
        pass_lock=rng.random() < 0.4,
    )
    return rules_of(likely), rng.random() < 0.5


def seen_by(deal: Simulation, left_over: int) -> Outlook:
    """Return the view of the seat on turn. The cards `left_over` are in no hand, but the seat does not know that."""
    hands, turn, seats = deal.hands, deal.turn, len(deal.hands)
    others = [(turn + step) % seats for step in range(1, seats)]
    return Outlook(
        rules=deal.rules,
        hand=hands[turn],
        unseen=(sum(hands) | left_over) ^ hands[turn],
        held=tuple([hands[seat].bit_count() for seat in others]),
        top=deal.top,
        owner=-1 if deal.top is None else others.index(deal.last),
        sitting_out=frozenset(place for place, seat in enumerate(others) if deal.sitting_out >> seat & 1),
        inverted=deal.inverted,
    )


def different(deal: Simulation) -> list[Combo | None]:
    """Return the distinct choices of the seat on turn. If it can play its whole hand, that is the only choice."""
    hand, legal = deal.hands[deal.turn], choices(deal)
    combos = distinct(hand, [combo for combo in legal if combo is not None], inverted=deal.inverted)
    whole = [combo for combo in combos if combo.cards == hand]
    return [*(whole[:1] or combos), *([None] if None in legal and not whole else [])]


def playing(deal: Simulation, players: Sequence[Player], left_over: int) -> Playing:
    """Play a deal to its end. Return the samples of the network's seats, and the value of the result for each seat."""
    made = list[tuple[int, list[int], float, bool]]()
    while deal.turn >= 0:
        if (player := players[deal.turn]) is not None:
            deal.play(player.quick(deal))
            continue
        combos, chosen = different(deal), 0
        if len(combos) > 1:
            active = features(seen_by(deal, left_over), combos)
            chosen, best, is_best = yield active
            made.append((deal.turn, active[chosen][0] + active[chosen][1], best, is_best))
        deal.play(combos[chosen])
    results = [value(deal, seat) for seat in range(len(players))]
    samples, targets = list[Sample](), results[:]
    for seat, chosen_features, best, is_best in reversed(made):
        samples.append((chosen_features, targets[seat]))
        targets[seat] = LATER * targets[seat] + (1 - LATER) * best if is_best else best
    return samples, results


def together(
    deals: Iterator[Playing], network: Perceptron, rng: np.random.Generator, *, stray: float = 0.0
) -> Iterator[tuple[list[Sample], list[float]]]:
    """Play many deals at once, and yield the return value of each."""
    running = list[tuple[Playing, Active]]()
    while True:
        while len(running) < AT_ONCE and (deal := next(deals, None)) is not None:
            try:
                running.append((deal, next(deal)))
            except StopIteration as over:
                yield over.value
        if not running:
            return
        values = network.values([simulation for _, active in running for simulation in active], learned=not stray)
        waiting, running, end = running, [], 0
        for deal, active in waiting:
            start, end = end, end + len(active)
            best = int(values[start:end].argmax())
            chosen = int(rng.integers(len(active))) if rng.random() < stray else best
            try:
                running.append((deal, deal.send((chosen, float(values[start + best]), chosen == best))))
            except StopIteration as over:
                yield over.value


# --- learning


def strangers(rng: Random) -> list[Policy]:
    """Return players with shifted weights. Some play whenever they can; others save more cards for later."""
    policies = list[Policy]()
    for number in range(STRANGERS):
        weights = WEIGHTS["learned" if number % 2 else "usual"]
        shifted = of_numbers(weights, iter([weight + rng.gauss(0, 0.12) for weight in numbers(weights)]))
        keeps, splits = shifted.keeps, tuple(rng.choice((4.0, 6.0, 8.0, 10.0)) for _ in shifted.splits)
        if number % 3 == 0:
            keeps = tuple(tuple(rng.choice((keep, -1.0, 0.1, 0.25)) for keep in row) for row in keeps)
        elif number % 6 == 1:
            keeps = tuple((-1.0,) * len(row) for row in keeps)
        policies.append(Policy(Planner(shifted._replace(keeps=keeps, splits=splits))))
    return policies


def lessons(rng: Random) -> Iterator[Playing]:
    """Yield deals to learn from, one after another without end."""
    others = [USUAL_POLICY, LEARNED_POLICY] * (STRANGERS // 2) + strangers(rng)
    while True:
        seats, is_varied = rng.choice(TABLES), rng.random() < VARIED
        rules, joker = varied(rng) if is_varied else (BASE, False)
        deal, players = dealt(rng, seats, rules, joker=joker), list[Player]([None] * seats)
        if rng.random() < 0.5:
            players = [rng.choice(others) if rng.random() < 0.5 else None for _ in range(seats)]
            players[rng.randrange(seats)] = None
        hidden = is_varied and rng.random() < 0.4
        yield playing(deal, players, mask(range(JOKER + joker)) & ~sum(deal.hands) if hidden else 0)


def won(network: Perceptron, other: Policy, seats: int, bouts: int) -> tuple[float, float]:
    """Return the learned network's share of wins over all seats, and the half width of its 95 % interval."""
    shares = list[float]()
    for own in range(seats):
        players: list[Player] = [None if seat == own else other for seat in range(seats)]
        deals = (playing(dealt(Random(seed), seats, BASE), players, 0) for seed in range(bouts))
        shares += [results[own] for _, results in together(deals, network, np.random.default_rng(0))]
    return interval(shares)


def learn(minutes: float, seed: int, report: Callable[[str], None]) -> Perceptron:
    """Train a network for a number of minutes."""
    rng = np.random.default_rng(seed)
    network = Perceptron.fresh(FEATURES, *UNITS, rng)
    start, length, printed = monotonic(), minutes * 60, PRINTED
    samples, deals, choices_made = list[Sample](), 0, 0
    for new_samples, _ in together(lessons(Random(seed)), network, rng, stray=STRAY):
        samples += new_samples
        deals += 1
        if len(samples) < BUFFER:
            continue
        passed = monotonic() - start
        left = 1 - passed / length
        if left <= 0:
            break
        rate = RATES[0] if left > 0.5 else RATES[0] * left + RATES[1]
        order, choices_made = rng.permutation(len(samples)), choices_made + len(samples)
        for first in range(0, len(samples) - BATCH + 1, BATCH):
            batch = [samples[place] for place in order[first : first + BATCH]]
            network.learn([active for active, _ in batch], [target for _, target in batch], rate)
        samples.clear()
        if passed >= printed:
            printed += PRINTED
            report(f"{passed:.0f} s, {deals:,} deals, {choices_made:,} choices: {scores(network)}")
    report(f"{deals:,} deals, {choices_made:,} choices: {scores(network)}")
    return network


def scores(network: Perceptron) -> str:
    """Return a network's share of wins in a game of three."""
    shares = {"medium": won(network, USUAL_POLICY, 3, BOUTS), "learned": won(network, LEARNED_POLICY, 3, BOUTS)}
    return ", ".join(f"{share:.3f} ± {half:.3f} against {name}" for name, (share, half) in shares.items())


if __name__ == "__main__":
    MINUTES, SEED = sys.argv[1:]
    LEARNED = learn(float(MINUTES), int(SEED), lambda line: print(line, flush=True)).layers()
    NETWORK_FILE.write_bytes(msgspec.json.encode(LEARNED).replace(b"],[", b"],\n[") + b"\n")
