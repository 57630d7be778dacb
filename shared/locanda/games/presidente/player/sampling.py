"""Random hidden hands that agree with a seat's knowledge and explain the others' moves.

Hands are drawn uniformly, then changed step by step towards hands that explain the moves better. A voluntary pass
proves nothing, but some hands make the others' moves more likely than other hands do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from locanda.cards import mask, members
from locanda.games.base import Passed
from locanda.games.players import Situation
from locanda.games.presidente.deal import determinize
from locanda.games.presidente.fast import BY_MOVE, Combo, Rules
from locanda.games.presidente.player.knowledge import Knowledge
from locanda.games.presidente.player.policy import answer, lead
from locanda.games.presidente.types import DealState, Event, Play, Played, Revolution, TrickWon, View

# --- the moves of the other seats

UNLIKE = -1.2
"""Log-likelihood of a move that the heuristic would not have made with that hand."""


@dataclass(slots=True)
class Evidence:
    """A choice of another seat, and the position in which it was made."""

    rules: Rules
    done: Combo | None
    """The combination that the seat played; None for a pass."""
    top: Combo | None
    inverted: bool
    owner: int
    """Number of cards of the player whose combination was on the table."""
    fewest: int
    pool: int
    """Cards that were in any hand at that time, and unseen cards that were not dealt."""
    later: int = 0
    """Cards that the seat has played since, including this choice."""

    def likelihood(self, hand: int) -> float:
        """Return the log-likelihood of the choice, given the hand that the seat has now."""
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
    """Return the choices of each seat in this deal."""
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
                for evidence in self._found[seat]:
                    evidence.later |= played.cards
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


# --- hidden hands

FIRST_STEPS = 60
"""Steps of the random walk (`Walk`) before the first play-out."""
STEPS = 2
"""Steps of the random walk between two play-outs."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a random deal that agrees with all public facts and with the cards known from the tax."""
    return determinize(situation.view, rng)


class Walk:
    """A random walk over hidden hands (Metropolis algorithm), which prefers hands that explain the moves better."""

    def __init__(self, known: Knowledge, evidence: Sequence[Sequence[Evidence]], rng: Random) -> None:
        self._known, self._evidence, self._rng = known, evidence, rng
        missing = [count - held.bit_count() for count, held in zip(known.counts, known.held, strict=True)]
        sizes = [*missing, known.left_over]
        self._owners = [seat for seat, size in enumerate(sizes) if size]
        self._places: list[list[int]] = [[0] * sizes[seat] for seat in self._owners]
        self._likelihoods: list[float] = []
        self._draw()
        for _ in range(FIRST_STEPS if any(evidence) else 0):
            self._step()

    def next(self) -> list[int]:
        """Return all hands of the next hidden deal."""
        if len(self._places) > 1:
            if any(self._evidence):
                for _ in range(STEPS):
                    self._step()
            else:
                self._draw()
        return self._hands()

    def _draw(self) -> None:
        """Assign the hidden cards at random."""
        hidden = self._rng.sample(members(self._known.hidden), self._known.hidden.bit_count())
        for place in self._places:
            place[:] = [hidden.pop() for _ in place]
        self._likelihoods = [self._likelihood(place, cards) for place, cards in enumerate(self._places)]

    def _likelihood(self, place: int, cards: list[int]) -> float:
        """Return the log-likelihood of a seat's choices with this hand; 0 for the cards that were not dealt."""
        seat = self._owners[place]
        if not self._evidence or seat == len(self._known.counts):
            return 0.0
        hand = mask(cards) | self._known.held[seat]
        return sum([evidence.likelihood(hand) for evidence in self._evidence[seat]])

    def _step(self) -> None:
        """Exchange two cards. If the new hands explain the moves less well, undo the exchange with some probability."""
        if len(self._places) < 2:
            return
        rng, places = self._rng, self._places
        one = int(rng.random() * len(places))
        other = (one + 1 + int(rng.random() * (len(places) - 1))) % len(places)
        mine, theirs = int(rng.random() * len(places[one])), int(rng.random() * len(places[other]))
        self._swap(one, mine, other, theirs)
        now = [self._likelihood(one, places[one]), self._likelihood(other, places[other])]
        gain = sum(now) - self._likelihoods[one] - self._likelihoods[other]
        if gain < 0 and rng.random() >= exp(gain):
            self._swap(one, mine, other, theirs)
        else:
            self._likelihoods[one], self._likelihoods[other] = now

    def _swap(self, one: int, mine: int, other: int, theirs: int) -> None:
        places = self._places
        places[one][mine], places[other][theirs] = places[other][theirs], places[one][mine]

    def _hands(self) -> list[int]:
        hands = list(self._known.held)
        for seat, cards in zip(self._owners, self._places, strict=True):
            if seat < len(hands):
                hands[seat] |= mask(cards)
        return hands
