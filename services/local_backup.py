"""`make backup` and `make restore`: copies of the games of `make run`, each in one file, proved to be whole."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from dotenv import dotenv_values
from redis import Redis

from services.local_redis import BusyDirectoryError, local_redis, locked, running_url, stop

SCRIPT = Path(__file__).parents[1] / "scripts" / "redis-backup"
DIRECTORY = Path("var") / "redis"
DATA = ("appendonlydir", "appendonly.aof")
"""Where Redis 7, and Redis 6, keep what they hold."""
BACKUPS = Path("var") / "backups"
USAGE = "Say what to do: save [BACKUP.tar], or load BACKUP.tar"


class BackupError(Exception):
    """A backup was not made or not restored; the script has written why to standard error."""


def save(directory: Path, file: Path) -> None:
    """Save what the Redis of a directory holds, whether it runs or not. Raises `BackupError`, `BusyDirectoryError`."""
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


def load(directory: Path, file: Path) -> int:
    """Restore a backup; return how many keys the server then serves. Raises `BackupError`, `BusyDirectoryError`.

    Refuses where the directory holds data, unless `FORCE` is set: then the data is moved aside.
    """
    with file.open("rb") as backup, locked(directory):
        if left := running_url(directory):  # a server that a killed process left running
            stop(left)
        _run(["load", str(directory)], stdin=backup.fileno())
    with _serving(directory) as url, Redis.from_url(url) as client:
        return int(client.dbsize())


@contextmanager
def _serving(directory: Path) -> Iterator[str]:
    """Yield the URL of the server of a directory: of the one that runs, else of one that runs meanwhile."""
    if url := running_url(directory):
        yield url
        return
    with local_redis(directory) as url:
        if url is None:
            raise BackupError("no redis-server on this machine")
        yield url


def _private(file: Path) -> BinaryIO:
    """Open a new file that nobody else may read: a backup is as secret as the hands in it."""
    file.unlink(missing_ok=True)
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _run(arguments: list[str], stdin: int = subprocess.DEVNULL, stdout: int | None = None, **environment: str) -> None:
    command = ["sh", str(SCRIPT), *arguments]
    ended = subprocess.run(command, stdin=stdin, stdout=stdout, env=os.environ | environment, check=False)  # noqa: S603
    if ended.returncode:
        raise BackupError


def main(arguments: list[str]) -> int:
    """Return the exit code of the process."""
    if os.environ.get("REDIS_URL") or dotenv_values(".env").get("REDIS_URL"):
        print(
            "The games are in the Redis of REDIS_URL: see docs/operations.md.",
            file=sys.stderr,
        )
        return 2
    try:
        match arguments:
            case ["save", *names] if len(names) <= 1:
                file = Path(*names) if names else BACKUPS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar"
                save(DIRECTORY, file)
                print(f"The backup is {file}.")
            case ["load", name]:
                keys = load(DIRECTORY, Path(name))
                print(f"Redis came up with {keys} keys; what has expired since the backup is gone.")
            case _:
                print(USAGE, file=sys.stderr)
                return 2
    except (BackupError, BusyDirectoryError, OSError) as error:
        print(str(error) or "Nothing was changed.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
