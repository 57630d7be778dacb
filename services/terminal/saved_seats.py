"""Links of tables, and the seats that this person has taken: one file for each, with the seat's token and seeds."""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
from msgspec import Struct, field

from locanda.shuffle_check import KeptShuffle

KEPT_SECONDS = 30 * 86_400
"""After so long without use a seat's file is removed; an engine keeps an idle table half as long at most."""
TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
LINK = re.compile(r"(https?://[^\s?#]+?)/v1/tables/([A-Za-z0-9_-]{22})/?", re.ASCII)


class TableLink(Struct, frozen=True):
    """A table of an engine."""

    server: str
    table: str

    @property
    def url(self) -> str:
        """The table's address in the API, which friends pass to `--table`."""
        return f"{self.server}/v1/tables/{self.table}"


class SavedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat and its token, which the engine shows only once: the content of a file."""

    link: TableLink = field(name="place")
    token: str
    kept: dict[int, KeptShuffle] = {}
    """By match: what its proofs are compared with."""


def parse_link(text: str, server: str) -> TableLink | None:
    """Return the table of a URL, or of an id at this server; none for any other text."""
    if TABLE.fullmatch(text):
        return TableLink(server, text)
    link = LINK.fullmatch(text)
    return TableLink(link[1], link[2]) if link else None


def directory(environment: Mapping[str, str]) -> Path:
    """Return the directory of the seats' files (XDG Base Directory Specification: a relative path is ignored)."""
    given = Path(environment.get("XDG_STATE_HOME", ""))
    state = given if given.is_absolute() else Path.home() / ".local" / "state"
    return state / "locanda" / "seats"


class SavedSeats:
    """The saved seats: a file for each table, readable by its owner alone."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def save(self, seat: SavedSeat) -> None:
        """Write a seat's file, atomically, and remove the files that have not been used for long."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in self._directory.iterdir():
            with suppress(FileNotFoundError):  # another process may have removed it
                if not old.is_dir() and time.time() - old.stat().st_mtime > KEPT_SECONDS:
                    old.unlink()
        # NamedTemporaryFile creates the file with mode 0600.
        with NamedTemporaryFile(dir=self._directory, delete=False) as file:
            file.write(msgspec.json.encode(seat))
        Path(file.name).replace(self._file(seat.link.table))

    def find(self, table: str) -> SavedSeat | None:
        """Return the saved seat at a table; None if there is no file, or it cannot be read."""
        try:
            return msgspec.json.decode(self._file(table).read_bytes(), type=SavedSeat)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def forget(self, table: str) -> None:
        """Remove the file of a seat whose token is not valid any more."""
        self._file(table).unlink(missing_ok=True)

    def _file(self, table: str) -> Path:
        return self._directory / f"{table}.json"
