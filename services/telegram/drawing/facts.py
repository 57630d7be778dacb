"""Input data of a table's messages, in one value: engine views, people, settings and votes. No I/O."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from locanda.messages import GameInfo, SaidRemark, Table, Verdict
from locanda.translations import Language
from services.telegram.play.closing import ClosingQuestion
from services.telegram.play.ratings import RatingChange
from services.telegram.play.timeline import PlayedTurn
from services.telegram.play.turns import When
from services.telegram.records import ChatRecord, ChatTable, Departure, HandQuestion, ShuffleOutcome


class AppLinks(Struct, frozen=True):
    """Links that open the Mini App at a table; empty strings if the bot has no Mini App."""

    username: str = ""
    app: str = ""
    """The app's short name from BotFather's /newapp; empty without an app."""
    public_url: str = ""

    @property
    def address(self) -> str:
        """The app's address at Telegram; empty without an app."""
        return f"https://t.me/{self.username}/{self.app}" if self.app else ""

    def in_group(self, ref: str) -> str:
        """Return the link for a button in a group, where Telegram refuses `web_app` buttons (Bot API, direct links)."""
        return f"{self.address}?startapp={ref}" if self.app else ""

    def in_private(self, ref: str) -> str:
        """Return the URL for a `web_app` button in a private chat; the page reads the table from its query."""
        return f"{self.public_url}/?table={ref}" if self.app else ""


class SeatedPerson(Struct, frozen=True, kw_only=True):
    """A person at a table, with their view of it."""

    user: int
    token: str
    table: Table
    language: Language = "en"
    reachable: bool = False
    photos: bool = False
    reminders: bool = True
    """Whether the person wants reminders of a turn that waits for them."""
    passes: When = "never"
    """When the bot passes for the person on this turn: at once, later or never."""
    remarks: bool = True
    """Whether the person's hand shows remarks."""
    muted: frozenset[int] = frozenset()
    """The seats whose remarks are hidden in the person's hand."""
    asked: HandQuestion | None = None
    """The question shown instead of the person's cards."""
    selected: frozenset[int] = frozenset()
    """Indices of the person's selected cards among the selectable cards."""
    verdict: Verdict | None = None
    """The engine's verdict on the selected cards."""


class GonePerson(Struct, frozen=True):
    """A person who has left a table."""

    user: int
    why: Departure
    language: Language
    photos: bool


class TableFacts(Struct, frozen=True, kw_only=True):
    """Everything that a table's messages depend on, at one moment."""

    chat_table: ChatTable
    game: GameInfo
    group: ChatRecord
    language: Language
    """The language of the messages in the table's chat."""
    links: AppLinks
    now: datetime
    letter: str = ""
    """The letter that names the table; empty while the chat or topic has only one table."""
    table: Table | None = None
    """The engine's public view; None until the first person sits down."""
    turns: Sequence[PlayedTurn] = ()
    turn_since: int = 0
    """The version at which the turn began."""
    over: Mapping[int, Table] = {}
    """Public views of the table at the end of matches, by match number."""
    said: Sequence[SaidRemark] = ()
    """Remarks since the end of the match."""
    outcomes: Mapping[int, ShuffleOutcome] = {}
    """Results of the shuffle checks, by match number."""
    people: Sequence[SeatedPerson] = ()
    gone: Sequence[GonePerson] = ()
    closers: Sequence[str] = ()
    """The names of the people who have closed the table."""
    ratings: Mapping[int, RatingChange] = {}
    """Changes of ratings through the match, by person; empty until the match is counted."""
    options_open: bool = False
    """Whether the lobby shows the options."""
    closing: ClosingQuestion | None = None
    """The open question whether to close the table during a match, if any."""
