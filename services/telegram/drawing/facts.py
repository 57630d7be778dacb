"""The facts of a table: all that its messages depend on, in one value. Pure."""

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
    """Makes the links that open the Mini App at a table; empty links if the bot has no Mini App."""

    username: str = ""
    app: str = ""
    """The app's short name from BotFather's /newapp; empty without one."""
    public_url: str = ""

    @property
    def address(self) -> str:
        """The app's own address at Telegram; empty without one."""
        return f"https://t.me/{self.username}/{self.app}" if self.app else ""

    def in_group(self, ref: str) -> str:
        """Return the link for a button in a group: Telegram refuses `web_app` buttons there (Bot API, direct links)."""
        return f"{self.address}?startapp={ref}" if self.app else ""

    def in_private(self, ref: str) -> str:
        """Return the address for a `web_app` button in a private chat; the page reads the table from it."""
        return f"{self.public_url}/?table={ref}" if self.app else ""


class SeatedPerson(Struct, frozen=True, kw_only=True):
    """A person at a table, with the table as they see it."""

    user: int
    token: str
    table: Table
    language: Language = "en"
    reachable: bool = False
    photos: bool = False
    reminders: bool = True
    """Whether they want to be reminded of turns that wait."""
    passes: When = "never"
    """Whether the bot passes for them now."""
    remarks: bool = True
    """Whether their hand shows remarks."""
    muted: frozenset[int] = frozenset()
    """The seats whose words their hand does not have."""
    asked: HandQuestion | None = None
    """The question shown to them instead of their cards."""
    selected: frozenset[int] = frozenset()
    """The places of the cards that they have selected."""
    verdict: Verdict | None = None
    """Whether the engine finds them playable."""


class GonePerson(Struct, frozen=True):
    """A person who has left a table."""

    user: int
    why: Departure
    language: Language
    photos: bool


class TableFacts(Struct, frozen=True, kw_only=True):
    """The facts of a table at one moment."""

    chat_table: ChatTable
    game: GameInfo
    group: ChatRecord
    language: Language
    """The language of the messages in the table's chat."""
    links: AppLinks
    now: datetime
    letter: str = ""
    """Empty while the chat or topic has no other table."""
    table: Table | None = None
    """The engine's public view; None until the first person sits down."""
    turns: Sequence[PlayedTurn] = ()
    turn_since: int = 0
    """The version at which the turn began."""
    over: Mapping[int, Table] = {}
    """The table at the end of each match."""
    said: Sequence[SaidRemark] = ()
    """Remarks since the end of the match."""
    outcomes: Mapping[int, ShuffleOutcome] = {}
    """Results of the shuffle checks by match."""
    people: Sequence[SeatedPerson] = ()
    gone: Sequence[GonePerson] = ()
    closers: Sequence[str] = ()
    """The names of those who have closed the table."""
    ratings: Mapping[int, RatingChange] = {}
    """Changes of ratings by the match, by person, once it is counted."""
    options_open: bool = False
    """Whether the lobby shows the options."""
    closing: ClosingQuestion | None = None
    """The question whether to close the table in mid-match, if it was asked."""
