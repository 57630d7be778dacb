"""Worked positions: examples of the rules, which must hold for every interface to the engine.

`read_positions(folder)` reads a game's file. `verify(position, ask)` checks a position through the stateless calls.
`ask` takes the game, the call (`deals`, `moves`, `check`, `play`, `view`) and the body, and returns the answer, all as
JSON values.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from runpy import run_path
from typing import TypeAlias

import yaml

from locanda.messages import JsonObject
from locanda.testing.position import Expectation, WorkedPosition

StatelessCall: TypeAlias = Callable[[str, str, JsonObject], Awaitable[JsonObject]]


def read_positions(folder: Path) -> tuple[WorkedPosition, ...]:
    """Return the worked positions of a game; empty without a file. Every scalar in the file is read as a text.

    The function `position` of `positions.py` in the same folder converts the entries, which are in short notation.
    """
    file = folder / "positions.yaml"
    if not file.exists():
        return ()
    read: Callable[[JsonObject], WorkedPosition] = run_path(str(folder / "positions.py"))["position"]
    return tuple(read(entry) for entry in yaml.load(file.read_text(encoding="utf-8"), yaml.CBaseLoader))


async def verify(position: WorkedPosition, ask: StatelessCall) -> None:
    """Play a position's moves, which must be legal, and compare the outcome with the expected one."""
    deal, result = await _start(position, ask), None
    for move in position.moves:
        body = {"deal": deal, "move": move}
        assert await ask(position.game, "check", body) == {"legal": True}, move
        answer = await ask(position.game, "play", body)
        deal, result = answer["deal"], answer["result"]
    await _verify_deal(position, ask, deal)
    await _verify_moves(position, ask, deal)
    _verify_result(position.expect, deal, result)


async def _start(position: WorkedPosition, ask: StatelessCall) -> JsonObject:
    if position.fresh is None:
        return position.deal
    deal: JsonObject = (await ask(position.game, "deals", position.fresh))["deal"]
    return deal


async def _verify_deal(position: WorkedPosition, ask: StatelessCall, deal: JsonObject) -> None:
    expect = position.expect
    assert _subset(expect.deal, deal) == expect.deal
    view = (await ask(position.game, "view", {"deal": deal, "seat": None}))["view"]
    assert _subset(expect.view, view) == expect.view


async def _verify_moves(position: WorkedPosition, ask: StatelessCall, deal: JsonObject) -> None:
    legal = await ask(position.game, "moves", {"deal": deal})
    if position.expect.moves is not None:
        assert sorted(map(str, legal["moves"])) == sorted(map(str, position.expect.moves))
    if position.expect.over:
        assert legal == {"turn": None, "moves": []}
    for move, code in position.expect.refused:
        answer = await ask(position.game, "check", {"deal": deal, "move": move})
        assert (answer["legal"], answer.get("code")) == (False, code), move


def _verify_result(expect: Expectation, deal: JsonObject, result: JsonObject | None) -> None:
    if expect.over is not None:
        assert ((result is not None), (deal["turn"] is None)) == (expect.over, expect.over)
    if expect.winners is not None:
        assert result is not None
        assert result["ranking"][0] == expect.winners
    assert _subset(expect.result, result or {}) == expect.result


def _subset(expected: JsonObject, whole: JsonObject) -> JsonObject:
    return {key: whole.get(key) for key in expected}
