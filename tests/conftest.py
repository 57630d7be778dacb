import os
from collections.abc import Generator, Iterator
from typing import Any

import pytest
import structlog
from blockbuster import blockbuster_ctx
from hypothesis import HealthCheck, settings

from tests.redis_cluster import mortal_cluster
from tests.redis_server import mortal_redis, redis_server, shared_redis

__all__ = ["mortal_cluster", "mortal_redis", "redis_server", "shared_redis"]

SLOW_IS_FINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("quick", SLOW_IS_FINE, max_examples=60)
settings.register_profile("thorough", SLOW_IS_FINE, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
"""How hard each law is tried: enough to find faults and short enough to run often, or as long as it takes."""

MAY_BLOCK = {
    "redis/utils.py": "get_lib_version",
    "fakeredis/_clients/_setup.py": "_client_lib_version",
    "telegram/ext/_application.py": "__init__",
    "tests/redis_server.py": "free_port",
}
"""Where libraries read a file of their own as a connection or the bot is made, and where tests choose a port."""


@pytest.fixture(autouse=True, scope="session")
def _loggers_forget() -> Iterator[None]:
    """A logger that one test has used writes where the next one wants it, whatever the services ask for."""
    configure = structlog.configure

    def forgetful(**given: Any) -> None:
        configure(**given | {"cache_logger_on_first_use": False})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structlog, "configure", forgetful)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Whatever blocks the event loop while a test runs is an error."""
    with blockbuster_ctx() as blockbuster:
        for blocking in blockbuster.functions.values():
            for file, function in MAY_BLOCK.items():
                blocking.can_block_in(file, function)
        return (yield)
