"""The person's saved seats: a file for each, with the seat's token and seeds."""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
from filelock import BaseFileLock, FileLock, Timeout
from msgspec import Struct, field

from locanda.folders import state_folder
from locanda.messages.links import TableLink
from locanda.shuffle_check import KeptShuffle

KEPT_SECONDS = 30 * 86_400
"""Seconds without use after which a seat's file is deleted. An engine keeps an idle table at most half as long."""
MOST_SEATS = 10
"""Maximum number of seats at a table for one user account."""


class SavedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat and its token, which the engine shows only once. Each saved seat is stored as a file."""

    link: TableLink = field(name="place")
    token: str
    kept: dict[int, KeptShuffle] = {}
    """Values to compare with the proofs of matches, by the number of the match."""

    @property
    def key(self) -> tuple[str, str]:
        """The table and token, which identify the seat."""
        return self.link.table, self.token


def directory(environment: Mapping[str, str]) -> Path:
    """Return the directory of the seats' files."""
    return state_folder(environment) / "seats"


class SavedSeats:
    """The saved seats: a file for each seat, readable only by its owner.

    A process locks the seats that it uses. So a second person on the same account gets a different seat: the first file
    for a table is `TABLE.json`, the next one `TABLE.2.json`.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._muted = directory.with_name("muted")
        """File with the muted names, one per line. An empty file means that everybody is muted."""
        self._files: dict[tuple[str, str], Path] = {}
        """The file of each seat that this process uses, by table and token."""
        self._locks: dict[Path, BaseFileLock] = {}

    def save(self, seat: SavedSeat) -> None:
        """Write a seat's file atomically. Deletes files that have not been used for long."""
        self._make(self._directory)
        for old in self._directory.iterdir():
            with suppress(FileNotFoundError):  # another process may have removed the file
                if not old.is_dir() and time.time() - old.stat().st_mtime > KEPT_SECONDS:
                    old.unlink()
        file = self._files.get(seat.key) or self._new_file(seat)
        # NamedTemporaryFile creates the file with mode 0600.
        with NamedTemporaryFile(dir=self._directory, delete=False) as written:
            written.write(msgspec.json.encode(seat))
        Path(written.name).replace(file)

    @property
    def muted(self) -> bool:
        """Whether the person has muted everybody."""
        return self._muted.exists() and not self._muted_names()

    def mutes(self, name: str) -> bool:
        """Return whether remarks of this name are muted."""
        return self.muted or self.mutes_by_name(name)

    def mutes_by_name(self, name: str) -> bool:
        """Return whether this name is muted individually."""
        return name in self._muted_names()

    def mute(self, *, on: bool) -> None:
        """Mute or unmute everybody."""
        self._write_muted([] if on else None)

    def mute_one(self, name: str, *, on: bool) -> None:
        """Mute or unmute one person, by name."""
        others = [muted_name for muted_name in self._muted_names() if muted_name != name]
        self._write_muted([*others, name] if on else others or None)

    def _muted_names(self) -> list[str]:
        return self._muted.read_text("utf-8").splitlines() if self._muted.exists() else []

    def _write_muted(self, names: list[str] | None) -> None:
        if names is None:
            self._muted.unlink(missing_ok=True)
            return
        self._make(self._muted.parent)
        self._muted.write_text("\n".join(names), "utf-8")

    def find(self, table: str) -> SavedSeat | None:
        """Return the first saved seat at a table, or None if there is no readable file."""
        return next((seat for file in self._files_at(table) if (seat := _read(file))), None)

    def unused(self, table: str) -> Iterator[SavedSeat]:
        """Yield saved seats at a table that no process uses. Each yielded seat is locked for this process."""
        for file in self._files_at(table):
            if self._hold(file) and (seat := _read(file)) is not None:
                self._files[seat.key] = file
                yield seat

    def recent(self) -> list[SavedSeat]:
        """Return the seats that no other process uses, most recently used first."""
        if not self._directory.is_dir():
            return []
        files = [file for file in self._directory.iterdir() if file.suffix == ".json"]
        by_time = sorted(((file.stat().st_mtime, file) for file in files), reverse=True)
        return [seat for _, file in by_time if not self._held_elsewhere(file) and (seat := _read(file))]

    def release(self, seat: SavedSeat) -> None:
        """Unlock a seat."""
        file = self._files.pop(seat.key, None)
        if file is not None and (lock := self._locks.pop(file, None)):
            lock.release()

    def forget(self, seat: SavedSeat) -> None:
        """Delete the file of a seat whose token is no longer valid."""
        if file := self._files.get(seat.key):
            file.unlink(missing_ok=True)
        self.release(seat)

    def _files_at(self, table: str) -> list[Path]:
        names = (f"{table}.json", *(f"{table}.{number}.json" for number in range(2, MOST_SEATS + 1)))
        return [file for name in names if (file := self._directory / name).exists()]

    def _new_file(self, seat: SavedSeat) -> Path:
        table = seat.link.table
        for number in range(1, MOST_SEATS):
            file = self._directory / (f"{table}.json" if number == 1 else f"{table}.{number}.json")
            if not file.exists() and self._hold(file):
                self._files[seat.key] = file
                return file
        return self._directory / f"{table}.{MOST_SEATS}.json"

    def _hold(self, file: Path) -> bool:
        """Lock a file until this process ends. Return false if another process has locked it."""
        if file in self._locks:
            return True
        locks = self._directory.with_name(f"{self._directory.name}-in-use")
        self._make(locks)
        lock = FileLock(locks / file.name, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        self._locks[file] = lock
        return True

    def _held_elsewhere(self, file: Path) -> bool:
        """Return whether another process has locked a file."""
        if file in self._locks:
            return False
        if not self._hold(file):
            return True
        self._locks.pop(file).release()
        return False

    @staticmethod
    def _make(directory: Path) -> None:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)


def _read(file: Path) -> SavedSeat | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=SavedSeat)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
