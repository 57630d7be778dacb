"""A real primary with replicas for tests, monitored by real sentinels."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.programs import program
from tests.redis_server import RedisServer, ask, free_port, running_redis, until


@dataclass
class Watched:
    """The monitored primary, and the URL with which clients find it."""

    primary: RedisServer
    url: str


@contextmanager
def watched_redis(directory: Path, replicas: int = 1) -> Iterator[Watched]:
    """Run a primary with a number of replicas, and three sentinels with a quorum of two.

    Yield the primary and the URL.
    """
    with ExitStack() as stack:
        primary = stack.enter_context(
            running_redis(_directory(directory, "primary"), "--repl-diskless-sync-delay", "0")
        )
        follow = ("--replicaof", f"127.0.0.1 {primary.port}")
        for number in range(replicas):
            stack.enter_context(running_redis(_directory(directory, f"replica{number}"), *follow))
        ports = [free_port() for _ in range(3)]
        for port in ports:
            stack.enter_context(_sentinel(directory / f"{port}.conf", port, primary.port))
        until(lambda: primary.ask("INFO replication").count("state=online") == replicas)
        until(lambda: all("num-other-sentinels\r\n$1\r\n2" in _sentinel_reply(port) for port in ports))
        until(lambda: all(f"num-slaves\r\n$1\r\n{replicas}" in _sentinel_reply(port) for port in ports))
        yield Watched(primary, f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in ports)}/locanda")


def _directory(directory: Path, name: str) -> Path:
    path = directory / name
    path.mkdir()
    return path


@contextmanager
def _sentinel(configuration: Path, port: int, primary: int) -> Iterator[None]:
    configuration.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {configuration.parent}\nsentinel monitor locanda 127.0.0.1 {primary} 2\n"
        "sentinel down-after-milliseconds locanda 1000\nsentinel failover-timeout locanda 5000\n"
    )
    with subprocess.Popen(
        [program("redis-server"), str(configuration), "--sentinel"], stdout=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.kill()


def _sentinel_reply(port: int) -> str:
    try:
        return ask(port, "SENTINEL MASTER locanda")
    except OSError:
        return ""
