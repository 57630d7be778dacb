"""A Redis of the house's own, for running without one: loopback, a free port, a password, and an append-only file."""

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

STARTED_WITHIN = 10.0


class BusyDirectoryError(Exception):
    """Another process runs on the same directory."""


@contextmanager
def own_redis(directory: Path) -> Iterator[str | None]:
    """Yield the URL of a `redis-server` that keeps its data in a directory; none where the machine has no such program.

    One that a killed process left behind is taken over: two must never write to the same files.
    Raises `BusyDirectoryError` while another process runs on the directory.
    """
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyDirectoryError(f"another process keeps its games in {directory}: stop it first") from None
        url = _left_behind(directory) or _start(program, directory)
        try:
            yield url
        finally:
            _stop(url)


def _left_behind(directory: Path) -> str | None:
    note = directory / "url"
    url = note.read_text() if note.exists() else ""
    return url if _answers(url) else None


def _start(program: str, directory: Path) -> str:
    port, password = _free_port(), secrets.token_urlsafe(32)
    configuration = _configuration(directory, port, password)
    subprocess.run([program, "-"], input=configuration, text=True, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    patience = time.monotonic() + STARTED_WITHIN
    while not _answers(url):
        if time.monotonic() > patience:
            raise TimeoutError(f"redis-server does not answer; see {directory / 'redis.log'}")
        time.sleep(0.05)
    _write_secretly(directory / "url", url)
    return url


def _configuration(directory: Path, port: int, password: str) -> str:
    """Return what the server reads from its standard input: a password on the command line would be seen by all."""
    settings = {
        "bind": "127.0.0.1",
        "port": port,
        "requirepass": password,
        "dir": f'"{directory.resolve()}"',
        "appendonly": "yes",
        "appendfsync": "always",
        "save": '""',
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


def _write_secretly(note: Path, url: str) -> None:
    note.unlink(missing_ok=True)
    with os.fdopen(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(url)


def _answers(url: str) -> bool:
    if not url:
        return False
    try:
        with Redis.from_url(url, socket_connect_timeout=1, socket_timeout=2) as client:
            return bool(client.ping())
    except (RedisError, OSError, ValueError):
        return False


def _stop(url: str) -> None:
    """Ask the server to write what it has and leave."""
    try:
        with Redis.from_url(url) as client:
            client.shutdown()
    except (RedisError, OSError):
        return
