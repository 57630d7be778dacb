"""The features of a choice for the network of `judgement`: of the seat's view, and of the hand that the choice leaves.

A feature is on or off, and a choice is described by the numbers of those that are on. Ranks count by their strength, so
that a deal whose order is turned looks like one whose order is not.
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

# --- the numbers

SEATS, CARDS = 5, 13
"""The most seats, and the most cards of a hand."""
ROWS = 8
"""Forms that are distinguished: sets of one to four, straights of three, four and more, and the joker alone."""
KINDS = ROWS * len(RANKS)
"""Combinations that are distinguished, by row and strength."""

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
"""The first feature of each group."""
FEATURES = sum([*_SEEN.values(), *_CHOSEN.values()])


def _kinds(*, inverted: bool) -> dict[tuple[int, int], int]:
    """Return by form and rank the number of a combination among `KINDS`."""
    kinds = {(1, WILD): (ROWS - 1) * len(RANKS)}
    for form in range(1, CARDS + 3):
        size = form - 2 if form >= STRAIGHTS_FROM else 1
        for rank in range(size - 1, len(RANKS)):
            strength = HIGHEST - (rank - size + 1) if inverted else rank
            kinds[form, rank] = min(form - 1, ROWS - 2) * len(RANKS) + strength
    return kinds


_KIND = (_kinds(inverted=False), _kinds(inverted=True))
_LEFT = [(FIRST["left"] + size * len(RANKS), FIRST["left"] + KINDS + size * len(RANKS)) for size in range(-1, BITS)]
"""The first feature of sets that the others may beat, and of sets that they cannot, by size."""

# --- a seat's view


@dataclass(frozen=True, slots=True)
class Outlook:
    """The features of the view of the seat on turn. The other seats are counted from the next one on."""

    rules: Rules
    hand: int
    unseen: int
    held: tuple[int, ...]
    """How many cards each of the others has."""
    top: Combo | None
    owner: int
    """The seat whose combination is on the table; -1 for an empty table."""
    sitting_out: frozenset[int]
    """Which of the others are out of the trick."""
    inverted: bool


def outlook_of(known: Knowledge) -> Outlook:
    """Return the view's features of a seat with this knowledge."""
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
    """Finds the features that are on, in one order of the ranks: the one that holds after a choice."""

    def __init__(self, seen: Outlook, *, inverted: bool) -> None:
        self._seen, self._inverted, self._kind = seen, inverted, _KIND[inverted]
        self._strongest = self._strongest_sets(max(seen.held))

    def _strongest_sets(self, longest: int) -> list[int]:
        """Return by size the strength of the strongest set that the others may hold; -1 for none."""
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
        """Return whether none of the others can beat a combination."""
        seen = self._seen
        if combo.rank == WILD or (combo.has_eight and seen.rules.eight) or combo.size > max(seen.held):
            return True
        if combo.form < STRAIGHTS_FROM:
            return self._strongest[combo.form] <= (HIGHEST - combo.rank if self._inverted else combo.rank)
        return not beatable(combo, seen.unseen, inverted=self._inverted, eight=seen.rules.eight)

    def seen(self) -> list[int]:
        """Return the features of every choice that leaves the order like this."""
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
        """Return the features of a choice alone; None is a pass."""
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
        """Return the features of a hand that is played in sets alone, and how many of them may be beaten."""
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
        """Return the features of the combinations left, and how many of them may be beaten."""
        won = [(group, self._wins(group)) for group in groups]
        active = [FIRST["left"] + KINDS * wins + self._kind[group.form, group.rank] for group, wins in won]
        return active, sum(not wins for _, wins in won)


def features(seen: Outlook, choices: Sequence[Combo | None]) -> list[tuple[list[int], list[int]]]:
    """Return the features of each choice: those of the view, and its own."""
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
