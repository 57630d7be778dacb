"""What the others have done so far, and how well a hand would explain it."""

from collections.abc import Iterable
from dataclasses import dataclass

from locanda.games.base import Passed
from locanda.games.presidente import Event, Play, Played, Revolution, TrickWon
from services.engine.players.presidente.combos import BY_MOVE, Combo
from services.engine.players.presidente.heuristic import answer, lead
from services.engine.players.presidente.knowledge import Knowledge
from services.engine.players.presidente.simulation import Rules

UNLIKE = -1.2
"""The logarithm of how much less likely a hand is by which the heuristic would have done something else."""


@dataclass(slots=True)
class Evidence:
    """One choice of another seat, and the circumstances."""

    rules: Rules
    done: Combo | None
    """What it played; nothing where it passed."""
    top: Combo | None
    inverted: bool
    owner: int
    """How many cards the owner of the combination on the table had left."""
    fewest: int
    pool: int
    """The cards in all hands at that time, those left over unseen too."""
    later: int = 0
    """The cards that it has played since, those of this choice too."""

    def likelihood(self, hand: int) -> float:
        """Return the logarithm of how likely the choice was, from what its seat holds now."""
        before = hand | self.later
        if self.top is None:
            would: Combo | None = lead(self.rules, before, self.pool & ~before, self.fewest, inverted=self.inverted)
        else:
            would = answer(self.rules, before, self.top, self.owner, inverted=self.inverted)
        return 0.0 if _alike(would, self.done) else UNLIKE


def _alike(would: Combo | None, done: Combo | None) -> bool:
    if would is None or done is None:
        return would is done
    return would.form == done.form and would.rank == done.rank


def gather(known: Knowledge, history: Iterable[Event]) -> list[list[Evidence]]:
    """Return by seat what it has done in the deal so far."""
    return _Gathering(known).read(history)


class _Gathering:
    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._found: list[list[Evidence]] = [[] for _ in known.counts]
        self._top: Combo | None = None
        self._last = 0
        self._inverted = False
        self._counts: list[int] = []
        self._pool = 0

    def read(self, history: Iterable[Event]) -> list[list[Evidence]]:
        events = list(history)
        self._counts, self._pool = list(self._known.counts), self._known.hidden | sum(self._known.held)
        for event in events:
            if isinstance(event, Played):
                played = BY_MOVE[Play(event.cards, event.joker)]
                self._counts[event.seat] += played.size
                self._pool |= played.cards
        for event in events:
            self._take(event)
        return self._found

    def _take(self, event: Event) -> None:
        match event:
            case Played(seat=seat, cards=cards, joker=joker):
                played = BY_MOVE[Play(cards, joker)]
                self._note(seat, played)
                for each in self._found[seat]:
                    each.later |= played.cards
                self._counts[seat] -= played.size
                self._pool ^= played.cards
                self._top, self._last = played, seat
            case Passed(seat=seat):
                self._note(seat, None)
            case Revolution(inverted=inverted):
                self._inverted = inverted
            case TrickWon():
                self._top = None

    def _note(self, seat: int, done: Combo | None) -> None:
        if seat == self._known.seat:
            return
        others = [count for other, count in enumerate(self._counts) if count and other != seat]
        owner = self._counts[self._last] if self._top else 0
        self._found[seat].append(
            Evidence(self._known.rules, done, self._top, self._inverted, owner, min(others, default=0), self._pool)
        )
