"""Combinations and deals as plain integers, for fast play-outs: the state changes in place, without events.

A *form* is a number for kind and size: 1 to 4 for a set of that size, 5 to 15 for a straight of 3 to 13 cards. A
combination can only be beaten by a combination of the same form.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from locanda.cards import RANKS, mask
from locanda.games.base import Pass
from locanda.games.presidente.deal import ALL, NATURAL, PLAYS
from locanda.games.presidente.moves import ranks_of, runs_of
from locanda.games.presidente.types import (
    BITS,
    FOUR,
    JOKER,
    STRAIGHT,
    WILD,
    DealState,
    Options,
    Play,
    RankedCombination,
)

# --- combinations

STRAIGHTS_FROM = 5
"""Form of the shortest straights."""


@dataclass(frozen=True, slots=True, eq=False)
class Combo:
    """A combination. There is one object for each combination, so combinations are compared by identity."""

    form: int
    size: int
    rank: int
    cards: int
    has_joker: bool
    has_eight: bool
    is_four: bool
    move: Play
    """The move that plays the combination."""


def _combos() -> Iterable[Combo]:
    for play in ALL:
        form = play.size + 2 if play.kind == STRAIGHT else play.size
        yield Combo(
            form, play.size, play.rank, play.cards, play.has_joker, play.has_eight, play.kind == FOUR, PLAYS[play]
        )


COMBOS = tuple(_combos())

BY_MOVE: dict[Play, Combo] = {combo.move: combo for combo in COMBOS}
"""Combinations by their canonical move."""


def _by_cards() -> dict[int, tuple[Combo, ...]]:
    by_cards: dict[int, tuple[Combo, ...]] = {}
    for combo in COMBOS:
        by_cards[combo.cards] = (*by_cards.get(combo.cards, ()), combo)
    return by_cards


BY_CARDS = _by_cards()
"""Combinations by their set of cards. A set has several combinations if a joker fits at either end of a straight."""

LONE_JOKER = BY_CARDS[1 << JOKER][0]

# --- combinations that unseen cards could beat

ABOVE = tuple(NATURAL & ~mask(range(BITS * (rank + 1))) for rank in range(len(RANKS)))
BELOW = tuple(mask(range(BITS * rank)) for rank in range(len(RANKS)))
"""Bit sets of the higher and of the lower cards, by rank."""


def beatable(combo: Combo, unseen: int, *, inverted: bool, eight: bool) -> bool:
    """Return whether a hand of the unseen cards could beat a combination."""
    rank = combo.rank
    if rank == WILD or (eight and combo.has_eight):
        return False
    joker, form = unseen >> JOKER, combo.form
    if joker and form == 1:
        return True
    if form >= STRAIGHTS_FROM:
        return _straight_beatable(combo, unseen, inverted=inverted)
    cards = unseen & (BELOW if inverted else ABOVE)[rank]
    return bool(cards and ranks_of(cards, form - 1 if joker else form))


def _straight_beatable(combo: Combo, unseen: int, *, inverted: bool) -> bool:
    """Return whether the unseen cards contain a better straight. An unseen joker may stand for any card."""
    low = combo.rank - combo.size + 1
    cards = unseen & NATURAL
    winning = BELOW[low] if inverted else ABOVE[low] & ((1 << BITS * (len(RANKS) - combo.size + 1)) - 1)
    if unseen >> JOKER:
        return bool(_with_gap(cards, combo.size) & winning)
    return bool(runs_of(cards, combo.size) & winning)


def _with_gap(cards: int, size: int) -> int:
    """Return the lowest cards of all straights of this size that lack at most one card."""
    whole, lacking = NATURAL, 0
    for place in range(size):
        held = cards >> BITS * place
        whole, lacking = whole & held, lacking & held | whole & ~held
    return whole | lacking


# --- deals

OVER = -1
"""The turn of a finished deal."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of the game as booleans."""

    revolution: bool
    eight: bool
    eight_leads: bool
    """Whether an Eight with the joker keeps the lead."""
    plays_on: bool
    pass_lock: bool
    no_last_joker: bool
    no_last_eight: bool


def rules_of(options: Options) -> Rules:
    """Return the switches for a game's options."""
    return Rules(
        revolution=options.revolution,
        eight=options.eight,
        eight_leads=options.eight and options.joker_eight == "eight",
        plays_on=options.plays_on,
        pass_lock=options.pass_lock,
        no_last_joker=options.finish_ban in ("joker", "both"),
        no_last_eight=options.finish_ban in ("eight", "both"),
    )


def forbidden(rules: Rules, hand: int, combo: Combo, *, leading: bool) -> bool:
    """Return whether a combination is forbidden as the last one of the hand (option `finish_ban`)."""
    if combo.cards != hand or (leading and combo.size == 1):
        return False
    return (rules.no_last_joker and combo.has_joker) or (rules.no_last_eight and combo.has_eight)


def combo_of(top: RankedCombination) -> Combo:
    """Return the `Combo` of a combination of the rules."""
    return next(combo for combo in BY_CARDS[top.cards] if combo.rank == top.rank)


class Simulation:
    """A deal after the tax. Callers must make only legal moves."""

    __slots__ = ("hands", "inverted", "last", "out", "rules", "sitting_out", "top", "turn")

    def __init__(self, rules: Rules, hands: Sequence[int], turn: int, *, inverted: bool = False) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.turn = turn
        self.top: Combo | None = None
        self.last = OVER
        self.inverted = inverted
        self.out: list[int] = []
        self.sitting_out = 0

    def copy(self) -> "Simulation":
        """Return an independent copy."""
        other = Simulation(self.rules, self.hands, self.turn, inverted=self.inverted)
        other.top, other.last, other.sitting_out = self.top, self.last, self.sitting_out
        other.out = self.out[:]
        return other

    def play(self, combo: Combo | None) -> None:
        """Play a combination; None passes."""
        if combo is None:
            self._pass()
        else:
            self._lay(combo)

    def _lay(self, combo: Combo) -> None:
        seat, rules = self.turn, self.rules
        self.hands[seat] ^= combo.cards
        self.top, self.last = combo, seat
        if combo.is_four and rules.revolution:
            self.inverted = not self.inverted
        if not self.hands[seat]:
            self.out.append(seat)
            if not rules.plays_on or sum(map(bool, self.hands)) < 2:
                self.turn = OVER
                return
        if combo.rank == WILD or (combo.has_eight and rules.eight):
            self._end_trick(combo, seat)
        else:
            self._next_turn(combo, seat)

    def _pass(self) -> None:
        top, seat = self.top, self.turn
        assert top is not None, "a leader cannot pass"  # noqa: S101
        if self.rules.pass_lock:
            self.sitting_out |= 1 << seat
        self._next_turn(top, seat)

    def _next_turn(self, top: Combo, seat: int) -> None:
        hands, last, sitting_out = self.hands, self.last, self.sitting_out
        players = len(hands)
        following = seat + 1 if seat + 1 < players else 0
        while following != last:
            if hands[following] and not sitting_out >> following & 1:
                self.turn = following
                return
            following = following + 1 if following + 1 < players else 0
        self._end_trick(top, last)

    def _end_trick(self, top: Combo, winner: int) -> None:
        hands = self.hands
        players = len(hands)
        loses_lead = top.has_joker and not (top.has_eight and self.rules.eight_leads)
        leader = (winner + loses_lead) % players
        while not hands[leader]:
            leader = (leader + 1) % players
        self.turn, self.top, self.last, self.sitting_out = leader, None, OVER, 0


def simulation_of(deal: DealState) -> Simulation:
    """Return the simulation of a deal, ignoring its tax."""
    simulated = Simulation(
        rules_of(deal.options), deal.hands, OVER if deal.turn is None else deal.turn, inverted=deal.inverted
    )
    simulated.top = None if deal.table is None else combo_of(deal.table)
    simulated.last = OVER if deal.last is None else deal.last
    simulated.out = list(deal.out)
    simulated.sitting_out = deal.sitting_out
    return simulated


def combo_of_move(move: Play | Pass) -> Combo | None:
    """Return the combination that a move plays; None for a pass."""
    return None if isinstance(move, Pass) else BY_MOVE[move]
