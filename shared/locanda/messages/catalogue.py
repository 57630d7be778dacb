"""The games, and the server's abilities."""

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
    """The JSON Schema of a game's options, its titles and descriptions in both languages."""

    it: JsonObject
    """The JSON Schema (2020-12), complete in itself, with Italian titles and descriptions."""
    en: JsonObject
    """The same JSON Schema with English titles and descriptions."""


class Players(Struct, frozen=True):
    """The possible and the suggested numbers of players."""

    min: int
    """The fewest players; options may ask for more."""
    max: int
    """The most players; options may admit fewer."""
    suggested: tuple[int, int]
    """The fewest and the most players with whom the game is best."""


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    game: GameName
    """The game's name in paths and messages."""
    rules_version: int
    """Grows when the same moves could lead to another deal; `rules` of the tables that are opened now."""
    name: Localized
    """The game's name for people."""
    players: Players
    """How many may play."""
    deck: str
    """The deck that the game is played with."""
    options: OptionsSchema
    """Schema of a table's `options`; a choice with `maxPlayers` allows at most that many players."""
    about: Localized = Localized("", "")
    """The game in a paragraph of Markdown; missing from servers of release 0.1.0."""
    lesson: bool = False
    """Whether the game has a lesson."""
    levels: tuple[SeatableLevel, ...] = COMPUTER_LEVELS
    """How computer players of this game may play here: the three levels of every server, then its own players."""
    own_players: bool = False
    """Whether people may bring own players to their tables."""


class GameDetails(GameInfo, frozen=True, kw_only=True):
    """A game of the catalogue with its rules as Markdown."""

    rules: Localized
    """The game's rules, as Markdown."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt from a deal's seed, for verifiers; servers of release 0.1.0 do not say."""
    piles: list[Pile] = []
    """The piles on the table, for clients that draw any game; empty if only words describe them."""
    several: bool = False
    """Whether a move may take more than one card."""
    words: GameWords | UnsetType = UNSET
    """The game's words in one language, if `words` asks for them."""


class Maintenance(Struct, frozen=True):
    """Work on the server that its operator has announced."""

    begins: Annotated[datetime, Meta(description="When it begins.")]
    ends: Annotated[datetime | None, Meta(description="When it ends; null if that is not known.")]
    text: Annotated[str, Meta(description="A sentence about it, to show as it is and to fetch again each minute.")]


class Server(Struct, frozen=True):
    """A server's abilities and its public address."""

    release: Annotated[str, Meta(description="The release of the server, such as 0.1.0.")]
    public_url: Annotated[
        str | None,
        Meta(description="The public address of this server; links to its tables begin with it. Null if it has none."),
    ]
    maintenance: Annotated[
        Maintenance | None, Meta(description="What the operator has announced; null for nothing.")
    ] = None
    webhooks: bool = False
    """Whether notices of tables may be sent to servers."""
    push_key: str | None = None
    """The key with which a browser subscribes to pushes, in base64; null without pushes."""


class Catalogue(Struct, frozen=True):
    """All games."""

    games: list[GameInfo]
    """The games, in display order."""
