"""Input features of the network in `judgement`: they describe the seat's view, and the hand after a choice.

Features are binary, and a choice is described by the indexes of its active features. Ranks are numbered by strength, so
the inverted order needs no features of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from locanda.cards import RANKS
from locanda.games.presidente.deal import NATURAL
from locanda.games.presidente.fast import STRAIGHTS_FROM, Combo, Rules, beatable
from locanda.games.presidente.moves import ranks_of, runs_of
from locanda.games.presidente.player.knowledge import Knowledge
from locanda.games.presidente.player.planning import HIGHEST, PLANNERS, SIZE
from locanda.games.presidente.types import BITS, JOKER, WILD

# --- indexes of the features

SEATS, CARDS = 5, 13
"""The most seats, and the most cards in a hand."""
ROWS = 8
"""Number of classes of forms: sets of one to four, straights of three, four and more, and the single joker."""
KINDS = ROWS * len(RANKS)
"""Number of classes of combinations, by class of form and by strength."""

_SEEN = {
    "unseen": len(RANKS) * BITS,
    "unseen joker": 1,
    "held": (SEATS - 1) * (CARDS + 1),
    "sitting out": SEATS - 1,
    "top": KINDS,
    "owner": SEATS,
    "seats": SEATS + 1,
    "options": 4,
}
_CHOSEN = {
    "left": 2 * KINDS,
    "played": 2 * KINDS,
    "pass": 1,
    "cards": CARDS + 1,
    "combinations": CARDS + 1,
    "losers": CARDS + 1,
    "joker played": 1,
}
_RANGES = dict(
    zip({**_SEEN, **_CHOSEN}, pairwise(accumulate([*_SEEN.values(), *_CHOSEN.values()], initial=0)), strict=True)
)
FIRST = {name: first for name, (first, _) in _RANGES.items()}
"""First index of each group of features."""
FEATURES = sum([*_SEEN.values(), *_CHOSEN.values()])


def _kinds(*, inverted: bool) -> dict[tuple[int, int], int]:
    """Return the class of each combination, by form and rank."""
    kinds = {(1, WILD): (ROWS - 1) * len(RANKS)}
    for form in range(1, CARDS + 3):
        size = form - 2 if form >= STRAIGHTS_FROM else 1
        for rank in range(size - 1, len(RANKS)):
            strength = HIGHEST - (rank - size + 1) if inverted else rank
            kinds[form, rank] = min(form - 1, ROWS - 2) * len(RANKS) + strength
    return kinds


_KIND = (_kinds(inverted=False), _kinds(inverted=True))
_LEFT = [(FIRST["left"] + size * len(RANKS), FIRST["left"] + KINDS + size * len(RANKS)) for size in range(-1, BITS)]
"""First indexes by size of a set: for sets that others may beat, and for sets that others cannot beat."""

# --- the features of a view


@dataclass(frozen=True, slots=True)
class Outlook:
    """Values from which the features of a view are computed. Other seats are numbered starting with the next seat."""

    rules: Rules
    hand: int
    unseen: int
    held: tuple[int, ...]
    """Number of cards of each other seat."""
    top: Combo | None
    owner: int
    """The seat whose combination is on the table; -1 if the table is empty."""
    sitting_out: frozenset[int]
    """Other seats that have passed for the rest of the trick."""
    inverted: bool


def outlook_of(known: Knowledge) -> Outlook:
    """Return the outlook of a seat with this knowledge."""
    seats, last = len(known.counts), known.view.last
    return Outlook(
        rules=known.rules,
        hand=known.hand,
        unseen=known.unseen,
        held=tuple([known.counts[(known.seat + step) % seats] for step in range(1, seats)]),
        top=known.top,
        owner=-1 if last is None or known.top is None else (last - known.seat - 1) % seats,
        sitting_out=frozenset((seat - known.seat - 1) % seats for seat in known.view.sitting_out),
        inverted=known.inverted,
    )


class Encoder:
    """Computes active features for one order of the ranks: the order after the choice."""

    def __init__(self, seen: Outlook, *, inverted: bool) -> None:
        self._seen, self._inverted, self._kind = seen, inverted, _KIND[inverted]
        self._strongest = self._strongest_sets(max(seen.held))

    def _strongest_sets(self, longest: int) -> list[int]:
        """Return the strength of the strongest set that others may hold, by size; -1 if they can have no such set."""
        joker, cards = self._seen.unseen >> JOKER, self._seen.unseen & NATURAL
        strongest = [-1] * (BITS + 1)
        for size in range(1, min(BITS, longest) + 1):
            hearts = ranks_of(cards, max(1, size - joker))
            if size == 1 and joker:
                strongest[1] = len(RANKS)
            elif hearts:
                extreme = hearts & -hearts if self._inverted else hearts
                rank = (extreme.bit_length() - 1) // BITS
                strongest[size] = HIGHEST - rank if self._inverted else rank
        return strongest

    def _wins(self, combo: Combo) -> bool:
        """Return whether no other seat can beat a combination."""
        seen = self._seen
        if combo.rank == WILD or (combo.has_eight and seen.rules.eight) or combo.size > max(seen.held):
            return True
        if combo.form < STRAIGHTS_FROM:
            return self._strongest[combo.form] <= (HIGHEST - combo.rank if self._inverted else combo.rank)
        return not beatable(combo, seen.unseen, inverted=self._inverted, eight=seen.rules.eight)

    def seen(self) -> list[int]:
        """Return the features of the view, which are the same for all choices that lead to this order of ranks."""
        seen, rules = self._seen, self._seen.rules
        active = [FIRST["held"] + seat * (CARDS + 1) + count for seat, count in enumerate(seen.held)]
        for rank in range(len(RANKS)):
            if size := SIZE[seen.unseen >> BITS * rank & 15]:
                strength = HIGHEST - rank if self._inverted else rank
                active.append(FIRST["unseen"] + strength * BITS + size - 1)
        if seen.unseen >> JOKER:
            active.append(FIRST["unseen joker"])
        active += [FIRST["sitting out"] + seat for seat in seen.sitting_out]
        if seen.top is not None:
            active.append(FIRST["top"] + self._kind[seen.top.form, seen.top.rank])
        active.append(FIRST["owner"] + (SEATS - 1 if seen.top is None else seen.owner))
        active.append(FIRST["seats"] + len(seen.held) + 1)
        options = (rules.revolution, rules.eight, rules.plays_on, rules.pass_lock)
        return active + [FIRST["options"] + number for number, option in enumerate(options) if option]

    def chosen(self, combo: Combo | None) -> list[int]:
        """Return the features of the choice itself; None is a pass."""
        active, hand = [FIRST["pass"]], self._seen.hand
        if combo is not None:
            active[0] = FIRST["played"] + KINDS * self._wins(combo) + self._kind[combo.form, combo.rank]
            hand ^= combo.cards
            if combo.has_joker:
                active.append(FIRST["joker played"])
        plain = not (hand >> JOKER or self._seen.rules.eight or runs_of(hand, 3))
        left, losers = self._sets_left(hand) if plain else self._left(PLANNERS["learned"].plan(hand, self._inverted))
        counts = (
            FIRST["cards"] + hand.bit_count(),
            FIRST["combinations"] + len(left),
            FIRST["losers"] + losers,
        )
        return [*active, *left, *counts]

    def _sets_left(self, hand: int) -> tuple[list[int], int]:
        """Return the features of a hand that is played only in sets, and the number of sets that others may beat."""
        active, losers = list[int](), 0
        strength, step = (HIGHEST, -1) if self._inverted else (0, 1)
        while hand:
            if size := SIZE[hand & 15]:
                wins = self._strongest[size] <= strength
                losers += not wins
                active.append(_LEFT[size][wins] + strength)
            strength += step
            hand >>= BITS
        return active, losers

    def _left(self, groups: Iterable[Combo]) -> tuple[list[int], int]:
        """Return the features of the remaining combinations, and the number of these that others may beat."""
        won = [(group, self._wins(group)) for group in groups]
        active = [FIRST["left"] + KINDS * wins + self._kind[group.form, group.rank] for group, wins in won]
        return active, sum(not wins for _, wins in won)


def features(seen: Outlook, choices: Sequence[Combo | None]) -> list[tuple[list[int], list[int]]]:
    """Return, for each choice, the features of the view and its own features."""
    encoders: dict[bool, tuple[Encoder, list[int]]] = {}
    active: list[tuple[list[int], list[int]]] = []
    for combo in choices:
        inverted = seen.inverted ^ (combo is not None and combo.is_four and seen.rules.revolution)
        if inverted not in encoders:
            encoder = Encoder(seen, inverted=inverted)
            encoders[inverted] = encoder, encoder.seen()
        encoder, shared = encoders[inverted]
        active.append((shared, encoder.chosen(combo)))
    return active
