"""A position as the player on turn sees it, in ranks alone: no rule of Diavoletto looks at a suit."""

from collections.abc import Iterable
from dataclasses import dataclass

from locanda.games.diavoletto import Build, Discard, Move, View
from services.engine.games.diavoletto.state import ACE, CARDS, HAND, KING, MOST_BUILDS, WILD, Columns, cards
from services.engine.players.diavoletto.knowledge import Knowledge

HAND_SOURCE, MAZZETTO_SOURCE = 4, 5
"""Sources of a play: 0 to 3 are the columns."""
DISCARD, END = 6, 7
"""Kinds of step that end a turn."""

Step = tuple[int, int, int]
"""A move in ranks: source or kind, the rank of the card, and what the build needs (0 to open one) or the column."""

ENDING: Step = (END, 0, 0)

TO_RANKS = bytes(card >> 2 for card in range(256))
"""Translates a pile of cards into one of ranks."""


def packed(needs: Iterable[int]) -> int:
    """Return what the builds need as one number: for each rank four bits, how many builds need it."""
    total = 0
    for need in needs:
        total += 1 << 4 * need
    return total


@dataclass(frozen=True, slots=True)
class Side:
    """What everybody sees of a player."""

    top: int
    """The rank on the mazzetto."""
    left: int
    """Cards in the mazzetto."""
    columns: Columns
    """Ranks, bottom first."""
    hand_size: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the player on turn knows that matters to the choice."""

    own: Side
    other: Side
    hand: bytes
    """Ranks in ascending order."""
    needs: int
    """As `packed` gives it."""
    room: int
    """How many builds may lie on the table."""
    pool: tuple[float, ...]
    """By rank, how many of the cards that may be drawn are expected to have it."""
    drawable: int
    """Cards in the stock and set aside."""
    descending: bool
    """Whether the option `discard_order` is `descending`."""
    joker_discard: bool
    moved: bool
    """Whether a card has been moved in this turn."""


def outlook(view: View, knowledge: Knowledge) -> Outlook:
    """Return the outlook of the seat on turn, whose view this is."""
    seat = view.seat
    if seat is None or view.hand is None:
        raise ValueError("a spectator has no choice to make")
    return Outlook(
        own=_side(view, seat),
        other=_side(view, 1 - seat),
        hand=cards(view.hand).translate(TO_RANKS),
        needs=packed(map(len, view.builds)),
        room=view.options.max_piles or MOST_BUILDS,
        pool=_pool(view, knowledge),
        drawable=view.stock_count + len(view.aside),
        descending=view.options.discard_order == "descending",
        joker_discard=view.options.joker_discard,
        moved=view.moved,
    )


def _side(view: View, seat: int) -> Side:
    mazzetto = view.mazzetti[seat]
    columns = tuple([cards(column).translate(TO_RANKS) for column in view.columns[seat]])
    return Side(CARDS[mazzetto.top or "Kh"] >> 2, mazzetto.count, columns, view.counts[seat])


def _pool(view: View, knowledge: Knowledge) -> tuple[float, ...]:
    """Count the unseen cards by rank, less those expected in the mazzetti; those set aside where the stock is short."""
    pool = [0.0] * (WILD + 1)
    eligible = [0] * (WILD + 1)
    for card, copies in knowledge.unseen.items():
        pool[card >> 2] += copies
    for card in knowledge.eligible:
        eligible[card >> 2] += 1
    share = min(1.0, knowledge.hidden_in_mazzetti / max(1, len(knowledge.eligible)))
    pool = [max(0.0, count - share * out) for count, out in zip(pool, eligible, strict=True)]
    if view.stock_count < HAND:
        for card in cards(view.aside):
            pool[card >> 2] += 1
    return tuple(pool)


def step_of(move: Move, view: View) -> Step:
    """Return a move as a step."""
    if isinstance(move, Build):
        source = move.column if move.column is not None else HAND_SOURCE if move.source == "hand" else MAZZETTO_SOURCE
        need = len(view.builds[move.build]) if isinstance(move.build, int) else ACE
        return source, CARDS[move.card] >> 2, need
    if isinstance(move, Discard):
        return DISCARD, CARDS[move.card] >> 2, move.column if isinstance(move.column, int) else 0
    return ENDING


def advanced(needs: int, need: int) -> int:
    """Return what the builds need after a card went to one; with the King it leaves the table."""
    opened = needs - (1 << 4 * need) if need else needs
    return opened + (1 << 4 * (need + 1)) if need < KING else opened


def builds_in(needs: int) -> int:
    """Return how many builds lie on the table."""
    return sum(needs >> 4 * need & 15 for need in range(1, KING + 1))
