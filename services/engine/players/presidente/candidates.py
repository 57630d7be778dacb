"""The moves worth a thought: of those that differ in suits alone the one that leaves the best hand, the best first."""

from collections.abc import Sequence

from locanda.games.base import Pass
from locanda.games.presidente import Give, Move, Play
from services.engine.games.presidente.state import decoded
from services.engine.players.presidente.combos import BY_MOVE, Combo
from services.engine.players.presidente.heuristic import answer, gift, lead
from services.engine.players.presidente.knowledge import Knowledge
from services.engine.players.presidente.planning import USUAL

MOST = 16
"""So many candidates are compared at most."""
MOST_TRIED = 48
"""For so many combinations with the joker at most the rest of the hand is planned."""


def favourite(known: Knowledge) -> Combo | None:
    """Return what the heuristic plays; nothing where it passes."""
    if known.top is None:
        return lead(known.rules, known.hand, known.unseen, known.fewest, inverted=known.inverted)
    return answer(known.rules, known.hand, known.top, known.owner, inverted=known.inverted)


def gift_of(known: Knowledge) -> int:
    """Return the cards that the heuristic gives as the tax."""
    return gift(known.hand, known.view.dues[0][2])


def combos(known: Knowledge, moves: Sequence[Move]) -> list[Combo | None]:
    """Return the candidates for a play, the heuristic's choice first."""
    legal = [BY_MOVE[move] for move in moves if isinstance(move, Play)]
    natural = [combo for combo in legal if not combo.has_joker or combo.size == 1]
    wild = [combo for combo in legal if combo.has_joker and combo.size > 1]
    wild.sort(key=lambda combo: (-combo.size, -combo.rank if known.inverted else combo.rank))
    best: dict[tuple[int, int, bool], tuple[float, Combo]] = {}
    for combo in natural + wild[:MOST_TRIED]:
        cost = USUAL[known.inverted].cost(known.hand ^ combo.cards)
        alike = combo.form, combo.rank, combo.has_joker
        if alike not in best or cost < best[alike][0]:
            best[alike] = cost, combo
    first = favourite(known)
    order = sorted(best.values(), key=lambda found: found[0])
    others: list[Combo | None] = [combo for _, combo in order if combo is not first]
    if first is not None and any(isinstance(move, Pass) for move in moves):
        others.insert(0, None)
    return [first, *others][:MOST]


def gifts(known: Knowledge, moves: Sequence[Move]) -> list[Give]:
    """Return the candidates for the tax, the heuristic's choice first."""
    chosen = gift_of(known)
    legal = {decoded(move.cards): move for move in moves if isinstance(move, Give)}
    order = sorted(legal, key=lambda cards: USUAL[False].cost(known.hand ^ cards))
    return [legal[cards] for cards in [chosen, *(cards for cards in order if cards != chosen)][: MOST // 2]]
