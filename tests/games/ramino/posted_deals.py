"""Deals of Ramino as clients submit them, and moves played in them."""

from typing import Any

import msgspec

from locanda.games.ramino import types as wire
from locanda.games.ramino.types import (
    DealState,
    Draw,
    Event,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME

STOCK, TAKE = Draw("stock"), Draw("discards")


def read(**fields: Any) -> DealState:
    return GAME.from_wire(msgspec.convert({"game": "ramino", "turn": 0, **fields}, wire.Deal))


def play(deal: DealState, *moves: wire.Move) -> tuple[DealState, list[Event]]:
    """Play these legal moves; return the deal and the events of the last move."""
    events: list[Event] = []
    for move in moves:
        assert GAME.check(deal, move) is None
        deal, events = GAME.play(deal, move, shuffle)
    return deal, events
