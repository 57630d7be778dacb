"""Types of the administration API: requests and responses for the server, its document and `locanda admin`."""

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
    """The action was done, and is in the audit log."""


# --- tables


class AdminTable(Struct, frozen=True):
    """A table as operators see it: without cards, tokens and seeds."""

    id: TableId
    """The table's id; it allows anyone to watch the table."""
    game: str
    """The game that is played."""
    status: Status
    """Whether the table is open, in play, or over."""
    opened: datetime
    """When the table was opened."""
    changed: datetime
    """When the table last changed."""
    listed: bool
    """Whether the public lists include the table."""
    match: int
    """The number of its current match."""
    deal: int
    """The number of the deal in the match; 0 before the first."""
    people: list[str]
    """The names of the people at the table."""
    computers: int
    """Number of computer players."""


class AdminTablePage(Struct, frozen=True):
    """Some tables, in no particular order."""

    tables: list[AdminTable]
    """Matching tables; a page may be empty although there is a next page."""
    unreadable: int
    """Number of tables that this release cannot read."""
    next: str | None
    """The `cursor` of the next page; null at the end."""


# --- maintenance


class AnnounceMaintenance(Request, frozen=True):
    """An announcement that every client shows."""

    in_minutes: Minutes = 0
    """Minutes until the maintenance begins."""
    minutes: Minutes | None = None
    """Length of the maintenance; if null (unknown), the announcement stays until it is withdrawn."""
    text: Text = ""
    """Further information, written by the operator."""


# --- engines


class Engine(Struct, frozen=True):
    """An engine that has reported within the last half minute."""

    name: str
    """The engine's name: that of its machine or container, and a suffix for the process."""
    release: str
    """The release that the engine runs."""
    started: datetime
    """When the engine started to serve."""
    streams: int
    """Number of open streams and long polls."""
    draining: bool
    """Whether the engine refuses new connections."""


class Engines(Struct, frozen=True):
    """All engines that use this Redis."""

    engines: list[Engine]
    """The engines, by name."""


# --- keys, bans, names


class NewKey(Request, frozen=True):
    """An API key to create."""

    name: EntryName
    """The owner's name."""


class IssuedKey(Struct, frozen=True):
    """The API key that was created."""

    name: str
    """The owner's name."""
    key: str
    """The key, which is shown only once."""


class ApiKey(Struct, frozen=True):
    """An API key in a list, without the key itself."""

    name: str
    """The owner's name."""
    created: datetime
    """When the key was created."""
    used: datetime | None
    """When the key was last used, to the minute; null if never."""


class ApiKeyList(Struct, frozen=True):
    """The API keys stored in Redis, without those of `ENGINE_API_KEYS`."""

    keys: list[ApiKey]
    """The keys, by name."""
    required: bool
    """Whether a key is needed to open tables; false if there is no key, neither here nor in `ENGINE_API_KEYS`."""


class NewBan(Request, frozen=True):
    """A client to ban."""

    client: Client
    reason: Text = ""
    """The reason; only operators see it."""
    minutes: Annotated[int, Meta(ge=1, le=5_256_000)] | None = None
    """Length of the ban in minutes; null is for ever."""


class Ban(Struct, frozen=True):
    """A banned client, whose requests are refused."""

    client: str
    """The client's address or network."""
    reason: str
    """The reason."""
    since: datetime
    """When the client was banned."""
    until: datetime | None
    """When the ban ends; null if never."""


class BanList(Struct, frozen=True):
    """The bans in force."""

    bans: list[Ban]
    """The bans, oldest first."""


class NewBlockedName(Request, frozen=True):
    """A name to block."""

    name: NamePattern


class BlockedNames(Struct, frozen=True):
    """The blocked names."""

    names: list[str]
    """The names, in alphabetical order."""


# --- own players


class ListedPlayer(Struct, frozen=True):
    """One of the host's own players: an external server that chooses moves. Its address and secret are not shown."""

    name: str
    """The name with which the player is seated, after an `@`."""
    game: str | None
    """The only game that the player plays; null for all games."""
    signed: bool
    """Whether requests to the player's server are signed."""
    since: datetime | None
    """When the player was added; null if it is set in `ENGINE_PLAYERS`."""


class ListedPlayers(Struct, frozen=True):
    """All own players of the host."""

    players: list[ListedPlayer]
    """Added players by name, then those of `ENGINE_PLAYERS`."""


# --- numbers and acts


class GameNumbers(Struct, frozen=True):
    """Statistics of a game on one day."""

    tables_opened: int = 0
    """Number of tables opened."""
    seats_taken: int = 0
    """Number of seats taken by people, including hosts."""
    matches_started: int = 0
    """Number of matches started, including rematches."""
    matches_finished: int = 0
    """Number of matches played to their end."""
    moves: int = 0
    """Number of moves, including those of computer players."""
    turns_timed_out: int = 0
    """Number of turns that people missed."""


class Day(Struct, frozen=True):
    """Statistics of one day in UTC."""

    day: str
    """The day, such as 2026-01-31."""
    games: dict[str, GameNumbers]
    """Statistics by game."""


class Days(Struct, frozen=True):
    """Statistics of the last days."""

    days: list[Day]
    """The days, today first."""


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
    """An entry of the audit log: an action of an operator."""

    at: datetime
    """When the action was done."""
    act: ActName
    """The kind of action."""
    about: str
    """The table, engine, key, client, name or player that it concerns."""
    client: str
    """The address that the operator used."""
    request: str
    """The id of the request, which the logs contain too."""


class Acts(Struct, frozen=True):
    """The audit log."""

    acts: list[Act]
    """The actions, latest first."""
