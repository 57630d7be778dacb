"""Draws random deals that agree with a view and with facts that events prove, and computes their likelihood.

Players seldom make bad moves, so a deal in which the other seats' last discards were bad is unlikely.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import NamedTuple

from msgspec import structs

from locanda.cards.cuccu import CARDS, DESIGNS, PACK
from locanda.games.conversions import determinizer
from locanda.games.players import Situation
from locanda.games.ramino.deal import HAND, ON_TABLE, cards_in_play, known_cards, unpacked
from locanda.games.ramino.player.heuristic import CLOSING, Planner
from locanda.games.ramino.player.knowledge import UNKNOWN, Epoch, Proof, knowledge
from locanda.games.ramino.player.planning import Melds
from locanda.games.ramino.types import Attached, DealState, Discarded, Drew, Event, Melded, View, packed, size

determinize = determinizer(DealState, View, cards_in_play, known_cards)

# --- the source of each card in a hand: the seat held it when the stock was refilled, or has drawn it since


@dataclass(frozen=True, slots=True)
class Sources:
    """One possible history of the cards in an epoch, the turns between two refills of the stock."""

    first: list[list[int]]
    """Unseen cards of each seat at the start of the epoch."""
    last: list[list[int]]
    """Cards of each seat at the end of the epoch, without the proved ones."""
    stock: list[int]
    """Cards left in the stock at the end of the epoch."""


def trace(epoch: Epoch, proofs: Sequence[Proof], rng: Random) -> Sources | None:
    """Return a random history that agrees with all proofs; None if no history does."""
    turned_up = [card for card, count in enumerate(_counts(epoch.held)) for _ in range(count)]
    rng.shuffle(turned_up)
    for card in turned_up if UNKNOWN in epoch.stock else [UNKNOWN]:
        named = card != UNKNOWN
        stock = packed(code for code in epoch.stock if code != UNKNOWN) + (1 << 2 * card if named else 0)
        tracing = _Tracing(epoch, _counts(epoch.held - (1 << 2 * card if named else 0)), _counts(stock), rng)
        if tracing.place(tracing.ordered(proofs)):
            return tracing.filled()
    return None


class _Tracing:
    """Searches for a source of each proved card, with backtracking."""

    def __init__(self, epoch: Epoch, held: list[int], stock: list[int], rng: Random) -> None:
        self._held, self._stock, self._rng = held, stock, rng
        self._room = list(epoch.hidden)
        self._draws = epoch.draws
        self._first: list[list[int]] = [[] for _ in epoch.hidden]
        self._drawn: list[list[int]] = [[] for _ in epoch.hidden]
        """For each seat, the number of the latest draw that may have brought each proved card from the stock."""

    def ordered(self, proofs: Sequence[Proof]) -> list[Proof]:
        """Sort the proofs: cards with a single possible source first, then by time, otherwise at random."""
        mixed = self._rng.sample(proofs, len(proofs))
        return sorted(mixed, key=lambda proof: (bool(self._held[proof.card] and self._stock[proof.card]), proof.draws))

    def place(self, proofs: Sequence[Proof]) -> bool:
        """Choose a source for each proof's card and return True; if impossible, change nothing and return False."""
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
        """Deal the cards without proof: first the hands at the start of the epoch, then the draws from the stock."""
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
    """Return whether each card can have a draw of its own, at or before its latest possible draw."""
    return all(number <= latest for number, latest in enumerate(sorted(latest), 1))


def _counts(cards: int) -> list[int]:
    return [cards >> 2 * card & 3 for card in range(len(DESIGNS))]


# --- deals

ATTEMPTS = 60
"""Maximum number of attempts to draw hidden cards that agree with all earlier epochs. Usually the first succeeds."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a random deal that agrees with the view and the events."""
    return Sampler(situation, rng).draw()


class Sampler:
    """Draws random deals for a situation."""

    def __init__(self, situation: Situation[View, Event], rng: Random) -> None:
        view = situation.view
        self._rng = rng
        self._known = knowledge(view, situation.history)
        self._like = determinize(view, rng)
        self._own = view.seat
        sure = list(self._known.sure)
        if view.seat is not None and view.hand is not None:
            sure[view.seat] = packed(CARDS[code] for code in view.hand)
        self._sure = sure
        self._hidden = [count - size(own) for count, own in zip(view.counts, sure, strict=True)]
        self._unseen = packed(PACK) - sum(sure) - sum(self._like.melds) - packed(self._like.discards)

    def draw(self) -> DealState:
        """Return a random deal."""
        if self._known.epochs:
            hands, stock = self._since_restocked(self._known.epochs)
        else:
            hands, stock = self._from_one_pool()
        dealt = tuple(own + packed(cards) for own, cards in zip(self._sure, hands, strict=True))
        return structs.replace(self._like, hands=dealt, stock=bytes(stock))

    def _from_one_pool(self) -> tuple[list[list[int]], list[int]]:
        """Draw hidden hands and a stock if the stock was never refilled, or if its order is known."""
        order = self._known.stock
        in_stock = [] if order is None else [card for card in order if card != UNKNOWN]
        pool = list(unpacked(self._unseen - packed(in_stock)))
        self._rng.shuffle(pool)
        hands = [[pool.pop() for _ in range(count)] for count in self._hidden]
        if order is not None:
            return hands, [pool.pop() if card == UNKNOWN else card for card in order]
        return hands, pool[: len(self._like.stock)]

    def _since_restocked(self, epochs: Sequence[Epoch]) -> tuple[list[list[int]], list[int]]:
        """Draw hidden hands and a stock that agree with all epochs, from the last epoch back to the first."""
        latest: Sources | None = None
        for _ in range(ATTEMPTS):
            latest = trace(epochs[-1], [*epochs[-1].proofs, *self._own_proofs(epochs[-1])], self._rng)
            if latest is not None and self._fits(epochs[:-1], latest):
                break
        if latest is None:
            return self._from_one_pool()
        return latest.last, latest.stock

    def _own_proofs(self, epoch: Epoch) -> list[Proof]:
        if self._own is None:
            return []
        own = unpacked(self._sure[self._own] - self._like.known[self._own])
        return [Proof(self._own, card, epoch.draws[self._own]) for card in own]

    def _fits(self, epochs: Sequence[Epoch], later: Sources) -> bool:
        """Return whether these epochs can lead to the hands at the start of the epoch `later`."""
        for epoch in reversed(epochs):
            held = [Proof(seat, card, epoch.draws[seat]) for seat, cards in enumerate(later.first) for card in cards]
            traced = trace(epoch, [*epoch.proofs, *held], self._rng)
            if traced is None:
                return False
            later = traced
        return True


# --- the likelihood of hidden hands

TOLERANCE = 0.15
"""Scale of players' errors: a play whose value is lower than the best by this amount is e times less likely."""
DOUBT = 0.15
"""The minimum likelihood of any play, because other players may plan differently."""


class LastPlay(NamedTuple):
    """How a seat ended its last turn."""

    seat: int
    thrown: int
    """Packed count of the discarded card."""
    melds: Melds
    """The combinations on the table at that time."""
    barred: int
    sizes: tuple[int, ...]
    """Number of cards of the other seats, in order from the next seat."""


def last_plays(view: View, history: Sequence[Event] | None) -> list[LastPlay]:
    """Return the last play of each other seat; empty if the events are unknown."""
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
    """Compute the likelihood, from 0 to 1, that seats with these hands made these plays."""
    likely = 1.0
    for seat, thrown, melds, barred, sizes in plays:
        hand = hands[seat] + thrown
        best, _ = planner.best_plan(hand, melds, barred, sizes)
        loss = best - planner.worth_with(hand, thrown, melds, sizes) if best < CLOSING else CLOSING
        likely *= max(DOUBT, exp(-loss / TOLERANCE))
    return likely
