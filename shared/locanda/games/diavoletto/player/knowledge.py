"""Proofs of the events about hidden cards, and the part of a view that planning a turn needs, in ranks.

- The mazzetti hold cards of one pack only, so a card that came from a mazzetto is in neither any more.
- A turn ends without an Ace in hand if a build could be opened; only cards drawn later may be Aces (ruling D2).
- When the cards set aside are shuffled, the old stock is drawn at once: from then on the stock holds only those.
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

# --- proofs

BOTH_PACKS = Counter(PACK * 2 + bytes((JOKER, JOKER)))
WHOLE_PACK = 26
"""The size of the mazzetti at which they take up the whole of their pack."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of the hidden cards."""

    unseen: dict[int, int]
    """Each card that the view does not show, with the number of copies."""
    hidden_in_mazzetti: int
    """How many cards lie hidden in both mazzetti together."""
    eligible: tuple[int, ...]
    """The cards that may be hidden in a mazzetto, one copy each."""
    certain: frozenset[int]
    """Those of them that are certainly in one."""
    most_aces: tuple[int, int]
    """How many Aces each hand may hold."""
    jokers_only: tuple[bool, bool]
    """Whether a hand certainly has only jokers: its seat discarded one, which the options forbid otherwise."""
    shuffled: dict[int, int] | None
    """The cards of which the stock is made, with their number; None if it may hold any."""

    def spare(self, card: int) -> int:
        """Return how many unseen copies of a card cannot be in the stock."""
        return 0 if self.shuffled is None else max(0, self.unseen.get(card, 0) - self.shuffled.get(card, 0))


def knowledge(view: View, history: Sequence[Event] | None) -> Knowledge:
    """Return the knowledge proved by the view and the events since the deal; without events, by the view alone."""
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
    """Return whether a card with this many unseen copies must be in a mazzetto, given that its whole pack would be."""
    return view.options.mazzetto_size == WHOLE_PACK and copies == 2


class _Facts:
    """Collects what follows from the events, one by one."""

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
        """Only the end of a waiting seat's last turn proves facts about its hand, while the events have it."""
        proved = view.options.max_piles is None or (not view.moved and len(view.builds) < view.options.max_piles)
        return [0 if proved and seat != view.turn and view.turn is not None else HAND for seat in (0, 1)]

    def _at_the_start(self, view: View, history: Sequence[Event]) -> int:
        """Return how many builds lay on the table before the events: 0 after a deal."""
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
        """Take a card from a hand: an Ace was among the cards that may be Aces; any other card perhaps was not."""
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
    """Return the sizes of the hands before the events: the first draw of a deal is not among them."""
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


# --- the input of planning

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
    """Return the needs of the builds as one number: four bits for each rank, how many builds need it."""
    total = 0
    for need in needs:
        total += 1 << 4 * need
    return total


@dataclass(frozen=True, slots=True)
class Side:
    """The public part of a player's cards."""

    top: int
    """The rank on the mazzetto."""
    left: int
    """Cards in the mazzetto."""
    columns: Columns
    """Ranks, bottom first."""
    hand_size: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The part of the player's knowledge that matters for the choice."""

    own: Side
    other: Side
    hand: bytes
    """Ranks in ascending order."""
    needs: int
    """In the form of `packed`."""
    room: int
    """How many builds may lie on the table."""
    pool: tuple[float, ...]
    """The expected number of drawn cards of each rank."""
    drawable: int
    """Cards in the stock and set aside."""
    descending: bool
    """Whether the option `discard_order` is `descending`."""
    joker_discard: bool
    moved: bool
    """Whether a card has been moved in this turn."""


def outlook(view: View, known: Knowledge) -> Outlook:
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
    """Count the unseen cards by rank, less those expected in the mazzetti; for a short stock, with those set aside."""
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
    """Return a move as a step."""
    if isinstance(move, Build):
        source = move.column if move.column is not None else HAND_SOURCE if move.source == "hand" else MAZZETTO_SOURCE
        need = len(view.builds[move.build]) if isinstance(move.build, int) else ACE
        return source, CARDS[move.card] >> 2, need
    if isinstance(move, Discard):
        return DISCARD, CARDS[move.card] >> 2, move.column if isinstance(move.column, int) else 0
    return ENDING


def advanced(needs: int, need: int) -> int:
    """Return the needs of the builds after a card went to one; with the King the build leaves the table."""
    opened = needs - (1 << 4 * need) if need else needs
    return opened + (1 << 4 * (need + 1)) if need < KING else opened


def builds_in(needs: int) -> int:
    """Return how many builds lie on the table."""
    return sum(needs >> 4 * need & 15 for need in range(1, KING + 1))
