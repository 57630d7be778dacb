"""Fixed deals of Ramino for two, and deals in which the stock was refilled from the discards."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from locanda.cards.cuccu import CODES, PACK
from locanda.games.players import Situation
from locanda.games.ramino.moves import STOCK
from locanda.games.ramino.types import (
    Deal,
    DealState,
    Drew,
    Meld,
    Options,
    Restocked,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME


@dataclass
class Moment:
    """A deal in progress after its stock was refilled."""

    deal: DealState
    history: tuple[Any, ...]
    stock: Counter[int]
    """The cards of the new stock that the events name."""
    unnamed: bool
    """Whether the new stock contains the card turned up at the deal, which no event names."""
    drawn: list[int]
    """The number of draws from the new stock, by seat."""

    @property
    def situation(self) -> Any:
        """The knowledge of the seat on turn."""
        return Situation(GAME.view(self.deal, self.deal.turn), self.history)


def restocked(options: dict[str, Any], seats: int, seed: int) -> Iterator[Moment]:
    """Yield the moments after the stock was refilled, in a deal of players who lay nothing."""
    rng, history, stock, unnamed, drawn = Random(seed), list[Any](), Counter[int](), False, [0] * seats
    deal = GAME.deal(Options(**options), seats, 0, seed.to_bytes(32, "big"), shuffle, None)
    while deal.turn is not None:
        if stock:
            yield Moment(deal, tuple(history), stock, unnamed, drawn)
        moves = [move for move in GAME.moves(deal) if not isinstance(move, Meld)]
        move = STOCK if STOCK in moves and rng.random() < 0.8 else rng.choice(moves)
        following, events = GAME.play(deal, move, shuffle)
        if any(isinstance(event, Restocked) for event in events):
            unnamed = not stock and history[0].source == "stock"
            stock, drawn = Counter(deal.discards[unnamed:-1]), [0] * seats
        drawn = [count + (Drew(seat, "stock") in events) for seat, count in enumerate(drawn)]
        deal = following
        history.extend(events)


HIDDEN = "II IIII VI VIII X"
"""The other player's hand if nothing depends on it."""


def position(hand: str, *, top: str = "I", table: str = "", drawn: bool = True, other: str = HIDDEN) -> DealState:
    """Return a deal for two with the first seat on turn; the stock has all other cards."""
    cards, others, melds = tuple(hand.split()), tuple(other.split()), tuple(table.split())
    lying = Counter(CODES[card] for card in PACK) - Counter((*cards, *others, *melds, top))
    stock = list(lying.elements())
    Random(1).shuffle(stock)
    return GAME.from_wire(
        Deal(
            hands=(cards, others),
            turn=0,
            stock=tuple(stock),
            discards=(top,),
            melds=(melds,) if melds else (),
            phase="play" if drawn else "draw",
            opened=(len(cards) - drawn < 5, len(others) < 5),
        )
    )
