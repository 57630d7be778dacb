"""The synchronous client has every call of the asynchronous one, with the same documentation and types."""

import asyncio
import inspect
import threading
from importlib import import_module

import pytest

import locanda
from locanda.client import EngineClient, RetryPolicy
from locanda.errors import NotFoundError, StaleError, UnavailableError
from locanda.games.registry import GAME_NAMES
from locanda.messages import GameName, OpenTable, SitDown
from locanda.sync import SyncEngineClient
from tests.engine.http.engine_server import running_engine
from tests.redis_server import free_port


def test_it_has_every_call_of_the_other_client_with_its_description() -> None:
    calls = {
        name: call
        for name, call in inspect.getmembers(EngineClient)
        if not name.startswith("_") and (inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call))
    }
    assert len(calls) > 25
    for name, call in calls.items():
        own = vars(SyncEngineClient)[name]
        assert inspect.getdoc(own) == inspect.getdoc(call)
        assert inspect.signature(own) == inspect.signature(call)


def play_a_match(url: str) -> None:
    with SyncEngineClient.connect(url, language="en", words=True) as engine:
        opened = engine.open_table(OpenTable(GameName(GAME_NAMES[0]), "Anna"))
        table, token = opened.table.id, opened.token or ""
        engine.sit(table, SitDown("Bruno", "computer", "easy"), token)
        with pytest.raises(StaleError):
            engine.start(table, token, version=0)
        engine.start(table, token)
        for event in engine.events(table, token):
            if event.table.moves:
                engine.play(table, token, event.table.moves[0], version=event.table.version)
            if event.table.status == "over":
                break
        assert engine.table(table).match.result is not None
        with pytest.raises(NotFoundError):
            engine.table("A" * 22)


@pytest.mark.slow
async def test_a_program_without_asyncio_plays_a_match() -> None:
    async with running_engine() as engine:
        await asyncio.to_thread(play_a_match, engine.url("/"))
    assert "locanda" not in {thread.name for thread in threading.enumerate()}


def test_an_engine_that_is_away_is_an_error_that_leaves_no_thread() -> None:
    policy = RetryPolicy(budget=0.1)
    with (
        SyncEngineClient.connect(f"http://127.0.0.1:{free_port()}", retry=policy) as engine,
        pytest.raises(UnavailableError),
    ):
        engine.games()
    with pytest.raises(ValueError, match="an engine's address"), SyncEngineClient.connect("nowhere"):
        pass
    assert "locanda" not in {thread.name for thread in threading.enumerate()}


def test_the_package_names_what_programs_import() -> None:
    for name in dir(locanda):
        assert name == "__version__" or import_module(f"locanda.{name}").__doc__
