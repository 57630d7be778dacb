import gc
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from blockbuster import blockbuster_ctx
from hypothesis import HealthCheck, settings
from structlog.contextvars import merge_contextvars
from structlog.dev import set_exc_info
from structlog.processors import KeyValueRenderer, add_log_level, format_exc_info
from structlog.typing import Processor

from locanda.games.registry import GAME_NAMES
from services.engine.service import workers
from services.engine.service.workers import Workers
from tests.forked import SERVER
from tests.redis_cluster import mortal_cluster
from tests.redis_server import mortal_redis, redis_server, shared_redis

__all__ = ["mortal_cluster", "mortal_redis", "redis_server", "shared_redis"]

ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("fast", ANY_SPEED, max_examples=5)
settings.register_profile("quick", ANY_SPEED, max_examples=6)
settings.register_profile("full", ANY_SPEED, max_examples=40)
settings.register_profile("thorough", ANY_SPEED, max_examples=1000)
settings.register_profile("exhaustive", ANY_SPEED, max_examples=2500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
"""The profiles set the number of examples for each property: for `make check`, `make test`, `make test-all`, and
thorough runs.
"""

SLOW_FOLDERS = ("e2e", "emulator", "engine/http", "engine/service", "engine/store", "fifth_game", "mcp", "web")
"""Folders with only slow tests."""
SLOW_FIXTURES = {"telegram", "mortal_redis", "mortal_cluster"}
"""Fixtures that make a test slow: Telegram's emulator with a whole bot, and servers for a single test."""

MAY_BLOCK = {
    "redis/utils.py": "get_lib_version",
    "fakeredis/_clients/_setup.py": "_client_lib_version",
    "fakeredis/model/_command_info.py": "_load_command_info",
    "telegram/ext/_application.py": "__init__",
    "playwright/_impl/_driver.py": "compute_driver_executable",
    "locanda/games/registry.py": "has_part",
    "services/terminal/__main__.py": "main",
    "tests/redis_server.py": "free_port",
    "multiprocessing/forkserver.py": "read_signed",
    "multiprocessing/resource_tracker.py": "_send",
    "tests/engine/service/test_clock_of_engines.py": "stop",
}
"""Functions that may block the event loop: libraries that read their files once, a command whose loop serves one
person, objects that the garbage collector drops while a loop runs, and tests that do it on purpose.
"""


PLAIN_LOG: list[Processor] = [
    merge_contextvars,
    add_log_level,
    set_exc_info,
    format_exc_info,
    KeyValueRenderer(key_order=["event"]),
]
"""Processors of the log that a failed test shows. The format for terminals takes three times as long."""


@pytest.fixture(autouse=True, scope="session")
def _loggers_are_not_cached() -> Iterator[None]:
    """Keep loggers from caching their configuration, so that each test can redirect the log."""
    configure = structlog.configure
    configure(processors=PLAIN_LOG, cache_logger_on_first_use=False)

    def configure_uncached(**options: Any) -> None:
        configure(**options | {"cache_logger_on_first_use": False})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structlog, "configure", configure_uncached)
        yield


@pytest.fixture(autouse=True, scope="session")
def _blocking_calls_are_errors() -> Iterator[None]:
    """Make every blocking call in an event loop an error. A socket that blocks is detected when it connects."""
    with blockbuster_ctx() as blockbuster:
        for often in ("socket.socket.send", "socket.socket.recv"):
            blockbuster.functions[often].deactivate()
        for blocking in blockbuster.functions.values():
            for file, function in MAY_BLOCK.items():
                blocking.can_block_in(file, function)
        yield


@pytest.fixture(autouse=True, scope="session")
def _processes_that_think_are_forked() -> None:
    """Fork worker processes from a process that has imported the players, as `tests.forked` does with programs."""
    workers.START_METHOD = SERVER.get_start_method()


@pytest.fixture(autouse=True)
def _chance_is_seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw ids, tokens and the secrets of shuffles from the run's seed and the test's name.

    So a test gets the same cards with the same `--randomly-seed`, which pytest-randomly applies only to `random`.
    Processes that a test starts, and browsers, still draw random values.
    """
    drawn = random.Random(random.getrandbits(64)).randbytes
    monkeypatch.setattr(os, "urandom", drawn)
    monkeypatch.setattr(random, "_urandom", drawn)


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computer players think on the event loop instead of in a process, which takes seconds to start."""

    async def run(_: Workers, think: Callable[[bytes], bytes], data: bytes, *rest: Any) -> bytes:
        return think(data)

    monkeypatch.setattr(Workers, "run", run)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow folders and files out of a run without slow tests: importing them takes seconds.

    Also leave out the tests of packaged games that are not installed.
    """
    slow = config.option.markexpr == "not slow" and _all_is_slow(collection_path)
    return (
        True
        if slow or (collection_path.name == "subject.py" and collection_path.parent.name not in GAME_NAMES)
        else None
    )


def _all_is_slow(path: Path) -> bool:
    """Return whether a folder or a file has only slow tests."""
    if path.suffix != ".py":
        return path.relative_to(Path(__file__).parent).as_posix() in SLOW_FOLDERS
    return "\npytestmark = pytest.mark.slow\n" in path.read_text("utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests by folder and fixture, and run them first, starting with those that have their own time limit.

    A long test at the end would leave the other cores idle.
    """
    folders = tuple(f"{Path(__file__).parent / name}{os.sep}" for name in SLOW_FOLDERS)
    for item in items:
        slow = str(item.path).startswith(folders) or item.get_closest_marker("costly") is not None
        if slow or not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: [item.get_closest_marker(name) is None for name in ("slow", "timeout")])


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run more workers than cores if there are slow tests, since these mostly wait for servers and clocks."""
    cores = os.cpu_count() or 1
    return cores if config.option.markexpr == "not slow" else 2 * cores


def pytest_configure() -> None:
    """Stop the garbage collector during test collection, which creates a million objects that live until the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector run rarely from now on, and ignore the objects that exist already."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()
