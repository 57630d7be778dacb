"""Messages about the games, and about the server and its features."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.games.base import Pile
from locanda.messages.values import COMPUTER_LEVELS, GameName, JsonObject, SeatableLevel
from locanda.messages.words import GameWords


class Localized(Struct, frozen=True):
    """A text in both languages."""

    it: str
    """The text in Italian."""
    en: str
    """The text in English."""


class OptionsSchema(Struct, frozen=True):
    """The JSON Schema of a game's options, in both languages."""

    it: JsonObject
    """Self-contained JSON Schema (2020-12) with Italian titles and descriptions."""
    en: JsonObject
    """The same JSON Schema with English titles and descriptions."""


class Players(Struct, frozen=True):
    """The possible and the suggested numbers of players."""

    min: int
    """The fewest players; some options need more."""
    max: int
    """The most players; some options allow fewer."""
    suggested: tuple[int, int]
    """The fewest and the most players for whom the game is at its best."""


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    game: GameName
    """Name of the game in paths and messages."""
    rules_version: int
    """Version of the rules, which tables opened now have as `rules`. It increases when the same moves could lead to a
    different deal."""
    name: Localized
    """Name of the game for people."""
    players: Players
    """The numbers of players."""
    deck: str
    """Name of the deck."""
    options: OptionsSchema
    """Schema of a table's `options`. A choice with `maxPlayers` allows at most that many players."""
    about: Localized = Localized("", "")
    """A paragraph about the game in Markdown; missing in servers of release 0.1.0."""
    lesson: bool = False
    """Whether the game has a lesson."""
    levels: tuple[SeatableLevel, ...] = COMPUTER_LEVELS
    """Levels of computer players for this game: the three of every server, then the server's own players."""
    own_players: bool = False
    """Whether people may bring own players, servers that choose moves, to their tables."""


class GameDetails(GameInfo, frozen=True, kw_only=True):
    """A game of the catalogue, with its rules."""

    rules: Localized
    """The rules, as Markdown."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt from a deal's seed, for verifiers; missing in servers of release 0.1.0."""
    piles: list[Pile] = []
    """Piles on the table, for clients that draw any game; empty if only words describe the table."""
    several: bool = False
    """Whether a move can include more than one card."""
    words: GameWords | UnsetType = UNSET
    """The game's words in one language; only with `words`."""


class Maintenance(Struct, frozen=True):
    """Maintenance that the operator has announced."""

    begins: Annotated[datetime, Meta(description="When it begins.")]
    ends: Annotated[datetime | None, Meta(description="When it ends; null if that is not known.")]
    text: Annotated[str, Meta(description="A sentence about it, to show as it is and to fetch again each minute.")]


class Server(Struct, frozen=True):
    """A server's features and its public address."""

    release: Annotated[str, Meta(description="The release of the server, such as 0.1.0.")]
    public_url: Annotated[
        str | None,
        Meta(description="The public address of this server; links to its tables begin with it. Null if it has none."),
    ]
    maintenance: Annotated[
        Maintenance | None, Meta(description="What the operator has announced; null for nothing.")
    ] = None
    webhooks: bool = False
    """Whether notices about tables can be sent to servers."""
    push_key: str | None = None
    """Key with which browsers subscribe to pushes, in base64; null if the server does not push."""


class Catalogue(Struct, frozen=True):
    """All games."""

    games: list[GameInfo]
    """The games, in display order."""
