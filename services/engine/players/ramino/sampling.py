"""Random deals that agree with a view and with all that the events of the deal prove."""

from collections.abc import Sequence
from random import Random

from msgspec import structs

from locanda.cuccu import CARDS, PACK
from locanda.games.ramino import Event, View
from services.engine.games.ramino.state import DealState, packed, size, unpacked
from services.engine.games.ramino.view import determinize
from services.engine.players.base import Situation
from services.engine.players.ramino.knowledge import UNKNOWN, Epoch, Proof, knowledge
from services.engine.players.ramino.sources import Sources, trace

ATTEMPTS = 60
"""How often hidden cards are drawn anew where the cards of an earlier stock do not fit; it is very seldom so."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a deal that agrees with the view and the events."""
    return Sampler(situation, rng).draw()


class Sampler:
    """Draws many deals for one situation."""

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
        """Return one deal."""
        if self._known.epochs:
            hands, stock = self._since_restocked(self._known.epochs)
        else:
            hands, stock = self._from_one_pool()
        dealt = tuple(own + packed(cards) for own, cards in zip(self._sure, hands, strict=True))
        return structs.replace(self._like, hands=dealt, stock=bytes(stock))

    def _from_one_pool(self) -> tuple[list[list[int]], list[int]]:
        """The unseen cards lie anywhere, but for a stock whose order is known."""
        order = self._known.stock
        in_stock = [] if order is None else [card for card in order if card != UNKNOWN]
        pool = list(unpacked(self._unseen - packed(in_stock)))
        self._rng.shuffle(pool)
        hands = [[pool.pop() for _ in range(count)] for count in self._hidden]
        if order is not None:
            return hands, [pool.pop() if card == UNKNOWN else card for card in order]
        return hands, pool[: len(self._like.stock)]

    def _since_restocked(self, epochs: Sequence[Epoch]) -> tuple[list[list[int]], list[int]]:
        """Trace the cards back, from the last stock to the first one that was made anew."""
        latest: Sources | None = None
        for _ in range(ATTEMPTS):
            latest = trace(epochs[-1], [*epochs[-1].proofs, *self._own_proofs(epochs[-1])], self._rng)
            if latest is not None and self._fits(epochs[:-1], latest):
                break
        if latest is None:
            return self._from_one_pool()
        return latest.last, latest.stock

    def _own_proofs(self, epoch: Epoch) -> list[Proof]:
        """The seat itself holds its hand."""
        if self._own is None:
            return []
        own = unpacked(self._sure[self._own] - self._like.known[self._own])
        return [Proof(self._own, card, epoch.draws[self._own]) for card in own]

    def _fits(self, epochs: Sequence[Epoch], later: Sources) -> bool:
        """Return whether the hands with which the next epoch began can be what came of these."""
        for epoch in reversed(epochs):
            held = [Proof(seat, card, epoch.draws[seat]) for seat, cards in enumerate(later.first) for card in cards]
            traced = trace(epoch, [*epoch.proofs, *held], self._rng)
            if traced is None:
                return False
            later = traced
        return True
