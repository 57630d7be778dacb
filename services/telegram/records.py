"""Records that the bot stores in Redis: people, chats, tables, messages by slot, and deliveries; never cards."""

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
"""Rows of cards by their codes; `back` is a card face down."""
FACE_DOWN: CardRows = (("back",),)
"""The photo of a message without cards to show, because Telegram cannot remove a photo by an edit."""


class PodiumPlace(Struct, frozen=True):
    """A line of a podium: the place (shared by ties), the name, and the points in words."""

    place: int
    name: str
    points: str


class Podium(Struct, frozen=True):
    """Picture of a match's end: some cards of its deck, and the places."""

    cards: tuple[str, ...]
    places: tuple[PodiumPlace, ...]


Photo: TypeAlias = CardRows | Podium
"""The content of a photo; empty rows for a message without a photo."""


# --- people, chats and tables

SUPERGROUPS = -(10**12)
"""Supergroups have ids below this number: minus 10**12 minus the id in their links (Bot API, Dialog IDs)."""


HandQuestion: TypeAlias = Literal["leave", "remark"]
"""A question shown instead of a person's cards: whether to leave, or which remark to make."""


def mute_marks(name: str, user: int | None) -> list[str]:
    """Return the digests that may stand for a muted person in a record; new records get the last digest.

    Digests, because a muted person may have their data deleted. Older records have the digest of the name.
    """
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
    """Whether the person has asked to be on no leaderboard."""
    photos: bool = False
    """Whether the person wants a photo of their cards with each hand."""
    passing: Passing = "forced"
    reminders: bool = True
    """Whether the person wants reminders of turns that wait for them."""
    remarks: bool = True
    """Whether the person's hand shows remarks."""
    seen: int = 0
    """When the person last used the bot (Unix seconds, updated monthly); 0 if an earlier release stored them."""
    muted: str = ""
    """Digests of muted people, or of guests' names, separated by spaces."""

    def mutes(self, name: str, user: int | None) -> bool:
        """Return whether the person has muted somebody: a person by id or name, a guest by name."""
        return bool(self.muted) and not set(mute_marks(name, user)).isdisjoint(self.muted.split())


class ChatRecord(Struct, frozen=True):
    """A chat and its settings."""

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
    """IANA time zone of the chat's evenings; empty for the default time zone of its language."""
    pictures: bool = False
    """Whether the end of a match comes with a picture."""
    present: bool = True
    """Whether the bot may write to the chat."""
    left: int = 0
    """When the bot lost access to the chat (Unix seconds)."""
    remarks: bool = True
    """Whether the table's message shows remarks."""
    tags: bool | None = None
    """Whether the bot may set tags beside members' names; None if unknown."""

    def link(self, message: int) -> str:
        """Return a link to a message of a supergroup; empty for a basic group, whose messages have no links."""
        if not message:
            return ""
        if self.username:
            return f"https://t.me/{self.username}/{message}"
        return f"https://t.me/c/{SUPERGROUPS - self.chat}/{message}" if self.chat < SUPERGROUPS else ""


NOBODY = 0
"""Placeholder id for "no person"."""


class GroupTitle(Struct, frozen=True):
    """The title for a group's last winner of a game, and the person who bears it as a member tag."""

    name: str = ""
    """Text of the title, in the group's language at the end of the match."""
    due: int | None = None
    """The person who should get the title; None if no change is pending."""
    bearer: int = NOBODY
    """The person whose tag the bot has set."""
    tag: str = ""
    """The text of the bearer's tag."""

    def without(self, user: int) -> "GroupTitle":
        """Return the title without data on a person."""
        others = structs.replace(self, bearer=NOBODY, tag="") if self.bearer == user else self
        return structs.replace(others, due=None) if self.due == user else others


class LastChoice(Struct, frozen=True):
    """The options and the turn time of a chat's last match of a game."""

    options: JsonObject
    seconds: int


class KeptSeat(Struct, frozen=True):
    """The last person's seat without their name, kept so that the engine's table of an empty lobby stays open."""

    engine: str
    token: str
    since: float
    """When the last person left (Unix seconds)."""


class ChatTable(Struct, frozen=True):
    """A table in a chat, with its game and the id of the engine's table."""

    ref: str
    """The bot's reference for the table, 8 characters: callback data has no space for the engine's id."""
    chat: int
    thread: int | None
    """The topic of the chat, if any."""
    letter: str
    """Distinguishes the tables of a chat or topic: A, B, …"""
    game: str
    opener: int
    """The person who opened the table."""
    alone: bool = False
    """Whether the table is in a private chat, where one person plays against computer players."""
    engine: str | None = None
    """The id of the engine's table; None until the first person sits down."""
    options: JsonObject = {}
    """Options to create the engine's table with."""
    seconds: int = 0
    over: bool = False
    """Whether the match is over and all its messages have arrived."""
    drafts: int = 0
    """Number of changes before the engine's table exists; until then, buttons use this number as the version."""
    closed: bool = False
    """Whether the table is closed: it is deleted once everybody has left and its messages say so."""
    closers: tuple[int, ...] = ()
    """The people who closed the table (several after a vote); empty if it was idle too long."""
    evening: str = ""
    """The reference of the table's evening; empty for none."""
    kept: KeptSeat | None = None
    """The seat that keeps the engine's table for the next person while nobody sits in the lobby."""


LESSON = "lesson--"
"""The reference in buttons of a lesson, instead of a table's."""


class LessonRecord(Struct, frozen=True):
    """A person's progress in a game's lesson: a prepared deal that they play in private with explanations."""

    game: str
    step: int = 0
    """Number of the learner's moves so far; buttons use this number as the version."""
    comment: str = ""
    """Why the learner's last attempt was not the lesson's move."""
    selected: frozenset[int] = frozenset()


class SelectedCards(Struct, frozen=True):
    """The cards that a person has selected at one version of the table, as indices of the selectable cards."""

    version: int
    places: frozenset[int]


class HandGrid(Struct, frozen=True):
    """The layout of a hand's buttons in one message and deal; an empty string is an empty place."""

    message: str
    places: tuple[str, ...]


class ShownMessage(Struct, frozen=True, omit_defaults=True):
    """The stored record of a table's message in a slot."""

    id: int | None = None
    """The message's id; `NO_ID` if a message was sent and cannot be edited, None if none was sent."""
    ring: str = ""
    """Reason of the last notification by a new message: a turn, a reminder or a deal."""
    since: float = 0.0
    """When the turn that `ring` names began (Unix seconds)."""
    grid: HandGrid | None = None
    """The layout of a hand's cards."""
    begun: int | None = None
    """While a new message is being sent, the chat's newest earlier id, where a search for a lost message begins."""
    replaced: tuple[int, ...] = ()
    """Ids of earlier messages in this slot that were not deleted yet."""


class SeatRequest(Struct, frozen=True):
    """A request for a seat whose answer is not stored yet. The request can be repeated with its idempotency key."""

    key: str
    name: str
    client_seed: str
    engine: str | None
    """The id of the engine's table; None if the request opens it."""
    options: JsonObject = {}
    seconds: int = 0
    away: bool = False
    """Whether a computer player plays for the person until they come back."""


class Standing(Struct, frozen=True):
    """A person's results in one game and one chat."""

    user: int
    name: str
    wins: int
    matches: int
    rating: Rating = Rating()


Departure: TypeAlias = Literal["left", "outside", "removed", "closed"]
"""Why a person is no longer at a table: they left the table or its group (`outside`), were removed, or it closed."""
ShuffleOutcome: TypeAlias = Literal["agreed", "different", "unchecked"]
"""Outcome of the bot's check of a match's proofs."""


# --- pending messages: to be sent, edited or deleted


class StoredButton(Struct, frozen=True, array_like=True):
    """A button of a stored message, with packed callback data."""

    label: str
    data: str | None = None
    url: str | None = None
    style: str | None = None
    app: str | None = None


class StoredMessage(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="message", tag_field="kind"):
    """A message to send or edit that belongs to no table, so no table would draw it again after a restart."""

    chat: int
    thread: int | None = None
    text: str
    rows: tuple[tuple[StoredButton, ...], ...] = ()
    photo: Photo = ()
    document: str = ""
    """Name of a file with the person's stored data, to send with the text. Release 0.1.0 sends only the text."""
    priority: int
    since: float
    """When the message's delivery was first due (Unix seconds)."""
    ref: str = ""
    """The table that the message belongs to; written only by release 0.1.0."""
    message: int | None = None
    """The id of the message to edit, if any."""
    begun: int | None = None
    """Same as `ShownMessage.begun`."""
    create: bool = True


class StoredDeletion(Struct, frozen=True, tag="deletion", tag_field="kind"):
    """A message to delete."""

    chat: int
    message: int


StoredDelivery: TypeAlias = StoredMessage | StoredDeletion


# --- slots: what a message is for; the next screen for the same slot edits the message


class LobbySlot(Struct, frozen=True):
    """The lobby of a table."""

    ref: str


class DealSlot(Struct, frozen=True):
    """The table in play, during one deal."""

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
    """The question whether to close a table during a match."""

    ref: str
    match: int


class HandSlot(Struct, frozen=True):
    """A person's hand, in their private chat."""

    ref: str
    user: int


class EveningSlot(Struct, frozen=True):
    """The message of an evening: the invitation, then the reminder, then the tables."""

    ref: str


class EveningPageSlot(Struct, frozen=True):
    """A further page of an evening's message, for tables that do not fit on the first."""

    ref: str
    page: int


class SummarySlot(Struct, frozen=True):
    """The summary of an evening."""

    ref: str


SLOTS = 4096
"""Size of the caches of slot names, which every drawing of a table reads."""

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
"""The slot of a table's or evening's message, with its reference."""

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
"""Prefix of a slot's name in Redis; the slot's numbers follow."""
_KINDS: dict[str, Callable[..., TableSlot]] = {name: kind for kind, name in _NAMES.items()}
NO_ID = 0
"""Placeholder id of a message that cannot be edited: Telegram's answer was lost, or the group has moved."""


@lru_cache(SLOTS)
def slot_to_field(slot: TableSlot) -> str:
    """Return a slot's name in Redis."""
    _, *numbers = structs.astuple(slot)
    return ":".join([_NAMES[type(slot)], *([".".join(map(str, numbers))] if numbers else [])])


@lru_cache(SLOTS)
def slot_from_field(ref: str, field: str) -> TableSlot | None:
    """Return a table's slot by its name in Redis; None for a name of another release."""
    name, *numbers = re.split("[:.]", field)
    if name not in _KINDS or not all(map(str.isdecimal, numbers)):
        return None
    try:
        return _KINDS[name](ref, *map(int, numbers))
    except TypeError:  # another release's name, with more or fewer numbers
        return None
