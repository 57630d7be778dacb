"""A Redis server for `make run` without `REDIS_URL`: on loopback, a free port, with a password and append-only file."""

import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

START_SECONDS = 10.0


class BusyDirectoryError(Exception):
    """Another process uses the same directory."""


@contextmanager
def local_redis(directory: Path) -> Iterator[str | None]:
    """Yield the URL of a `redis-server` that keeps its data in a directory; None if the machine has no such program.

    A server that a killed process left running is taken over: two must never write to the same files.
    Raises `BusyDirectoryError` while another process uses the directory.
    """
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    with locked(directory):
        url = running_url(directory) or _start(program, directory)
        try:
            yield url
        finally:
            stop(url)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep every other process out of a directory of Redis. Raises `BusyDirectoryError` while one uses it."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyDirectoryError(f"another process keeps its games in {directory}: stop it first") from None
        yield


def running_url(directory: Path) -> str | None:
    """Return the URL of the server that runs on a directory, whoever started it."""
    note = directory / "url"
    url = note.read_text() if note.exists() else ""
    return url if _responds(url) else None


def _start(program: str, directory: Path) -> str:
    port, password = _free_port(), secrets.token_urlsafe(32)
    configuration = _configuration(directory, port, password)
    subprocess.run([program, "-"], input=configuration, text=True, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    deadline = time.monotonic() + START_SECONDS
    while not _responds(url):
        if time.monotonic() > deadline:
            raise TimeoutError(f"redis-server does not answer; see {directory / 'redis.log'}")
        time.sleep(0.05)
    _write_private(directory / "url", url)
    return url


def _configuration(directory: Path, port: int, password: str) -> str:
    """Return the server's configuration, for its standard input: a password on the command line would be visible."""
    settings = {
        "bind": "127.0.0.1",
        "port": port,
        "requirepass": password,
        "dir": f'"{directory.resolve()}"',
        "appendonly": "yes",
        "appendfsync": "always",
        "save": '""',
        "repl-diskless-sync-delay": 0,  # a backup, the only replica, need not wait for others
        "maxmemory-policy": "noeviction",
        "daemonize": "yes",
        "logfile": "redis.log",
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _write_private(note: Path, url: str) -> None:
    note.unlink(missing_ok=True)
    with os.fdopen(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(url)


def _responds(url: str) -> bool:
    if not url:
        return False
    try:
        with Redis.from_url(url, socket_connect_timeout=1, socket_timeout=2) as client:
            return bool(client.ping())
    except (RedisError, OSError, ValueError):
        return False


def stop(url: str) -> None:
    """Have the server write its data and exit."""
    try:
        with Redis.from_url(url) as client:
            client.shutdown()
    except (RedisError, OSError):
        return
