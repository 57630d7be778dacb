"""The search of `hard`: chooses candidate moves and computes their values.

The moves with the highest network values compete in a race of play-outs with random hidden hands that explain the
others' moves. The heuristic plays each play-out to the end.
"""

from collections.abc import Iterator, Sequence
from random import Random

from locanda.cards import mask, members
from locanda.games.base import Pass
from locanda.games.players import Analysis, Budget, RaceRules, Situation, race
from locanda.games.presidente.deal import NATURAL, SHORTEST, decoded
from locanda.games.presidente.fast import BY_MOVE, Combo, Simulation, combo_of_move
from locanda.games.presidente.moves import PASS, runs_of
from locanda.games.presidente.player.endings import ending_of, winning
from locanda.games.presidente.player.features import outlook_of
from locanda.games.presidente.player.heuristic import gift_of
from locanda.games.presidente.player.judgement import NETWORK
from locanda.games.presidente.player.knowledge import Knowledge, knowledge_of
from locanda.games.presidente.player.planning import USUAL
from locanda.games.presidente.player.policy import LEARNED_POLICY, USUAL_POLICY, Policy, gift
from locanda.games.presidente.player.sampling import Walk, gather
from locanda.games.presidente.types import Event, Give, Move, Play, View

# --- candidates

MOST, NEAR = 5, 0.15
"""The maximum number of candidates, and the largest difference of their network value from the best."""
MOST_GIFTS = 8
MOST_WILD = 48
"""The maximum number of combinations with the joker to consider, in addition to combinations without it."""


def distinct(hand: int, legal: Sequence[Combo], *, inverted: bool) -> list[Combo]:
    """Return one combination for each form and rank, namely the combination whose cards the hand needs least."""
    runs, cost = runs_of(hand & NATURAL, SHORTEST), USUAL[inverted].cost
    best: dict[tuple[int, int, bool], Combo] = {}
    for combo in legal:
        alike = combo.form, combo.rank, combo.has_joker
        if alike not in best or (runs and cost(hand ^ combo.cards) < cost(hand ^ best[alike].cards)):
            best[alike] = combo
    return [*best.values()]


def combos(known: Knowledge, moves: Sequence[Move]) -> list[Combo | None]:
    """Return the distinct choices: of similar combinations only one. None stands for a pass."""
    legal = [BY_MOVE[move] for move in moves if isinstance(move, Play)]
    natural = [combo for combo in legal if not combo.has_joker or combo.size == 1]
    wild = [combo for combo in legal if combo.has_joker and combo.size > 1]
    wild.sort(key=lambda combo: (-combo.size, -combo.rank if known.inverted else combo.rank))
    choices = distinct(known.hand, natural + wild[:MOST_WILD], inverted=known.inverted)
    return [*choices, *[None for move in moves if isinstance(move, Pass)]]


def promising(known: Knowledge, choices: Sequence[Combo | None]) -> list[tuple[float, Combo | None]]:
    """Return the choices with the highest network values, best first, with these values."""
    valued = [*zip(NETWORK.values(outlook_of(known), choices), choices, strict=True)]
    valued.sort(key=lambda rated: -rated[0])
    return [rated for rated in valued[:MOST] if rated[0] >= valued[0][0] - NEAR]


def gifts(known: Knowledge, moves: Sequence[Move]) -> list[Give]:
    """Return the candidates for the tax, the heuristic's choice first."""
    chosen = gift_of(known)
    legal = {decoded(move.cards): move for move in moves if isinstance(move, Give)}
    order = sorted(legal, key=lambda cards: USUAL[False].cost(known.hand ^ cards))
    return [legal[cards] for cards in [chosen, *(cards for cards in order if cards != chosen)][:MOST_GIFTS]]


# --- the race

JUDGED = 0.65
"""Weight of the network in a candidate's value; the remaining weight is that of the play-outs."""
MANY = 5
"""With at least this many players, the learned policy wins less often than the usual policy."""
PLACES = 0.1
"""Weight of the place in the value if the deal is played on for places; the remaining weight is that of the win."""
RACE = RaceRules(first=12, each=4, drop=2.2, favour=0.5)


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Run a race between the candidates; return their values.

    A value is the expected share of the win; if the deal is played on for places, a tenth of it is for the place.
    """
    known = knowledge_of(situation.view)
    evidence = gather(known, situation.history) if situation.history else []
    walk = Walk(known, evidence, rng)
    if known.view.dues:
        return _weigh_gifts(known, moves, walk, rng, budget)
    return _weigh_plays(known, moves, walk, rng, budget)


def _weigh_plays(known: Knowledge, moves: Sequence[Move], walk: Walk, rng: Random, budget: Budget) -> Analysis[Move]:
    choices, own = combos(known, moves), _policy(len(known.counts))
    if (ending := ending_of(known)) is not None:
        choices = winning(ending, [combo_of_move(move) for move in moves if isinstance(move, Play | Pass)]) or choices
    candidates = promising(known, choices)

    def simulate(running: Sequence[int]) -> Iterator[float]:
        start, others = known.simulation(walk.next()), _others(known, rng)
        for judged, combo in [candidates[index] for index in running]:
            yield JUDGED * judged + (1 - JUDGED) * _value_after(start.copy(), combo, known.seat, own, others)

    return race([PASS if combo is None else combo.move for _, combo in candidates], simulate, budget, RACE)


def _weigh_gifts(known: Knowledge, moves: Sequence[Move], walk: Walk, rng: Random, budget: Budget) -> Analysis[Move]:
    candidates, own = gifts(known, moves), _policy(len(known.counts))
    gift_sets = [decoded(candidate.cards) for candidate in candidates]

    def simulate(running: Sequence[int]) -> Iterator[float]:
        hands = walk.next()
        drawn, others = _drawn(known, hands, rng), _others(known, rng)
        return (play_out(_taxed(known, hands, gift_sets[index], drawn), known.seat, own, others) for index in running)

    return race([*candidates], simulate, budget, RACE)


def _drawn(known: Knowledge, hands: Sequence[int], rng: Random) -> list[int]:
    """Draw the random cards that each partner gives back for the tax from their hands."""
    return [mask(rng.sample(members(hands[partner]), count)) for _, partner, count in known.view.dues]


def _policy(players: int) -> Policy:
    """Return the policy that wins more with this number of players."""
    return LEARNED_POLICY if players < MANY else USUAL_POLICY


def _others(known: Knowledge, rng: Random) -> Policy:
    """Return the others' policy for a play-out, one of two at random, since the real one is unknown."""
    return rng.choice((USUAL_POLICY, _policy(len(known.counts))))


def _value_after(deal: Simulation, combo: Combo | None, seat: int, own: Policy, others: Policy) -> float:
    deal.play(combo)
    return play_out(deal, seat, own, others)


def _taxed(known: Knowledge, hands: Sequence[int], gift_cards: int, drawn: Sequence[int]) -> Simulation:
    """Return the deal after the tax: given cards, cards drawn in return, and the taxes of the other seats."""
    hands_after = list(hands)
    for (giver, partner, count), taken in zip(known.view.dues, drawn, strict=True):
        moved = taken | (gift_cards if giver == known.seat else gift(hands_after[giver], count))
        hands_after[giver] ^= moved
        hands_after[partner] ^= moved
    deal = known.simulation(hands_after)
    deal.turn = (known.view.dealer + 1) % len(hands_after)
    return deal


def play_out(deal: Simulation, seat: int, own: Policy, others: Policy) -> float:
    """Play until a seat's result is known, with the policies `own` and `others`; return the value of the result."""
    hands = deal.hands
    while deal.turn >= 0 and hands[seat]:
        deal.play((own if deal.turn == seat else others).quick(deal))
    return value(deal, seat)


def value(deal: Simulation, seat: int) -> float:
    """Return the value of a seat's result, from 0 to 1."""
    out = deal.out
    if not deal.rules.plays_on:
        return 1.0 if out[0] == seat else 0.0
    if seat not in out:
        return 0.0
    place = out.index(seat)
    places = PLACES * (1 - place / (len(deal.hands) - 1))
    return places if place else 1 - PLACES + places
