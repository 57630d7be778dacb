"""Values that the bot stores in Redis: people, chats, tables, the slots of messages, and what their photos show.

The engine keeps the cards.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from locanda.messages import JsonObject
from locanda.translations import Language
from services.telegram.play.ratings import Rating
from services.telegram.play.turns import Passing

# --- the content of a photo: rows of cards, or the end of a match

CardRows: TypeAlias = tuple[tuple[str, ...], ...]
"""Cards, row by row, by their codes; `back` is a card face down."""
FACE_DOWN: CardRows = (("back",),)
"""The photo of a message that has had one and has no cards to show."""


class PodiumPlace(Struct, frozen=True):
    """A line of the end of a match: the place, which those who tie share, the name, and the points in words."""

    place: int
    name: str
    points: str


class Podium(Struct, frozen=True):
    """The end of a match: some cards of its deck, and the places."""

    cards: tuple[str, ...]
    places: tuple[PodiumPlace, ...]


Photo: TypeAlias = CardRows | Podium
"""A photo; a message without one has no rows of cards."""


# --- people, chats and tables

SUPERGROUPS = -(10**12)
"""A supergroup's id is below this number by the id in its links; a basic group's is above it (Bot API, Dialog IDs)."""


HandQuestion: TypeAlias = Literal["leave", "remark"]
"""A question instead of a person's cards: whether to leave, what to say."""


def mute_marks(name: str, user: int | None) -> list[str]:
    """Return what a person's record may have of another, who may erase themself; the last is what it gets by now."""
    known = [name] if user is None else [name, f"\n{user}"]  # no name has a line break
    return [sha256(each.encode()).hexdigest()[:16] for each in known]


class PersonRecord(Struct, frozen=True):
    """A person who has written to the bot or pressed one of its buttons."""

    user: int
    name: str
    language: Language = "en"
    chosen: bool = False
    """Whether the person has chosen their language in the settings."""
    reachable: bool = False
    """Whether the bot may write to the person."""
    hidden: bool = False
    """Whether the person has left all leaderboards."""
    photos: bool = False
    """Whether the person wants a photo of their cards with each hand."""
    passing: Passing = "forced"
    reminders: bool = True
    """Whether the person wants to be reminded of turns that wait for them."""
    remarks: bool = True
    """Whether the person's hand shows remarks."""
    seen: int = 0
    """When the person was seen, to a month (Unix seconds); 0 if an earlier release stored them."""
    muted: str = ""
    """Muted people: their digests, or digests of guests' names, separated by spaces."""

    def mutes(self, name: str, user: int | None) -> bool:
        """Return whether the person has muted somebody: a person whatever their name, a guest by name."""
        return bool(self.muted) and not set(mute_marks(name, user)).isdisjoint(self.muted.split())


class ChatRecord(Struct, frozen=True):
    """A chat with its settings."""

    chat: int
    title: str = ""
    username: str = ""
    language: Language = "en"
    seconds: int = 120
    """Time for a turn at new tables, in seconds; 0 for no limit."""
    hosts: Literal["all", "admins"] = "all"
    """The people who may open and close tables."""
    nudges: bool = True
    zone: str = ""
    """The time zone of its evenings, as IANA names it; empty for that of its language."""
    pictures: bool = False
    """Whether the end of a match comes with a picture."""
    present: bool = True
    """Whether the bot may write to the chat."""
    left: int = 0
    """When it was found that it may not (Unix seconds)."""
    remarks: bool = True
    """Whether the table's message shows remarks."""
    tags: bool | None = None
    """Whether the bot may set tags beside members' names; None as long as Telegram has not said so."""

    def link(self, message: int) -> str:
        """Return a link to a message of a supergroup; a basic group's messages have none."""
        if not message:
            return ""
        if self.username:
            return f"https://t.me/{self.username}/{message}"
        return f"https://t.me/c/{SUPERGROUPS - self.chat}/{message}" if self.chat < SUPERGROUPS else ""


NOBODY = 0
"""The id of no person."""


class GroupTitle(Struct, frozen=True):
    """A group's title for its last winner of a game, and its bearer, who has it as a tag."""

    name: str = ""
    """In the group's language as it was at the end of the match."""
    due: int | None = None
    """The new bearer; None if nothing is to be done."""
    bearer: int = NOBODY
    """The bearer of the tag that the bot has set."""
    tag: str = ""
    """The text of the bearer's tag."""

    def without(self, user: int) -> "GroupTitle":
        """Return it as if a person had never borne it."""
        due = None if self.due == user else self.due
        return (
            structs.replace(self, due=due, bearer=NOBODY, tag="")
            if self.bearer == user
            else structs.replace(self, due=due)
        )


class LastChoice(Struct, frozen=True):
    """The options and the time for a turn with which a chat last played a game."""

    options: JsonObject
    seconds: int


class KeptSeat(Struct, frozen=True):
    """The seat that keeps the engine's table of an emptied lobby: that of the last person, without their name."""

    engine: str
    token: str
    since: float
    """Unix seconds."""


class ChatTable(Struct, frozen=True):
    """A table as the bot knows it: its chat, its game, and the engine's table behind it."""

    ref: str
    """The bot's reference for the table, 8 characters: callback data has no space for the engine's id."""
    chat: int
    thread: int | None
    """The topic of the chat, if any."""
    letter: str
    game: str
    opener: int
    """The person who opened the table."""
    alone: bool = False
    """Whether one person plays against computer players in their private chat."""
    engine: str | None = None
    """The id of the engine's table; none until the first person sits down."""
    options: JsonObject = {}
    """Options for the engine's table until it exists."""
    seconds: int = 0
    over: bool = False
    """Whether the match has ended and every message about it was sent."""
    drafts: int = 0
    """Number of changes to the table before the engine has it: the version for buttons until then."""
    closed: bool = False
    """Whether it is to be deleted once everybody has left and its messages say so."""
    closers: tuple[int, ...] = ()
    """The people who have closed it, several by a vote; empty if it was idle for too long."""
    evening: str = ""
    """The reference of the evening for which it was opened; empty for none."""
    kept: KeptSeat | None = None
    """Keeps the engine's table while nobody sits in the lobby, for the next person."""


LESSON = "lesson--"
"""The reference that buttons of a lesson carry instead of a table's."""


class LessonRecord(Struct, frozen=True):
    """How far a person is in the lesson of a game, a stacked deal that they play in private while it is explained."""

    game: str
    step: int = 0
    """Counts the moves of the person: the version that buttons carry."""
    comment: str = ""
    """Why the move that the person tried last is not made."""
    selected: frozenset[int] = frozenset()


class SelectedCards(Struct, frozen=True):
    """The cards that a person has selected: positions in their hand, at one version of the table."""

    version: int
    places: frozenset[int]


class HandGrid(Struct, frozen=True):
    """The places in which the cards of a hand are drawn, empty ones included, in one message and deal."""

    message: str
    places: tuple[str, ...]


class ShownMessage(Struct, frozen=True, omit_defaults=True):
    """The stored record of a table's message in a slot."""

    id: int | None = None
    """The message's id; `NO_ID` for one that was sent and cannot be edited, None before the first was sent."""
    ring: str = ""
    """The reason for which its person was last notified by a new message: a turn, a reminder, a deal."""
    since: float = 0.0
    """When the turn that `ring` names began (Unix seconds)."""
    grid: HandGrid | None = None
    """Where the cards of a hand were drawn."""
    begun: int | None = None
    """While it is not recorded whether a new message has arrived, the newest id known in its chat before sending."""
    replaced: tuple[int, ...] = ()
    """Messages before it that were still to be deleted when this was stored."""


class SeatRequest(Struct, frozen=True):
    """A request for a seat whose answer is not stored yet: repeated, it is the same request and has the same answer."""

    key: str
    """The idempotency key."""
    name: str
    client_seed: str
    engine: str | None
    """The id of the engine's table; None if the request opens it."""
    options: JsonObject = {}
    seconds: int = 0
    away: bool = False
    """Whether a computer player holds the person's hand until they come back."""


class Standing(Struct, frozen=True):
    """A person's results in one game and one chat."""

    user: int
    name: str
    wins: int
    matches: int
    rating: Rating = Rating()


Departure: TypeAlias = Literal["left", "outside", "removed", "closed"]
"""Why a person has gone from a table: they left it or its group, were removed, or it was closed."""
ShuffleOutcome: TypeAlias = Literal["agreed", "different", "unchecked"]
"""The result of the bot's own check of a match's proofs."""


# --- pending messages: to be sent, edited or deleted


class StoredButton(Struct, frozen=True, array_like=True):
    """A button of a stored message, with its callback data as Telegram gets it."""

    label: str
    data: str | None = None
    url: str | None = None
    style: str | None = None
    app: str | None = None


class StoredMessage(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="message", tag_field="kind"):
    """A message that is still to be sent or edited, and that no table would draw again after a start."""

    chat: int
    thread: int | None = None
    text: str
    rows: tuple[tuple[StoredButton, ...], ...] = ()
    photo: Photo = ()
    document: str = ""
    """The name of the file with all that is stored on the person; release 0.1.0 sends the text alone."""
    priority: int
    since: float
    """When it was first to be delivered (Unix seconds)."""
    ref: str = ""
    """Written by release 0.1.0: the table whose message it is."""
    message: int | None = None
    """The id of the message to edit, if any."""
    begun: int | None = None
    """The sending under way, as in `ShownMessage`."""
    create: bool = True


class StoredDeletion(Struct, frozen=True, tag="deletion", tag_field="kind"):
    """A message that is still to be deleted."""

    chat: int
    message: int


StoredDelivery: TypeAlias = StoredMessage | StoredDeletion
"""A pending delivery."""


# --- slots: the purpose of a message, so that the next screen of the same kind edits it


class LobbySlot(Struct, frozen=True):
    """The lobby of a table."""

    ref: str


class DealSlot(Struct, frozen=True):
    """The table during one deal."""

    ref: str
    match: int
    deal: int


class DealEndSlot(Struct, frozen=True):
    """The result of a deal that did not end its match."""

    ref: str
    match: int
    deal: int


class MatchEndSlot(Struct, frozen=True):
    """The result of a match."""

    ref: str
    match: int


class ClosingSlot(Struct, frozen=True):
    """The question whether to close a table in mid-match, while it is open."""

    ref: str
    match: int


class HandSlot(Struct, frozen=True):
    """A person's hand, in their private chat."""

    ref: str
    user: int


class EveningSlot(Struct, frozen=True):
    """The invitation to an evening, in whose place its reminder and its tables come."""

    ref: str


class EveningPageSlot(Struct, frozen=True):
    """Further pages of an evening's message, for tables without space on the first."""

    ref: str
    page: int


class SummarySlot(Struct, frozen=True):
    """The summary of an evening."""

    ref: str


SLOTS = 4096
"""Slots whose names are remembered: every drawing reads those of its table."""

TableSlot: TypeAlias = (
    LobbySlot
    | DealSlot
    | DealEndSlot
    | MatchEndSlot
    | ClosingSlot
    | HandSlot
    | EveningSlot
    | EveningPageSlot
    | SummarySlot
)
"""A message of a table or of an evening, whose reference it bears."""

_NAMES: dict[type[TableSlot], str] = {
    LobbySlot: "lobby",
    DealSlot: "table",
    DealEndSlot: "end",
    MatchEndSlot: "over",
    ClosingSlot: "closing",
    HandSlot: "hand",
    EveningSlot: "evening",
    EveningPageSlot: "page",
    SummarySlot: "summary",
}
"""How the name begins under which the message in a slot is stored; the slot's numbers follow."""
_KINDS: dict[str, Callable[..., TableSlot]] = {name: kind for kind, name in _NAMES.items()}
NO_ID = 0
"""The id of a message that was sent and cannot be edited: Telegram's answer was lost, or its group has moved."""


@lru_cache(SLOTS)
def slot_to_field(slot: TableSlot) -> str:
    """Return the name under which the message in a slot is stored."""
    _, *numbers = structs.astuple(slot)
    return ":".join([_NAMES[type(slot)], *([".".join(map(str, numbers))] if numbers else [])])


@lru_cache(SLOTS)
def slot_from_field(ref: str, field: str) -> TableSlot | None:
    """Return a table's slot by the name under which its message is stored; none for a name of another release."""
    name, *numbers = re.split("[:.]", field)
    if name not in _KINDS or not all(map(str.isdecimal, numbers)):
        return None
    try:
        return _KINDS[name](ref, *map(int, numbers))
    except TypeError:  # it has other numbers
        return None
