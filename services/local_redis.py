"""The Redis that `make run` starts without `REDIS_URL`, and its backups: `make backup` and `make restore`.

The server listens on loopback, at a free port, with a password and an append-only file. Each backup is a single file,
whose content is verified.
"""

import asyncio
import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import RedisError

from services.common.memory import usable_memory
from services.common.settings import SettingsError
from services.local_settings import written_settings

# --- the server

START_SECONDS = 600.0
"""Seconds that the server may take to start: loading much data takes long. A server that ends is noticed immediately.
"""
LOOK_SECONDS = 1.0
LOG = "redis.log"
LOG_BYTES = 4096
_STARTED: list[subprocess.Popen[bytes]] = []
"""Servers started by this process. `stop` waits until they have ended."""
FULL = "No space left on device"
LEAST_ROOM = 1 << 20
DAMAGED = ("Bad file format", "Unrecoverable error", "Unexpected end of file", "Wrong signature", "fatal error loading")


class BusyDirectoryError(Exception):
    """Another process is using the directory."""


class RedisEndedError(Exception):
    """The server has ended by itself. The message says why, and what to do."""


@contextmanager
def local_redis(directory: Path) -> Iterator[str | None]:
    """Yield the URL of a `redis-server` that stores its data in a directory; None if the program is not installed.

    If a process was killed and left its server running, that server is used, since two servers must not write to the
    same files. Raises `BusyDirectoryError` if another process uses the directory.
    """
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    with locked(directory):
        url = running_url(directory) or start(program, directory)
        try:
            yield url
        finally:
            stop(url)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Lock a Redis directory against other processes. Raises `BusyDirectoryError` if another process has locked it."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyDirectoryError(f"make run works with the games in {directory} already: stop it first.") from None
        yield


def running_url(directory: Path) -> str | None:
    """Return the URL of the server that runs in a directory, even if another process started it; else None."""
    note = directory / "url"
    url = note.read_text() if note.exists() else ""
    return url if _responds(url) else None


def start(program: str, directory: Path, url: str | None = None) -> str:
    """Start the server of a directory, at `url` or, without it, at a new URL. Returns the URL.

    Raises `RedisEndedError` if the server ends while it starts.
    """
    earlier = urlsplit(url or "")
    port, password = earlier.port or _free_port(), earlier.password or secrets.token_urlsafe(32)
    # The URL has a user name, since redis-cli reads a URL without one as a user with an empty name.
    url = f"redis://default:{password}@127.0.0.1:{port}/0"
    with tempfile.TemporaryFile() as configuration:
        configuration.write(_configuration(directory, port, password).encode())
        configuration.seek(0)
        # The server runs in a separate session, so that Ctrl-C reaches only the services, which stop it after they have
        # ended.
        process = subprocess.Popen(  # noqa: S603
            [program, "-"], stdin=configuration, stdout=subprocess.DEVNULL, start_new_session=True
        )
    _STARTED.append(process)
    deadline = time.monotonic() + START_SECONDS
    while not _responds(url):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RedisEndedError(f"Redis does not start: {_why_it_ended(directory)}")
        time.sleep(0.05)
    _write_private(directory / "url", url)
    return url


def _why_it_ended(directory: Path) -> str:
    """Return a text that says why the server of a directory ended, from the end of its log, and what to do."""
    log = directory / LOG
    end = log.read_bytes()[-LOG_BYTES:].decode(errors="replace") if log.exists() else ""
    if FULL in end or shutil.disk_usage(directory).free < LEAST_ROOM:  # the log may not mention that the disk is full
        return f"the disk of {directory} is full. Make room there: the games go on by themselves."
    if any(words in end for words in DAMAGED):
        return (
            f"what is in {directory} is damaged. Bring back a backup (make restore BACKUP=… FORCE=1), or cut off the "
            "damaged end, after a copy of it all: redis-check-aof --fix, in Redis' own documentation."
        )
    return f"{log} says why, at its end."


async def kept_running(directory: Path, url: str) -> None:
    """Restart the server of a directory whenever it ends, at the same URL. Reports each restart on standard error."""
    program, last_said = await asyncio.to_thread(shutil.which, "redis-server") or "redis-server", ""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if await asyncio.to_thread(_listens, url):
            continue
        said = f"Redis has ended: {await asyncio.to_thread(_why_it_ended, directory)}"
        try:
            await asyncio.to_thread(start, program, directory, url)
        except RedisEndedError as error:
            said = str(error)
        if said != last_said:
            print(said, file=sys.stderr, flush=True)
        last_said = said


def _listens(url: str) -> bool:
    """Return whether a server listens at a URL, even if it is still loading its data."""
    server = urlsplit(url)
    with socket.socket() as probe:
        probe.settimeout(LOOK_SECONDS)
        return probe.connect_ex((server.hostname or "", server.port or 0)) == 0


def _configuration(directory: Path, port: int, password: str) -> str:
    """Return the server's configuration.

    The configuration is passed on standard input, since a command line would show the password.
    """
    settings = {
        "bind": "127.0.0.1",
        "port": port,
        "requirepass": password,
        "dir": f'"{directory.resolve()}"',
        "appendonly": "yes",
        "appendfsync": "always",
        "save": '""',
        "repl-diskless-sync-delay": 0,  # the only replica is a backup, which should begin at once
        # Without a limit, the system kills Redis when memory is used up; with it, Redis only refuses further writes.
        "maxmemory": usable_memory() // 2,
        "maxmemory-policy": "noeviction",
        "logfile": LOG,
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _free_port() -> int:
    try:
        with socket.create_server(("127.0.0.1", 0)) as probe, socket.create_connection(probe.getsockname()):
            port: int = probe.getsockname()[1]
            return port
    except OSError:
        raise RedisEndedError(
            "Redis cannot listen on 127.0.0.1, which this machine lacks: ip link set lo up."
        ) from None


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
    """Let the server write its data and exit."""
    try:
        with Redis.from_url(url) as client:
            client.shutdown()
    except (RedisError, OSError):
        return
    while _STARTED:
        _STARTED.pop().wait()


# --- backups

SCRIPT = Path(__file__).parents[1] / "scripts" / "redis-backup"
DIRECTORY = Path("var") / "redis"
DATA = ("appendonlydir", "appendonly.aof")
"""Names of the folder and the file in which Redis 7 and Redis 6 store their data."""
BACKUPS = Path("var") / "backups"
USAGE = "Say what to do: save [BACKUP.tar], or load BACKUP.tar"


class BackupError(Exception):
    """A backup was not made or restored. The script has written the reason to standard error."""


def save_backup(directory: Path, file: Path) -> None:
    """Save the data of a directory's Redis, running or not.

    Raises `BackupError` if that fails, and `BusyDirectoryError` if another process uses the directory.
    """
    if not any((directory / name).exists() for name in DATA):
        raise BackupError(f"There are no games in {directory}.")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    try:
        with _serving(directory) as url, _private(part) as output:
            server = urlsplit(url)
            _run(["save"], REDIS_PORT=str(server.port), REDISCLI_AUTH=server.password or "", stdout=output.fileno())
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)


def load_backup(directory: Path, file: Path) -> int:
    """Restore a backup. Returns the number of keys in the restored data.

    Refuses if the directory has data, unless `FORCE` is set, which moves that data aside. Raises `BackupError` if the
    restore fails, and `BusyDirectoryError` if another process uses the directory.
    """
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    with file.open("rb") as backup, locked(directory):
        if left := running_url(directory):  # a process was killed and left its server running
            stop(left)
        _run(["load", str(directory)], stdin=backup.fileno())
    with _serving(directory) as url, Redis.from_url(url) as client:
        return int(client.dbsize())


@contextmanager
def _serving(directory: Path) -> Iterator[str]:
    """Yield the URL of the server of a directory. If no server is running, one is started while the context lasts."""
    if url := running_url(directory):
        yield url
        return
    with local_redis(directory) as url:
        if url is None:
            raise BackupError("no redis-server on this machine")
        yield url


def _private(file: Path) -> BinaryIO:
    """Create a file that only its owner may read, since a backup contains players' hands."""
    file.unlink(missing_ok=True)
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _run(arguments: list[str], stdin: int = subprocess.DEVNULL, stdout: int | None = None, **environment: str) -> None:
    command = ["sh", str(SCRIPT), *arguments]
    ended = subprocess.run(command, stdin=stdin, stdout=stdout, env=os.environ | environment, check=False)  # noqa: S603
    if ended.returncode:
        raise BackupError


def main(arguments: list[str]) -> int:
    """Run the command line. Return the exit code."""
    try:
        if os.environ.get("REDIS_URL") or written_settings().get("REDIS_URL"):
            print("The games are in the Redis of REDIS_URL: see docs/backup.md.", file=sys.stderr)
            return 2
        match arguments:
            case ["save", *names] if len(names) <= 1:
                file = Path(*names) if names else BACKUPS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar"
                save_backup(DIRECTORY, file)
                print(f"The backup is {file}.")
            case ["load", name]:
                keys = load_backup(DIRECTORY, Path(name))
                print(f"Redis came up with {keys} keys; what has expired since the backup is gone.")
            case _:
                print(USAGE, file=sys.stderr)
                return 2
    except (BackupError, BusyDirectoryError, RedisEndedError, SettingsError, OSError) as error:
        print(str(error) or "Nothing was changed.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
