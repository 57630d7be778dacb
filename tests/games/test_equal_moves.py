"""Moves equal to listed ones (by each game's `LISTED_MOVES`) are legal and have the same effect."""

from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any

import msgspec
import pytest

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from services.engine.table.fairness import shuffle
from tests.games.subjects import AnyStart, law, played_moves

MOMENTS = 25
"""Number of moments to check in each deal."""


def equal_moves(game: str, deal: Any, move: JsonObject) -> Iterator[JsonObject]:
    """Yield the moves that are equal to a listed move, without the listed move."""
    if "cards" in move:
        yield from ({**move, "cards": list(cards)} for cards in islice(permutations(move["cards"]), 1, 4))
    if game == "diavoletto":
        yield from _of_diavoletto(deal, move)
    if game == "ramino" and "meld" in move:
        melds = deal.melds
        same = (number for number, meld in enumerate(melds) if meld == melds[move["meld"]])
        yield from ({**move, "meld": number} for number in same if number != move["meld"])


def _of_diavoletto(deal: Any, move: JsonObject) -> Iterator[JsonObject]:
    wire: Any = GAMES["diavoletto"].to_wire(deal)
    if move["type"] == "discard":
        columns = wire.columns[deal.turn]
        empty = [number for number, column in enumerate(columns) if not column]
        if move["column"] in empty:
            yield from ({**move, "column": number} for number in empty if number != move["column"])
    if move["type"] == "build" and move["build"] is not None:
        need = len(wire.builds[move["build"]])
        same = [number for number, build in enumerate(wire.builds) if len(build) == need]
        yield from ({**move, "build": number} for number in same if number != move["build"])
    if move["type"] != "end" and move.get("from", "hand") == "hand":
        held = [code for code in wire.hands[deal.turn] if code[0] == move["card"][0] and code != move["card"]]
        yield from ({**move, "card": code} for code in held)


@law
def test_moves_that_are_equal_to_listed_ones_are_legal(start: AnyStart) -> None:
    game = start.game
    for step in islice(played_moves(start), MOMENTS):
        listed = [msgspec.to_builtins(move) for move in step.moves]
        for move in listed:
            for equal in equal_moves(game.name, step.deal, move):
                assert game.check(step.deal, msgspec.convert(equal, game.move_type)) is None
                assert _as_set(equal) not in [_as_set(other) for other in listed if other != move]


def _as_set(move: JsonObject) -> JsonObject:
    """Return a form of a move that does not depend on the order of its cards."""
    return move | ({"cards": sorted(move["cards"])} if "cards" in move else {})


@pytest.mark.parametrize("seed", range(6))
def test_in_diavoletto_equal_moves_leave_the_same_choices(seed: int) -> None:
    game = GAMES["diavoletto"]
    start = AnyStart("diavoletto", game.options(), 2, 0, bytes(31) + bytes([seed]), None, ("random", "random"))
    for step in islice(played_moves(start), MOMENTS):
        for move in step.moves:
            for equal in _of_diavoletto(step.deal, msgspec.to_builtins(move)):
                one, _ = game.play(step.deal, move, shuffle)
                other, _ = game.play(step.deal, msgspec.convert(equal, game.move_type), shuffle)
                assert one.turn == other.turn
                assert len(game.moves(one)) == len(game.moves(other))
