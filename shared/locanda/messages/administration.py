"""The types of the administration API's requests and answers; the server, its document and `locanda admin` use them."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.messages import LONGEST_NAME, PRINTABLE, Request, Status, TableId

LONGEST_TEXT = 300
EntryName = Annotated[
    str,
    Meta(
        min_length=1, max_length=64, pattern="^[A-Za-z0-9._-]+(?!\\n)$", description="Letters, digits, `.`, `_`, `-`."
    ),
]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT, pattern=f"{PRINTABLE}|^$", description="One line, or empty.")]
NamePattern = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=PRINTABLE,
        description="A name, whatever its capitals and accents; `*` stands for any characters.",
    ),
]
Client = Annotated[
    str, Meta(min_length=1, max_length=64, description="An address, or a network such as 203.0.113.0/24.")
]
Minutes = Annotated[int, Meta(ge=0, le=100_000)]


class Done(Struct, frozen=True):
    """The act is done, and in the list of acts."""


# --- tables


class AdminTable(Struct, frozen=True):
    """A table as the operator sees it: no cards, no tokens, no seeds."""

    id: TableId
    """The table's id, with which anyone may watch it."""
    game: str
    """Its game."""
    status: Status
    """Whether it is open, played at, or over."""
    opened: datetime
    """When it was opened."""
    changed: datetime
    """When it changed last."""
    listed: bool
    """Whether the list of open tables shows it."""
    match: int
    """The number of its match."""
    deal: int
    """The number of the deal in it, 0 before the first."""
    people: list[str]
    """The names of the people at it."""
    computers: int
    """How many computer players sit there."""


class AdminTablePage(Struct, frozen=True):
    """Some tables, in no order."""

    tables: list[AdminTable]
    """Matching tables; a page may be empty and have a next page."""
    unreadable: int
    """How many more this release cannot read."""
    next: str | None
    """The `cursor` of the next page; null at the end."""


# --- maintenance


class AnnounceMaintenance(Request, frozen=True):
    """An announcement, which every client shows."""

    in_minutes: Minutes = 0
    """Minutes until it begins."""
    minutes: Minutes | None = None
    """How long it takes; null if that is not known: then it is shown until it is taken back."""
    text: Text = ""
    """Further information, in the operator's own words."""


# --- engines


class Engine(Struct, frozen=True):
    """An engine that has reported within the last half minute."""

    name: str
    """Its name: that of its machine or container, and a few characters for the process."""
    release: str
    """The release that runs there."""
    started: datetime
    """When it began to serve."""
    streams: int
    """How many streams and long polls it holds open."""
    draining: bool
    """Whether it takes no new connections."""


class Engines(Struct, frozen=True):
    """All engines on this Redis."""

    engines: list[Engine]
    """By name."""


# --- keys, bans, names


class NewKey(Request, frozen=True):
    """A new API key."""

    name: EntryName
    """The owner's name."""


class IssuedKey(Struct, frozen=True):
    """A new API key."""

    name: str
    """The owner's name."""
    key: str
    """The key, which is shown only once."""


class ApiKey(Struct, frozen=True):
    """An API key, without the key."""

    name: str
    """The owner's name."""
    created: datetime
    """When it was made."""
    used: datetime | None
    """When it was used last, to the minute; null for never."""


class ApiKeyList(Struct, frozen=True):
    """The API keys in Redis, without those of `ENGINE_API_KEYS`."""

    keys: list[ApiKey]
    """By name."""
    required: bool
    """Whether opening a table needs a key: false if no key is listed here or in the settings."""


class NewBan(Request, frozen=True):
    """A client to ban."""

    client: Client
    reason: Text = ""
    """Why; only operators see it."""
    minutes: Annotated[int, Meta(ge=1, le=5_256_000)] | None = None
    """Minutes of the ban; null for ever."""


class Ban(Struct, frozen=True):
    """A client that is refused."""

    client: str
    """Its address or network."""
    reason: str
    """Why."""
    since: datetime
    """When it was banned."""
    until: datetime | None
    """When the ban ends; null for never."""


class BanList(Struct, frozen=True):
    """The bans in force."""

    bans: list[Ban]
    """The oldest first."""


class NewBlockedName(Request, frozen=True):
    """A blocked name."""

    name: NamePattern


class BlockedNames(Struct, frozen=True):
    """The blocked names."""

    names: list[str]
    """In alphabetical order."""


# --- own players


class ListedPlayer(Struct, frozen=True):
    """An own player of the host's, without its address and its secret."""

    name: str
    """The name for seating it, written after an `@`."""
    game: str | None
    """The one game that it plays; null for all."""
    signed: bool
    """Whether requests to it are signed."""
    since: datetime | None
    """When it was added; null for one of `ENGINE_PLAYERS`."""


class ListedPlayers(Struct, frozen=True):
    """The own players of the host's."""

    players: list[ListedPlayer]
    """Those that were added, by name, then those of `ENGINE_PLAYERS`."""


# --- numbers and acts


class GameNumbers(Struct, frozen=True):
    """Numbers of a game on a day."""

    tables_opened: int = 0
    """Tables that were opened."""
    seats_taken: int = 0
    """Seats that people took, including hosts."""
    matches_started: int = 0
    """Matches that began, rematches too."""
    matches_finished: int = 0
    """Matches that were played to their end."""
    moves: int = 0
    """Moves, including those of computer players."""
    turns_timed_out: int = 0
    """Turns that people missed."""


class Day(Struct, frozen=True):
    """The numbers of a day, in UTC."""

    day: str
    """The day, such as 2026-01-31."""
    games: dict[str, GameNumbers]
    """By game."""


class Days(Struct, frozen=True):
    """The numbers of the last days."""

    days: list[Day]
    """Today first."""


ActName = Literal[
    "close_table",
    "remove_table",
    "announce_maintenance",
    "end_maintenance",
    "drain_engine",
    "resume_engine",
    "add_key",
    "remove_key",
    "ban",
    "lift_ban",
    "block_name",
    "allow_name",
    "add_player",
    "remove_player",
]


class Act(Struct, frozen=True):
    """Something that an operator did."""

    at: datetime
    """When."""
    act: ActName
    """What."""
    about: str
    """The table, engine, key, client, name or player."""
    client: str
    """From which address."""
    request: str
    """The request's id, which the log has too."""


class Acts(Struct, frozen=True):
    """The acts of operators."""

    acts: list[Act]
    """The last one first."""
