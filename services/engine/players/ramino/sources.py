"""Where the cards came from that seats have held since the stock was made anew: the hand of then, or that stock."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from locanda.cuccu import DESIGNS
from services.engine.games.ramino.state import packed
from services.engine.players.ramino.knowledge import UNKNOWN, Epoch, Proof


@dataclass(frozen=True, slots=True)
class Sources:
    """One way that the cards can have gone in an epoch."""

    first: list[list[int]]
    """By seat, the cards that it held unseen as the epoch began."""
    last: list[list[int]]
    """By seat, those that it holds at the end besides the ones that were proved."""
    stock: list[int]
    """What is left of the stock."""


def trace(epoch: Epoch, proofs: Sequence[Proof], rng: Random) -> Sources | None:
    """Draw one way at random in which all these proofs are true; nothing if there is none."""
    turned_up = [card for card, count in enumerate(_counts(epoch.held)) for _ in range(count)]
    rng.shuffle(turned_up)
    for card in turned_up if UNKNOWN in epoch.stock else [UNKNOWN]:
        named = card != UNKNOWN
        stock = packed(each for each in epoch.stock if each != UNKNOWN) + (1 << 2 * card if named else 0)
        tracing = _Tracing(epoch, _counts(epoch.held - (1 << 2 * card if named else 0)), _counts(stock), rng)
        if tracing.place(tracing.ordered(proofs)):
            return tracing.filled()
    return None


class _Tracing:
    """The search for a source of each proved card."""

    def __init__(self, epoch: Epoch, held: list[int], stock: list[int], rng: Random) -> None:
        self._held, self._stock, self._rng = held, stock, rng
        self._room = list(epoch.hidden)
        self._draws = epoch.draws
        self._first: list[list[int]] = [[] for _ in epoch.hidden]
        self._drawn: list[list[int]] = [[] for _ in epoch.hidden]
        """By seat, before which draw each proved card from the stock was drawn at the latest."""

    def ordered(self, proofs: Sequence[Proof]) -> list[Proof]:
        """Return proofs in random order, but first those whose card has one source only, then the earlier ones."""
        mixed = self._rng.sample(proofs, len(proofs))
        return sorted(mixed, key=lambda proof: (bool(self._held[proof.card] and self._stock[proof.card]), proof.draws))

    def place(self, proofs: Sequence[Proof]) -> bool:
        """Find sources for all, or change nothing."""
        if not proofs:
            return True
        proof, rest = proofs[0], proofs[1:]
        ways = [self._from_hand, self._from_stock]
        if self._rng.random() * (self._room[proof.seat] + proof.draws) >= self._room[proof.seat]:
            ways.reverse()
        return any(way(proof, rest) for way in ways)

    def _from_hand(self, proof: Proof, rest: Sequence[Proof]) -> bool:
        seat, card = proof.seat, proof.card
        if not self._held[card] or not self._room[seat]:
            return False
        self._held[card] -= 1
        self._room[seat] -= 1
        self._first[seat].append(card)
        if self.place(rest):
            return True
        self._held[card] += 1
        self._room[seat] += 1
        self._first[seat].pop()
        return False

    def _from_stock(self, proof: Proof, rest: Sequence[Proof]) -> bool:
        drawn = self._drawn[proof.seat]
        if not self._stock[proof.card] or not _drawn_in_time([*drawn, proof.draws]):
            return False
        self._stock[proof.card] -= 1
        drawn.append(proof.draws)
        if self.place(rest):
            return True
        self._stock[proof.card] += 1
        drawn.pop()
        return False

    def filled(self) -> Sources:
        """Deal what was not proved: hands from the cards that were held, then draws from the stock."""
        held, stock = self._shuffled(self._held), self._shuffled(self._stock)
        last = []
        for seat, room in enumerate(self._room):
            unproved = [held.pop() for _ in range(room)]
            self._first[seat] += unproved
            draws = self._draws[seat] - len(self._drawn[seat])
            last.append(unproved + [stock.pop() for _ in range(draws)])
        return Sources(self._first, last, stock)

    def _shuffled(self, counts: Iterable[int]) -> list[int]:
        cards = [card for card, count in enumerate(counts) for _ in range(count)]
        self._rng.shuffle(cards)
        return cards


def _drawn_in_time(latest: Iterable[int]) -> bool:
    """Return whether as many draws can each have come before the one given for it."""
    return all(number <= latest for number, latest in enumerate(sorted(latest), 1))


def _counts(cards: int) -> list[int]:
    return [cards >> 2 * card & 3 for card in range(len(DESIGNS))]
