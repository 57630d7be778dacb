"""Deals of Gatto Rosso Gatto Grigio for all options and numbers of players, random or fixed."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.gatto_rosso import types as wire
from locanda.games.gatto_rosso.types import DealState, Event, Move, Options
from services.engine.table.fairness import shuffle
from tests.games.gatto_rosso.game import GAME

TABLES: list[tuple[dict[str, Any], int]] = [
    *(({}, players) for players in range(2, 11)),
    ({"cats": True}, 4),
    ({"cats": True, "cats_strict": True}, 3),
    *(({"three_suits": suit, "cats": True}, 2) for suit in "shdc"),
    ({"voluntary_pass": True}, 4),
    ({"pass_lock": True}, 5),
    ({"pass_lock": True, "voluntary_pass": True, "last_trick": "play_out"}, 5),
    ({"last_trick": "play_out"}, 3),
    ({"last_trick": "nobody"}, 2),
    ({"last_deal": "equal_shares"}, 7),
]
EVERY_TABLE = pytest.mark.parametrize(("options", "players"), TABLES)


def start(options: dict[str, Any], players: int, seed: int) -> DealState:
    chosen = msgspec.convert(options, Options)
    return GAME.deal(chosen, players, seed % players, Random(seed).randbytes(32), shuffle, None)


def positions(options: dict[str, Any], players: int, seed: int) -> Iterator[tuple[DealState, tuple[Event, ...], Move]]:
    """Play a deal at random. Yield each state of the deal, the events before it, and the next move."""
    rng, deal, history = Random(seed), start(options, players, seed), ()
    while deal.turn is not None:
        move = rng.choice(GAME.moves(deal))
        yield deal, history, move
        deal, events = GAME.play(deal, move, shuffle)
        history = (*history, *events)


def read(**fields: Any) -> DealState:
    return GAME.from_wire(msgspec.convert({"game": "gatto_rosso", **fields}, wire.Deal))
