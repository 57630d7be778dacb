"""A deal on plain integers, to be played on quickly in thought: all hands known, no events, changed in place."""

from collections.abc import Sequence
from dataclasses import dataclass

from locanda.games.base import Pass
from locanda.games.presidente import Options, Play
from services.engine.games.presidente.state import WILD, DealState, RankedCombination
from services.engine.players.presidente.combos import BY_CARDS, BY_MOVE, Combo

OVER = -1
"""The turn of a deal that is over."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the options say, as switches."""

    revolution: bool
    eight: bool
    eight_leads: bool
    """Whether an Eight with the joker keeps the lead."""
    plays_on: bool
    pass_lock: bool
    no_last_joker: bool
    no_last_eight: bool


def rules_of(options: Options) -> Rules:
    """Return the switches of a game's options."""
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
    """Return whether a combination may not be played because it would empty the hand (option `finish_ban`)."""
    if combo.cards != hand or (leading and combo.size == 1):
        return False
    return (rules.no_last_joker and combo.has_joker) or (rules.no_last_eight and combo.has_eight)


def combo_of(top: RankedCombination) -> Combo:
    """Return the combination that the rules call so."""
    return next(combo for combo in BY_CARDS[top.cards] if combo.rank == top.rank)


class Simulation:
    """A deal after the tax. Whoever plays has to see to it that their moves are legal."""

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
        """Return a deal of its own in the same state."""
        other = Simulation(self.rules, self.hands, self.turn, inverted=self.inverted)
        other.top, other.last, other.sitting_out = self.top, self.last, self.sitting_out
        other.out = self.out[:]
        return other

    def play(self, combo: Combo | None) -> None:
        """Play a combination, or pass."""
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
    """Return the deal for playing on in thought, the tax left out."""
    simulated = Simulation(
        rules_of(deal.options), deal.hands, OVER if deal.turn is None else deal.turn, inverted=deal.inverted
    )
    simulated.top = None if deal.table is None else combo_of(deal.table)
    simulated.last = OVER if deal.last is None else deal.last
    simulated.out = list(deal.out)
    simulated.sitting_out = deal.sitting_out
    return simulated


def combo_of_move(move: Play | Pass) -> Combo | None:
    """Return what a move plays; nothing for a pass."""
    return None if isinstance(move, Pass) else BY_MOVE[move]
