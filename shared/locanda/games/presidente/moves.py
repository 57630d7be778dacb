"""Legal moves of Presidente: the order of combinations, the choices of the seat on turn, and refusals.

The search for combinations uses bit sets; shifting a set by `BITS` moves its cards by one rank.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations as subsets

from locanda.cards import RANKS, mask, members
from locanda.explanations import (
    INCOMPLETE,
    MUST_BEAT,
    MUST_LEAD,
    NOT_A_COMBINATION,
    NOT_IN_HAND,
    WRONG_LENGTH,
    WRONG_PHASE,
)
from locanda.games.base import Pass, Refusal
from locanda.games.presidente.deal import ALL, CODES, NATURAL, PLAYS, READINGS, SHORTEST, codes, combination, decoded
from locanda.games.presidente.types import (
    BITS,
    CARDS,
    FINISH_BAN,
    JOKER,
    JOKER_AS,
    SINGLE,
    STRAIGHT,
    TAX_COUNT,
    UNBEATABLE,
    WILD,
    WRONG_KIND,
    DealState,
    Give,
    Move,
    Options,
    Play,
    RankedCombination,
)

# --- which combinations beat which


def unbeatable(combination: RankedCombination, options: Options) -> bool:
    """Return whether nothing can beat a combination: a single joker or, with the option `eight`, one with an Eight."""
    return combination.rank == WILD or (options.eight and combination.has_eight)


def beats(combination: RankedCombination, top: RankedCombination, *, inverted: bool) -> bool:
    """Return whether a combination beats `top`, which is not `unbeatable`: same kind and size, and a higher rank."""
    if (combination.kind, combination.size) != (top.kind, top.size):
        return False
    if combination.rank == WILD:
        return True
    return combination.rank < top.rank if inverted else combination.rank > top.rank


# --- the moves of the seat on turn

PASS = Pass()


def moves(deal: DealState, seat: int) -> list[Move]:
    """Return the legal moves of the seat on turn: low before high, then moves with the joker, then the pass."""
    hand = deal.hands[seat]
    if deal.dues:
        return [Give(chosen) for chosen in subsets(codes(hand), deal.dues[0][2])]
    if deal.table is None:
        return [*_allowed(deal, hand, leads(hand))]
    if unbeatable(deal.table, deal.options):
        return [PASS]
    return [*_allowed(deal, hand, answers(hand, deal.table, inverted=deal.inverted)), PASS]


def _allowed(deal: DealState, hand: int, plays: list[Play]) -> list[Play]:
    if deal.options.finish_ban == "none":
        return plays
    read = ((play, combination(play)) for play in plays)
    return [play for play, what in read if what is not None and not forbidden(deal, hand, what)]


def forbidden(deal: DealState, hand: int, played: RankedCombination) -> bool:
    """Return whether a play would empty the hand with a forbidden last card (option `finish_ban`, ruling P17).

    A player who leads with only one card left may always play it, because leading is compulsory.
    """
    if played.cards != hand or (deal.table is None and played.size == 1):
        return False
    ban = deal.options.finish_ban
    return (ban in ("joker", "both") and played.has_joker) or (ban in ("eight", "both") and played.has_eight)


# --- combinations without the joker

RANK = (1 << BITS) - 1
"""The four cards of the lowest rank."""
HEARTS = mask(range(0, JOKER, BITS))


def _winners(rank: int, *, inverted: bool) -> int:
    """Return the bit set of cards that beat a single card of this rank, without the joker."""
    top = RankedCombination(SINGLE, 1, rank, 1 << BITS * rank)
    cards = (combo for combo in ALL if combo.kind == SINGLE and not combo.has_joker)
    return sum(card.cards for card in cards if beats(card, top, inverted=inverted))


HIGHER = tuple(_winners(rank, inverted=False) for rank in range(len(RANKS)))
LOWER = tuple(_winners(rank, inverted=True) for rank in range(len(RANKS)))
"""Bit sets of the cards that beat each rank, for both orders of the ranks."""

SINGLES = tuple(PLAYS[combo] for combo in ALL if combo.kind == SINGLE)
"""Moves of single cards, by card; the joker is last."""

STRAIGHTS = {
    (combo.size, (combo.cards & -combo.cards).bit_length() - 1): PLAYS[combo]
    for combo in ALL
    if combo.kind == STRAIGHT and not combo.has_joker
}
"""Moves of straights by size and lowest card."""

NATURAL_SETS = tuple(combo for combo in ALL if combo.kind not in (SINGLE, STRAIGHT) and not combo.has_joker)


def _sets_of(rank: int, suits: int, size: int) -> tuple[Play, ...]:
    outside = ~(suits << BITS * rank)
    sets = (combo for combo in NATURAL_SETS if (combo.rank, combo.size) == (rank, size))
    return tuple(PLAYS[combo] for combo in sets if not combo.cards & outside)


SETS = {
    size: tuple(tuple(_sets_of(rank, suits, size) for suits in range(RANK + 1)) for rank in range(len(RANKS)))
    for size in range(2, BITS + 1)
}
"""Moves of sets by size, rank and the suits in hand, as bits."""


def leads(hand: int) -> list[Play]:
    """Return all moves that can lead a trick: cards, sets and straights, low before high, then moves with the joker."""
    cards = hand & NATURAL
    plays = _singles(cards)
    for size in SETS:
        plays += _sets(cards, size)
    size, runs = SHORTEST, runs_of(cards, SHORTEST)
    while runs:
        plays += [STRAIGHTS[size, low] for low in members(runs)]
        size, runs = size + 1, cards & runs >> BITS
    if hand >> JOKER:
        plays.append(SINGLES[JOKER])
        plays += [PLAYS[combo] for combo in with_joker(hand)]
    return plays


def answers(hand: int, top: RankedCombination, *, inverted: bool) -> list[Play]:
    """Return all moves that beat the combination on the table, in the order of `leads`."""
    cards, winning = hand & NATURAL, LOWER if inverted else HIGHER
    if top.kind == STRAIGHT:
        lows = runs_of(cards, top.size) & winning[top.rank - top.size + 1]
        plays = [STRAIGHTS[top.size, low] for low in members(lows)]
    elif top.kind == SINGLE:
        plays = _singles(cards & winning[top.rank])
    else:
        plays = _sets(cards & winning[top.rank], top.size)
    if hand >> JOKER:
        if top.kind == SINGLE:
            plays.append(SINGLES[JOKER])
        plays += [PLAYS[combo] for combo in with_joker(hand) if beats(combo, top, inverted=inverted)]
    return plays


def _singles(cards: int) -> list[Play]:
    return [SINGLES[card] for card in members(cards)]


def _sets(cards: int, size: int) -> list[Play]:
    sets = SETS[size]
    plays: list[Play] = []
    for heart in members(ranks_of(cards, size)):
        plays += sets[heart // BITS][cards >> heart & RANK]
    return plays


def ranks_of(cards: int, size: int) -> int:
    """Return the ranks that have at least `size` cards in `cards` (without a joker), as the bit set of their hearts."""
    hearts, diamonds, clubs, spades = cards & HEARTS, cards >> 1 & HEARTS, cards >> 2 & HEARTS, cards >> 3 & HEARTS
    if size == 1:
        return hearts | diamonds | clubs | spades
    if size == 2:
        return hearts & diamonds | clubs & spades | (hearts | diamonds) & (clubs | spades)
    if size == 3:
        return hearts & diamonds & (clubs | spades) | clubs & spades & (hearts | diamonds)
    return hearts & diamonds & clubs & spades


def runs_of(cards: int, size: int) -> int:
    """Return all straights of this size in `cards`, as the bit set of their lowest cards."""
    runs = cards
    for _ in range(size - 1):
        runs = cards & runs >> BITS
    return runs


# --- combinations with the joker

RANK_CARDS = tuple(mask(range(BITS * rank, BITS * (rank + 1))) for rank in range(len(RANKS)))
SUIT_CARDS = tuple(mask(range(suit, JOKER, BITS)) for suit in range(BITS))

WILD_SETS = tuple(combo for combo in ALL if combo.has_joker and combo.kind not in (SINGLE, STRAIGHT))

WILD_STRAIGHTS = {
    (combo.size, combo.rank, combo.joker): combo for combo in ALL if combo.has_joker and combo.kind == STRAIGHT
}
"""Straights with the joker by size, highest rank and the card that the joker stands for."""


def with_joker(hand: int) -> Iterator[RankedCombination]:
    """Yield the sets, then the straights, that a hand can make with its joker."""
    for rank in RANK_CARDS:
        if held := hand & rank:
            yield from _wild_sets(held)
    for suit, cards in enumerate(SUIT_CARDS):
        held = hand & cards
        if held & held - 1:
            yield from _wild_straights(suit, held)


@lru_cache(maxsize=len(RANKS) << BITS)
def _wild_sets(cards: int) -> tuple[RankedCombination, ...]:
    return tuple(combo for combo in WILD_SETS if not combo.cards & NATURAL & ~cards)


@lru_cache(maxsize=4096)
def _wild_straights(suit: int, cards: int) -> tuple[RankedCombination, ...]:
    return tuple(straight for low in range(suit, JOKER, BITS) for straight in _wild_straights_from(low, cards))


def _wild_straights_from(low: int, cards: int) -> Iterator[RankedCombination]:
    """Yield the straights with the joker from a card upwards. It fills the only gap or, without a gap, any place."""
    places: list[int] = []
    gaps: list[int] = []
    for card in range(low, JOKER, BITS):
        places.append(card)
        if not cards >> card & 1:
            gaps.append(card)
        if len(gaps) > 1:
            return
        if len(places) >= SHORTEST:
            yield from (WILD_STRAIGHTS[len(places), card // BITS, place] for place in gaps or places)


# --- why a move is illegal


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the move is illegal for the seat on turn, or None."""
    if isinstance(move, Give) != bool(deal.dues):
        return WRONG_PHASE.refuse({"phase": "tax" if deal.dues else "play"})
    if isinstance(move, Pass):
        return MUST_LEAD.refuse() if deal.table is None else None
    return _check_held(deal.hands[seat], move.cards) or (
        _check_gift(deal, seat, move) if isinstance(move, Give) else _check_play(deal, seat, move)
    )


def _check_held(hand: int, cards: Sequence[str]) -> Refusal | None:
    """Refuse a card that is not in the hand, or that the move names twice."""
    for card in cards:
        if not hand >> CARDS[card] & 1:
            return NOT_IN_HAND.refuse({"card": card})
        hand ^= 1 << CARDS[card]
    return None


def _check_gift(deal: DealState, seat: int, move: Give) -> Refusal | None:
    count = deal.dues[0][2]
    if len(move.cards) < count:
        return INCOMPLETE.refuse({"cards": codes(deal.hands[seat] & ~decoded(move.cards)), "count": count})
    return TAX_COUNT.refuse({"count": count}) if len(move.cards) > count else None


def _check_play(deal: DealState, seat: int, move: Play) -> Refusal | None:
    if deal.table is not None and unbeatable(deal.table, deal.options):
        return UNBEATABLE.refuse({"top": deal.table.codes})
    readings = READINGS.get(decoded(move.cards), ())
    if move.joker is not None:
        readings = tuple(reading for reading in readings if reading.joker == CARDS[move.joker])
    if not readings:
        return _unfinished(deal, seat, move) or NOT_A_COMBINATION.refuse({"cards": codes(decoded(move.cards))})
    refusals = [_refuse_reading(deal, deal.hands[seat], reading) for reading in readings]
    if None not in refusals:
        return _unfinished(deal, seat, move) or refusals[-1]
    return _check_named(move, [reading for reading, refusal in zip(readings, refusals, strict=True) if refusal is None])


def _check_named(move: Play, readings: Sequence[RankedCombination]) -> Refusal | None:
    """Refuse a straight in which the joker may stand for several cards, if the move does not name the card.

    The refusal lists the possible cards.
    """
    places = tuple([CODES[reading.joker] for reading in readings if reading.joker is not None])
    return JOKER_AS.refuse({"cards": places}) if places and move.joker is None else None


def _refuse_reading(deal: DealState, hand: int, played: RankedCombination) -> Refusal | None:
    """Return why a combination is illegal now, or None."""
    top = deal.table
    if top is not None and not beats(played, top, inverted=deal.inverted):
        return _not_beating(played, top, inverted=deal.inverted)
    if forbidden(deal, hand, played):
        return FINISH_BAN.refuse({"cards": played.codes})
    return None


def _not_beating(played: RankedCombination, top: RankedCombination, *, inverted: bool) -> Refusal:
    if played.kind != top.kind:
        return WRONG_KIND.refuse({"kind": played.kind, "needed": top.kind, "top": top.codes})
    if played.size != top.size:
        return WRONG_LENGTH.refuse({"length": played.size, "needed": top.size, "top": top.codes})
    return MUST_BEAT.refuse({"cards": played.codes, "top": top.codes, "inverted": inverted})


def _unfinished(deal: DealState, seat: int, move: Play) -> Refusal | None:
    """Refuse a part of a playable combination; the refusal lists the cards that would complete it."""
    selected = decoded(move.cards)
    plays = [play for play in moves(deal, seat) if isinstance(play, Play) and move.joker in (None, play.joker)]
    wholes = [play for play in plays if not selected & ~decoded(play.cards)]
    if not wholes:
        return None
    missing = decoded(code for play in wholes for code in play.cards) & ~selected
    return INCOMPLETE.refuse({"cards": codes(missing), "combinations": tuple(play.cards for play in wholes)})
