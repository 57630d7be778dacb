"""How likely hidden hands are, from what the others laid and discarded last: they would seldom have played badly."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from locanda.cuccu import CARDS
from locanda.games.ramino import Attached, Discarded, Drew, Event, Melded, View
from services.engine.games.ramino.moves import ON_TABLE
from services.engine.games.ramino.state import HAND, packed
from services.engine.players.ramino.heuristic import CLOSING, Planner
from services.engine.players.ramino.plans import Melds

TOLERANCE = 0.15
"""How much worth a player gives away by mistake: a play this much worse than the best is chosen e times less often."""
DOUBT = 0.15
"""The least likelihood of any play, since nobody's plans are sure."""


class LastPlay(NamedTuple):
    """How a seat ended its last turn."""

    seat: int
    thrown: int
    """The design that it discarded, as a packed count."""
    melds: Melds
    """What lay on the table then."""
    barred: int
    sizes: tuple[int, ...]
    """How many cards the others held, from the next seat on."""


def last_plays(view: View, history: Sequence[Event] | None) -> list[LastPlay]:
    """Return the last plays of the other seats, where the events are known."""
    players = len(view.counts)
    melds: list[int] = []
    sizes, taken, last = [HAND] * players, 0, dict[int, LastPlay]()
    for event in history or ():
        match event:
            case Drew(seat, _, code):
                sizes[seat] += 1
                taken = packed([CARDS[code]]) if code is not None else 0
            case Melded(seat, cards):
                sizes[seat] -= len(cards)
                if len(cards) == ON_TABLE:
                    melds.append(packed(CARDS[code] for code in cards))
            case Attached(seat, _, meld):
                sizes[seat] -= 1
                del melds[meld]
            case Discarded(seat, code):
                sizes[seat] -= 1
                barred = 0 if view.options.return_taken else taken
                others = (*sizes[seat + 1 :], *sizes[:seat])
                last[seat] = LastPlay(seat, packed([CARDS[code]]), tuple(sorted(melds)), barred, others)
            case _:
                pass
    last.pop(view.seat or 0, None)
    return list(last.values())


def likelihood(hands: Sequence[int], plays: Sequence[LastPlay], planner: Planner) -> float:
    """Return how likely it is that the seats played so with these hands, from 0 to 1."""
    likely = 1.0
    for seat, thrown, melds, barred, sizes in plays:
        hand = hands[seat] + thrown
        best, _ = planner.best_plan(hand, melds, barred, sizes)
        loss = best - planner.worth_with(hand, thrown, melds, sizes) if best < CLOSING else CLOSING
        likely *= max(DOUBT, exp(-loss / TOLERANCE))
    return likely
