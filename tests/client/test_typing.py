"""Calls that type checkers refuse: `make lint` fails if mypy finds no error in a line with an ignore comment.

Pyright reads the same lines (`tests/e2e/test_generated_clients.py`).
"""

import inspect
import re

from locanda import sync
from locanda.client import EngineClient, calls
from locanda.env import env, parallel_env
from locanda.games import literals
from locanda.games.ramino import types as ramino
from locanda.messages import ChangeTable, DealRequest, GameName, GivenMove, GivenOptions, OpenTable
from scripts import client_calls, javascript_calls
from scripts.literals import text


async def written_well(engine: EngineClient, table: str, token: str, installed: str) -> None:
    """Calls that type checkers accept."""
    OpenTable(game="ramino", name="Anna", options={"target": 51, "stock_end": "block"})
    OpenTable(ramino.NAME, "Anna", options=ramino.Options(target=51))
    OpenTable(game=GameName(installed), name="Anna", options=GivenOptions({"deals": 3}))
    opened = await engine.open_table(OpenTable(game=(await engine.games())[0].game, name="Anna"))
    ChangeTable(options=opened.table.options)
    await engine.play(table, token, opened.table.moves[0])
    await engine.play(table, token, (await engine.hint(table, token)).move)
    await engine.play(table, token, {"type": "draw", "from": "stock"})
    await engine.play(table, token, ramino.Draw("stock"))
    await engine.play(table, token, GivenMove({"type": "lead"}))
    await engine.deal("presidente", DealRequest(4, options={"joker": True}))
    env("presidente", 4, {"joker": True})
    parallel_env(GameName(installed), options=GivenOptions({"deals": 3}))


async def misspelt(engine: EngineClient, table: str, token: str) -> None:
    """Calls that type checkers refuse."""
    OpenTable(game="raminoo", name="Anna")  # type: ignore[arg-type]
    OpenTable(game="ramino", name="Anna", options={"target": "x"})  # type: ignore[arg-type]
    OpenTable(game="ramino", name="Anna", options={"taget": 51})  # type: ignore[arg-type]
    OpenTable("ramino", "Anna", options=ramino.Options(target="x"))  # type: ignore[arg-type]
    ChangeTable(options={"stock_end": "blok"})  # type: ignore[arg-type]
    DealRequest(4, options={"joker": "yes"})  # type: ignore[arg-type]
    await engine.game("raminoo")  # type: ignore[arg-type]
    await engine.play(table, token, {"typ": "x"})  # type: ignore[arg-type]
    await engine.play(table, token, {"type": "draw", "from": "stok"})  # type: ignore[arg-type]
    await engine.play(table, token, ramino.Draw("stok"))  # type: ignore[arg-type]
    env("raminoo")  # type: ignore[arg-type]
    env("presidente", options={"jocker": True})  # type: ignore[arg-type]
    parallel_env("ramino", options={"target": "x"})  # type: ignore[arg-type]
    env("ramino", reward="point")  # type: ignore[arg-type]
    env("ramino").step("draw")  # type: ignore[arg-type]


def test_what_type_checkers_know_of_the_games_is_up_to_date() -> None:
    assert inspect.getsource(literals) == text(), "run: make openapi"


def test_the_calls_of_the_clients_are_up_to_date() -> None:
    assert inspect.getsource(calls) == client_calls.text(), "run: make openapi"
    source = inspect.getsource(sync)
    assert source == client_calls.sync_text(source), "run: make openapi"
    page = javascript_calls.FILE.read_text("utf-8")
    assert page == javascript_calls.text(page), "run: make openapi"


def test_every_misspelt_call_is_one_that_type_checkers_refuse() -> None:
    lines = inspect.getsource(misspelt).splitlines()[2:]
    assert [line for line in lines if not re.search(r"  # type: ignore\[", line)] == []
