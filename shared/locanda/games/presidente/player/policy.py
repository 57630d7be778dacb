"""How an experienced player plays: follows a plan and counts cards. It is fast enough for play-outs.

They win tricks as cheaply as possible, break up high sets to beat single cards, and save their strongest cards for
leads while their hand is long.
"""

from locanda.cards import members
from locanda.games.presidente.fast import BY_CARDS, LONE_JOKER, Combo, Rules, Simulation, beatable, forbidden
from locanda.games.presidente.player.planning import HIGHEST, PLANNERS, USUAL, Planner
from locanda.games.presidente.types import WILD

FEW = 2
"""A player with at most this many cards may go out with their next combination."""
SIZES = (FEW, 5, 9)
"""Upper limits of the classes of the opponent's number of cards, which have separate weights."""
CLOSE, LONG = 3, 8
"""A plan with at most `CLOSE` combinations counts as short, a plan with at least `LONG` combinations as long."""


def beats(combo: Combo, top: Combo, *, inverted: bool) -> bool:
    """Return whether a combination beats `top`, which is not unbeatable."""
    if combo.form != top.form:
        return False
    return combo.rank == WILD or (combo.rank < top.rank if inverted else combo.rank > top.rank)


class Policy:
    """Plays by the plans and weights of a planner."""

    def __init__(self, planner: Planner) -> None:
        self._plan, self._costs = planner.plan, [usual.costs for usual in planner.usual]
        self._keeps, self._splits = planner.weights.keeps, planner.weights.splits

    def quick(self, deal: Simulation) -> Combo | None:
        """Return the combination that the seat on turn plays; None for a pass."""
        hands, top = deal.hands, deal.top
        hand = hands[deal.turn]
        if top is None:
            fewest = min([held.bit_count() for seat, held in enumerate(hands) if held and seat != deal.turn])
            return self.lead(deal.rules, hand, sum(hands) ^ hand, fewest, inverted=deal.inverted)
        return self.answer(deal.rules, hand, top, hands[deal.last].bit_count(), inverted=deal.inverted)

    def lead(self, rules: Rules, hand: int, unseen: int, fewest: int, *, inverted: bool) -> Combo:
        """Return the combination to lead; `fewest` is the number of cards in the shortest other hand."""
        for whole in BY_CARDS.get(hand, ()):
            if not forbidden(rules, hand, whole, leading=True):
                return whole
        groups = self._plan(hand, inverted)
        if len(groups) == 1:
            return BY_CARDS[hand & -hand][0]
        losers = [group for group in groups if loses_trick(group, unseen, rules, inverted=inverted)]
        if len(losers) <= 1:
            return next(group for group in groups if group not in losers)
        return _against(fewest, groups, losers) if fewest <= FEW else losers[0]

    def answer(self, rules: Rules, hand: int, top: Combo, owner: int, *, inverted: bool) -> Combo | None:
        """Return the combination that beats `top` (its player has `owner` cards), or None for a pass."""
        for whole in BY_CARDS.get(hand, ()):
            if beats(whole, top, inverted=inverted) and not forbidden(rules, hand, whole, leading=False):
                return whole
        groups = self._plan(hand, inverted)
        size = sum([owner > most for most in SIZES])
        chosen = lowest_answer(groups, top, inverted=inverted)
        if chosen is None:
            if top.form == 1:
                chosen = _out_of_a_set(groups, top, owner, self._splits[size], inverted=inverted)
        elif (
            self._costs[inverted][chosen.form][chosen.rank]
            < self._keeps[min(max(len(groups), CLOSE), LONG) - CLOSE][size]
        ):
            chosen = None
        if chosen is None or forbidden(rules, hand, chosen, leading=False):
            return None
        return chosen


def lowest_answer(groups: tuple[Combo, ...], top: Combo, *, inverted: bool) -> Combo | None:
    """Return the lowest combination of a plan that beats `top`, except the lone joker."""
    best: Combo | None = None
    for group in groups:
        if (
            group.form == top.form
            and group.rank != WILD
            and beats(group, top, inverted=inverted)
            and (best is None or (group.rank > best.rank if inverted else group.rank < best.rank))
        ):
            best = group
    return best


def loses_trick(group: Combo, unseen: int, rules: Rules, *, inverted: bool) -> bool:
    """Return whether leading a combination may lose the lead."""
    if group.has_joker:
        return not (group.has_eight and rules.eight_leads)
    return beatable(group, unseen, inverted=inverted, eight=rules.eight)


def _against(fewest: int, groups: tuple[Combo, ...], losers: list[Combo]) -> Combo:
    """Return the lead against a player with one or two cards: a longer combination, or one that cannot be beaten."""
    for group in groups:
        if group.size > fewest:
            return group
    for group in groups:
        if group not in losers:
            return group
    strongest = [group for group in losers if group is not LONE_JOKER]
    return strongest[-1] if fewest == 1 and strongest else losers[0]


def _out_of_a_set(
    groups: tuple[Combo, ...], top: Combo, owner: int, split_from: float, *, inverted: bool
) -> Combo | None:
    """Return a single card of a high set; if a player is about to go out, the joker."""
    if owner <= FEW and groups[-1] is LONE_JOKER:
        return LONE_JOKER
    for group in reversed(groups):
        if group.form in (2, 3) and (group.rank < top.rank if inverted else group.rank > top.rank):
            strength = HIGHEST - group.rank if inverted else group.rank
            if strength >= split_from or owner <= FEW:
                return BY_CARDS[group.cards & -group.cards][0]
    return None


def gift(hand: int, count: int) -> int:
    """Return the cards to give for the tax, chosen so that the plan for the rest of the hand is cheapest."""
    gift_cards = 0
    for _ in range(count):
        gift_cards |= min(
            (1 << card for card in members(hand ^ gift_cards)),
            key=lambda card: USUAL[False].cost(hand ^ gift_cards ^ card),
        )
    return gift_cards


USUAL_POLICY, LEARNED_POLICY = (Policy(PLANNERS[name]) for name in ("usual", "learned"))
quick, lead, answer = USUAL_POLICY.quick, USUAL_POLICY.lead, USUAL_POLICY.answer
