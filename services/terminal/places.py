"""Where tables are, and who sits there: links and ids, and the seats that this person has kept."""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
from msgspec import Struct

KEPT = 30 * 86_400
"""Seconds since a seat was last taken up; a table without a step lives half as long at most."""
TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
LINK = re.compile(r"(https?://[^\s?#]+?)/v1/tables/([A-Za-z0-9_-]{22})/?", re.ASCII)


class Place(Struct, frozen=True):
    """A table of a server."""

    server: str
    table: str

    @property
    def link(self) -> str:
        """What a friend needs to find the table."""
        return f"{self.server}/v1/tables/{self.table}"


class KeptSeat(Struct, frozen=True):
    """A seat and its token, which the engine shows but once."""

    place: Place
    token: str


def place(text: str, server: str) -> Place | None:
    """Return the table of a link, or of an id at this server; nothing where it is neither."""
    if TABLE.fullmatch(text):
        return Place(server, text)
    link = LINK.fullmatch(text)
    return Place(link[1], link[2]) if link else None


def directory(environment: Mapping[str, str]) -> Path:
    """Return where seats are kept (XDG Base Directory Specification: a relative path there does not count)."""
    given = Path(environment.get("XDG_STATE_HOME", ""))
    state = given if given.is_absolute() else Path.home() / ".local" / "state"
    return state / "locanda" / "seats"


class Seats:
    """The seats that this person has kept: one file a table, for its owner's eyes only."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def keep(self, seat: KeptSeat) -> None:
        """Write a seat down, at once or not at all; those of tables that are long gone go."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in self._directory.iterdir():
            with suppress(FileNotFoundError):  # another terminal may tidy up too
                if time.time() - old.stat().st_mtime > KEPT:
                    old.unlink()
        # The file of a temporary name is made with mode 0600.
        with NamedTemporaryFile(dir=self._directory, delete=False) as file:
            file.write(msgspec.json.encode(seat))
        Path(file.name).replace(self._file(seat.place.table))

    def find(self, table: str) -> KeptSeat | None:
        """Return the seat at a table, if there is one that can be read."""
        try:
            return msgspec.json.decode(self._file(table).read_bytes(), type=KeptSeat)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def forget(self, table: str) -> None:
        """Forget a seat that is none any more."""
        self._file(table).unlink(missing_ok=True)

    def _file(self, table: str) -> Path:
        return self._directory / f"{table}.json"
