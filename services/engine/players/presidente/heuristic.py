"""How an experienced player plays, as a function quick enough for play-outs: by the plan of the hand, and by counting.

It leads the weakest combination first, wins tricks as cheaply as it can, breaks up high sets for single cards, and
keeps its strongest cards for the lead as long as its hand is long.
"""

from locanda.cards import members
from services.engine.games.presidente.state import WILD
from services.engine.players.presidente.combos import BY_CARDS, LONE_JOKER, Combo, beatable
from services.engine.players.presidente.planning import HIGHEST, USUAL, is_strong, plan
from services.engine.players.presidente.simulation import Rules, Simulation, forbidden

CLOSE = 4
"""A plan of so few combinations is close to its end."""
SPLIT_FROM = 8
"""From this rank on, where Aces are 0 and low, a set is broken up to win a trick of single cards."""
SHORT = 5
"""A player with so few cards is not left the trick to save a strong combination."""
FEW = 2
"""A player with so few cards may go out with the next combination."""


def beats(combo: Combo, top: Combo, *, inverted: bool) -> bool:
    """Return whether a combination beats one that is not unbeatable."""
    if combo.form != top.form:
        return False
    return combo.rank == WILD or (combo.rank < top.rank if inverted else combo.rank > top.rank)


def quick(deal: Simulation) -> Combo | None:
    """Return the combination that the seat on turn plays; nothing where it passes."""
    hands, top = deal.hands, deal.top
    hand = hands[deal.turn]
    if top is None:
        fewest = min([held.bit_count() for seat, held in enumerate(hands) if held and seat != deal.turn])
        return lead(deal.rules, hand, sum(hands) ^ hand, fewest, inverted=deal.inverted)
    return answer(deal.rules, hand, top, hands[deal.last].bit_count(), inverted=deal.inverted)


def lead(rules: Rules, hand: int, unseen: int, fewest: int, *, inverted: bool) -> Combo:
    """Return what to lead from a hand; `fewest` is the number of cards of the shortest other hand."""
    for whole in BY_CARDS.get(hand, ()):
        if not forbidden(rules, hand, whole, leading=True):
            return whole
    groups = plan(hand, inverted)
    if len(groups) == 1:
        return BY_CARDS[hand & -hand][0]
    losers = [group for group in groups if loses_trick(group, unseen, rules, inverted=inverted)]
    if len(losers) <= 1:
        return next(group for group in groups if group not in losers)
    return _against(fewest, groups, losers) if fewest <= FEW else losers[0]


def loses_trick(group: Combo, unseen: int, rules: Rules, *, inverted: bool) -> bool:
    """Return whether the lead may be lost by leading a combination."""
    if group.has_joker:
        return not (group.has_eight and rules.eight_leads)
    return beatable(group, unseen, inverted=inverted, eight=rules.eight)


def _against(fewest: int, groups: tuple[Combo, ...], losers: list[Combo]) -> Combo:
    """Return what to lead where somebody holds one or two cards: more than they have, else what they cannot beat."""
    for group in groups:
        if group.size > fewest:
            return group
    for group in groups:
        if group not in losers:
            return group
    strongest = [group for group in losers if group is not LONE_JOKER]
    return strongest[-1] if fewest == 1 and strongest else losers[0]


def answer(rules: Rules, hand: int, top: Combo, owner: int, *, inverted: bool) -> Combo | None:
    """Return what to answer, or nothing; `owner` is the number of cards of who played the combination on the table."""
    for whole in BY_CARDS.get(hand, ()):
        if beats(whole, top, inverted=inverted) and not forbidden(rules, hand, whole, leading=False):
            return whole
    groups = plan(hand, inverted)
    for group in groups:
        if group.form == top.form and group.rank != WILD and beats(group, top, inverted=inverted):
            early = len(groups) > CLOSE and owner > SHORT
            chosen = None if early and is_strong(group, inverted=inverted) else group
            break
    else:
        chosen = _out_of_a_set(groups, top, owner, inverted=inverted) if top.form == 1 else None
    if chosen is None or forbidden(rules, hand, chosen, leading=False):
        return None
    return chosen


def _out_of_a_set(groups: tuple[Combo, ...], top: Combo, owner: int, *, inverted: bool) -> Combo | None:
    """Return a single card out of a high set, or the joker where somebody is about to go out."""
    if owner <= FEW and groups[-1] is LONE_JOKER:
        return LONE_JOKER
    for group in reversed(groups):
        if group.form in (2, 3) and (group.rank < top.rank if inverted else group.rank > top.rank):
            strength = HIGHEST - group.rank if inverted else group.rank
            if strength >= SPLIT_FROM or owner <= FEW:
                return BY_CARDS[group.cards & -group.cards][0]
    return None


def gift(hand: int, count: int) -> int:
    """Return the cards that a hand needs least: without them, its plan costs least."""
    given = 0
    for _ in range(count):
        given |= min(
            (1 << card for card in members(hand ^ given)), key=lambda card: USUAL[False].cost(hand ^ given ^ card)
        )
    return given
