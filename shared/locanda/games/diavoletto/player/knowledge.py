"""Facts about hidden cards that the events prove, and the ranks in a view that planning needs.

- The mazzetti come from one pack, so a card played from a mazzetto is in neither mazzetto any more.
- A turn ends without an Ace in hand if a build could be opened, so only cards drawn later may be Aces (ruling D2).
- Cards set aside are shuffled under the stock when it runs short, and the cards above are drawn at once. From then on
  the stock has only recycled cards.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from locanda.games.diavoletto.deal import ACE, CARDS, HAND, JOKER, KING, MOST_BUILDS, PACK, WILD, cards
from locanda.games.diavoletto.types import (
    Build,
    Built,
    Columns,
    Completed,
    Discard,
    Discarded,
    Drew,
    Ended,
    Event,
    Exposed,
    Move,
    Recycled,
    Redealt,
    View,
)

# --- knowledge

BOTH_PACKS = Counter(PACK * 2 + bytes((JOKER, JOKER)))
WHOLE_PACK = 26
"""Size of each mazzetto with which both use up a whole pack."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts that are known about the hidden cards."""

    unseen: dict[int, int]
    """Number of unseen copies of each card that the view does not show."""
    hidden_in_mazzetti: int
    """Number of hidden cards in both mazzetti together."""
    eligible: tuple[int, ...]
    """Cards that may be hidden in a mazzetto, one copy each."""
    certain: frozenset[int]
    """Cards that are certainly hidden in a mazzetto."""
    most_aces: tuple[int, int]
    """The most Aces that each hand may hold."""
    jokers_only: tuple[bool, bool]
    """For each seat, whether it holds only jokers. Discarding a joker proves it, because that is otherwise illegal."""
    shuffled: dict[int, int] | None
    """Number of each card that was shuffled into the current stock; None if the stock may hold any card."""

    def spare(self, card: int) -> int:
        """Return the number of unseen copies of a card that cannot be in the stock."""
        return 0 if self.shuffled is None else max(0, self.unseen.get(card, 0) - self.shuffled.get(card, 0))


def knowledge(view: View, history: Sequence[Event] | None) -> Knowledge:
    """Return the facts that the view and the events since the deal prove; without events, facts from the view alone."""
    unseen = dict(BOTH_PACKS - Counter(_seen(view)))
    facts = _Facts(view, history)
    tops = [CARDS[mazzetto.top] for mazzetto in view.mazzetti if mazzetto.top]
    shown = facts.from_mazzetti | set(tops)
    eligible = tuple(card for card in sorted(unseen) if card != JOKER and card not in shown)
    certain = frozenset(card for card in eligible if _certain(view, unseen[card]))
    hidden = sum(mazzetto.count - (mazzetto.top is not None) for mazzetto in view.mazzetti)
    return Knowledge(
        unseen=unseen,
        hidden_in_mazzetti=hidden,
        eligible=eligible,
        certain=certain,
        most_aces=(facts.most_aces[0], facts.most_aces[1]),
        jokers_only=(facts.jokers_only[0], facts.jokers_only[1]),
        shuffled=None if facts.shuffled is None else dict(facts.shuffled),
    )


def _seen(view: View) -> bytes:
    columns = [column for columns in view.columns for column in columns]
    tops = [mazzetto.top for mazzetto in view.mazzetti if mazzetto.top]
    return b"".join(map(cards, (view.hand or (), view.aside, tops, *view.builds, *columns)))


def _certain(view: View, copies: int) -> bool:
    """Return whether a card must be in a mazzetto: the mazzetti use a whole pack, and both copies are unseen."""
    return view.options.mazzetto_size == WHOLE_PACK and copies == 2


class _Facts:
    """Collects facts from the events, one at a time."""

    def __init__(self, view: View, history: Sequence[Event] | None) -> None:
        self.from_mazzetti: set[int] = set()
        self.shuffled: Counter[int] | None = None
        self.jokers_only = [False, False]
        self._room = view.options.max_piles or MOST_BUILDS
        self._kept_jokers = not view.options.joker_discard
        self._aside: Counter[int] = Counter()
        if history is None:
            self.most_aces = self._without_history(view)
            return
        self._builds = self._at_the_start(view, history)
        self._hands = _hands_at_the_start(view, history)
        self.most_aces = list(self._hands)
        for event in history:
            self._take(event)

    def _without_history(self, view: View) -> list[int]:
        """Return the maximum number of Aces in each hand: 0 for a waiting seat whose turn could not end with an Ace."""
        proved = view.options.max_piles is None or (not view.moved and len(view.builds) < view.options.max_piles)
        return [0 if proved and seat != view.turn and view.turn is not None else HAND for seat in (0, 1)]

    def _at_the_start(self, view: View, history: Sequence[Event]) -> int:
        """Return the number of builds before the first event; 0 at the start of a deal."""
        builds = len(view.builds)
        for event in reversed(history):
            if isinstance(event, Redealt):
                return 0
            builds += isinstance(event, Completed) - (isinstance(event, Built) and event.stands_for == "A")
        return builds

    def _take(self, event: Event) -> None:
        match event:
            case Built():
                self._built(event)
            case Completed():
                self._builds -= 1
                self._aside.update(cards(event.cards))
            case Exposed():
                self.from_mazzetti.add(CARDS[event.card])
            case Discarded():
                self._lose(event.seat, CARDS[event.card])
                self._turn_ended(event.seat)
                self.jokers_only[event.seat] = self._kept_jokers and CARDS[event.card] == JOKER
            case Ended():
                self._turn_ended(event.seat)
            case Recycled():
                self.shuffled, self._aside = self._aside, Counter()
            case Drew():
                self.jokers_only[event.seat] = False
                self._hands[event.seat] += event.count
                self.most_aces[event.seat] += event.count
            case Redealt():
                self._redealt()
            case _:
                pass

    def _built(self, event: Built) -> None:
        card = CARDS[event.card]
        self._builds += event.stands_for == "A"
        if event.source == "mazzetto":
            self.from_mazzetti.add(card)
        elif event.source == "hand":
            self._lose(event.seat, card)

    def _lose(self, seat: int, card: int) -> None:
        """Update the facts after a card has left a hand. If it is an Ace, the hand may hold one Ace less."""
        self._hands[seat] -= 1
        fewer = self.most_aces[seat] - (card >> 2 == ACE)
        self.most_aces[seat] = max(0, min(fewer, self._hands[seat]))

    def _turn_ended(self, seat: int) -> None:
        if self._builds < self._room:
            self.most_aces[seat] = 0

    def _redealt(self) -> None:
        self.shuffled, self._aside, self._builds = None, Counter(), 0
        self._hands, self.most_aces, self.jokers_only = [0, 0], [0, 0], [False, False]


def _hands_at_the_start(view: View, history: Sequence[Event]) -> list[int]:
    """Return the hand sizes before the first event. A deal's first draw is not among its events."""
    sizes = list(view.counts)
    start = max((number for number, event in enumerate(history) if isinstance(event, Redealt)), default=-1)
    if start >= 0:
        return [HAND, HAND]
    for event in history:
        if isinstance(event, Drew):
            sizes[event.seat] -= event.count
        elif isinstance(event, Discarded) or (isinstance(event, Built) and event.source == "hand"):
            sizes[event.seat] += 1
    return sizes


# --- input of the planning

HAND_SOURCE, MAZZETTO_SOURCE = 4, 5
"""Source of a play: 0 to 3 are columns, then the hand and the mazzetto."""
DISCARD, END = 6, 7
"""Kinds of step that end a turn."""

Step = tuple[int, int, int]
"""A move in ranks: source or kind, rank of the card, and the rank that the build needs (0 opens one) or the column."""

ENDING: Step = (END, 0, 0)

TO_RANKS = bytes(card >> 2 for card in range(256))
"""Translation table from card numbers to ranks, for piles as byte strings."""


def packed(needs: Iterable[int]) -> int:
    """Pack the ranks that builds need into an integer: four bits for each rank, with the number of its builds."""
    total = 0
    for need in needs:
        total += 1 << 4 * need
    return total


@dataclass(frozen=True, slots=True)
class Side:
    """The public part of a player's cards."""

    top: int
    """Rank of the mazzetto's top card."""
    left: int
    columns: Columns
    """Ranks in each column, bottom first."""
    hand_size: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The facts that the planning of a turn needs."""

    own: Side
    other: Side
    hand: bytes
    """Ranks in ascending order."""
    needs: int
    """The ranks that builds need, as an integer made by `packed`."""
    room: int
    """The most builds that may be on the table at the same time."""
    pool: tuple[float, ...]
    """Expected number of cards of each rank among those that may be drawn."""
    drawable: int
    """Number of cards in the stock and set aside."""
    descending: bool
    """True for the option `discard_order: descending`."""
    joker_discard: bool
    moved: bool
    """Whether a card has been moved in this turn."""


def outlook(view: View, known: Knowledge) -> Outlook:
    """Return the outlook of the seat on turn from its view. Raises `ValueError` for a spectator's view."""
    seat = view.seat
    if seat is None or view.hand is None:
        raise ValueError("a spectator has no choice to make")
    return Outlook(
        own=_side(view, seat),
        other=_side(view, 1 - seat),
        hand=cards(view.hand).translate(TO_RANKS),
        needs=packed(map(len, view.builds)),
        room=view.options.max_piles or MOST_BUILDS,
        pool=_pool(view, known),
        drawable=view.stock_count + len(view.aside),
        descending=view.options.discard_order == "descending",
        joker_discard=view.options.joker_discard,
        moved=view.moved,
    )


def _side(view: View, seat: int) -> Side:
    mazzetto = view.mazzetti[seat]
    columns = tuple([cards(column).translate(TO_RANKS) for column in view.columns[seat]])
    return Side(CARDS[mazzetto.top or "Kh"] >> 2, mazzetto.count, columns, view.counts[seat])


def _pool(view: View, known: Knowledge) -> tuple[float, ...]:
    """Return the expected number of cards of each rank that may be drawn.

    These are unseen cards and, if the stock is short, cards set aside.

    The cards expected in the mazzetti are subtracted.
    """
    pool = [0.0] * (WILD + 1)
    eligible = [0] * (WILD + 1)
    for card, copies in known.unseen.items():
        pool[card >> 2] += copies
    for card in known.eligible:
        eligible[card >> 2] += 1
    share = min(1.0, known.hidden_in_mazzetti / max(1, len(known.eligible)))
    pool = [max(0.0, count - share * out) for count, out in zip(pool, eligible, strict=True)]
    if view.stock_count < HAND:
        for card in cards(view.aside):
            pool[card >> 2] += 1
    return tuple(pool)


def step_of(move: Move, view: View) -> Step:
    """Convert a move to a step, which has ranks instead of cards."""
    if isinstance(move, Build):
        source = move.column if move.column is not None else HAND_SOURCE if move.source == "hand" else MAZZETTO_SOURCE
        need = len(view.builds[move.build]) if isinstance(move.build, int) else ACE
        return source, CARDS[move.card] >> 2, need
    if isinstance(move, Discard):
        return DISCARD, CARDS[move.card] >> 2, move.column if isinstance(move.column, int) else 0
    return ENDING


def advanced(needs: int, need: int) -> int:
    """Return `needs` after a card went to a build that needs the rank `need`. A King removes the build."""
    opened = needs - (1 << 4 * need) if need else needs
    return opened + (1 << 4 * (need + 1)) if need < KING else opened


def builds_in(needs: int) -> int:
    """Return the number of builds on the table."""
    return sum(needs >> 4 * need & 15 for need in range(1, KING + 1))
