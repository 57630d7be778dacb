"""What the bot remembers of chats, people and tables; the cards are the engine's business."""

from typing import Literal

from msgspec import Struct

from shared.messages import JsonObject
from shared.translate import Language


class Person(Struct, frozen=True):
    """Somebody who has written to the bot or tapped one of its buttons."""

    user: int
    name: str
    language: Language = "en"
    chosen: bool = False
    """Has he chosen his language himself?"""
    reachable: bool = False
    """May the bot write to him?"""
    hidden: bool = False
    """Does he want to be on no leaderboard?"""


class Chat(Struct, frozen=True):
    """A chat with its settings."""

    chat: int
    title: str = ""
    username: str = ""
    language: Language = "en"
    seconds: int = 120
    """Time for a turn at new tables; 0 for no limit."""
    hosts: Literal["all", "admins"] = "all"
    """Who may open and close tables."""
    nudges: bool = True
    present: bool = True
    """May the bot write here?"""


class Choice(Struct, frozen=True):
    """What a group chose for a game the last time."""

    options: JsonObject
    seconds: int


class Room(Struct, frozen=True):
    """A table as the bot knows it: where it stands, and which of the engine's tables it is."""

    ref: str
    chat: int
    thread: int | None
    letter: str
    game: str
    opener: int
    alone: bool = False
    engine: str | None = None
    """The engine's table; none until somebody sits down."""
    options: JsonObject = {}
    """The wishes for the engine's table while there is none."""
    seconds: int = 0
    over: bool = False
    """Has the match ended, and has everybody been told?"""
    drafts: int = 0
    """Counts the changes of a table that the engine does not have yet."""


class Picked(Struct, frozen=True):
    """The cards that a person has taken up: their places in his hand, in one version of the table."""

    version: int
    places: frozenset[int]


class Standing(Struct, frozen=True):
    """A person's results in one game and one group."""

    user: int
    name: str
    wins: int
    matches: int
