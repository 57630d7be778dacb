"""Types of callback data: the action and arguments of an inline button, in 1 to 64 bytes.

The limit is Telegram's (Bot API, InlineKeyboardButton). A button names its table by the bot's short reference. A button
that depends on the table's state also carries the version from which it was drawn. `handlers.callbacks.on_button`
registers the handler of each type.
"""

import string
from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from locanda.games.installed import NAME
from locanda.games.options import PresetName
from locanda.messages import ComputerLevel, RemarkName

FORMAT = "2"
"""Prefix of all callback data: the version of this format."""
LIMIT = 64

Ref = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8}$")]
EveningRef = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8}[0-9]{8}$")]
GameName = Annotated[str, Meta(pattern=f"^{NAME.pattern}$")]
Version = Annotated[int, Meta(ge=0, le=999_999_999)]
"""A table's version. After a restore of its store the engine skips to high versions. Versions above `MOST_IN_DIGITS`
are packed into five characters, to leave space for the longest move."""
MatchNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
Code = Annotated[str, Meta(pattern="^[ -!#-\\[\\]-~]{1,36}$")]
"""A move's code, as returned by `move_codes.code_of`."""
Seat = Annotated[int, Meta(ge=0, le=63)]
"""A seat of a table, counted from 0."""
Place = Annotated[int, Meta(ge=0, le=63)]
"""The index of a card among those that the player may select."""
OptionName = Annotated[str, Meta(pattern="^[a-z_]{1,24}$")]
LevelName = Annotated[str, Meta(pattern="^(easy|medium|hard|@[a-z0-9_-]{1,12})$")]
LeaderboardOrder = Literal["wins", "rating"]
SettingName = Literal["language", "seconds", "hosts", "nudges", "photos", "passing", "pictures", "reminders", "remarks"]
Value = Annotated[int, Meta(ge=0, le=1_000_000)]


class CallbackData(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base class of all callback data. It is encoded as a JSON array that begins with the type's tag."""


class AtTable(CallbackData, frozen=True):
    """Base class of buttons that name a table."""

    ref: Ref


class AtVersion(AtTable, frozen=True):
    """Base class of buttons that depend on the table's state."""

    version: Version
    """The version from which the button was drawn."""


class OfMatch(AtTable, frozen=True):
    """Base class of buttons that refer to one match of a table."""

    match: MatchNumber


class OfEvening(CallbackData, frozen=True):
    """Base class of buttons that name an evening."""

    evening: EveningRef


class ChooseGame(AtTable, frozen=True, tag="choose"):
    """Open a lobby for this game. In a private chat: start a match against computers, or ask for their number."""

    game: GameName
    computers: Annotated[int, Meta(ge=0, le=9)] = 0
    """Number of computer players; 0 to ask the person for the number."""
    level: LevelName = "medium"
    preset: PresetName | None = None
    """A preset for this match only; None for the options of the chat's last match."""


class TakeSeat(AtTable, frozen=True, tag="sit"):
    """Take a seat."""


class StandUp(AtTable, frozen=True, tag="stand"):
    """Give up the seat at an open table."""


class ChangeComputers(AtVersion, frozen=True, tag="computers"):
    """Add or remove one computer player."""

    step: Literal[1, -1]


class ChangeLevel(AtTable, frozen=True, tag="level"):
    """Set the level of a computer player at an open table, whatever the table's version."""

    seat: Seat
    level: LevelName


class SetSubstitutes(AtTable, frozen=True, tag="substitutes"):
    """Set the level of computers that play for people who left or are away, whatever the table's version."""

    level: ComputerLevel


class SetHints(AtTable, frozen=True, tag="hints"):
    """Allow or forbid hints, whatever the table's version."""

    allowed: bool


class RemovePlayer(AtVersion, frozen=True, tag="remove"):
    """Remove a person from an open table; during a match, give their hand to a computer player."""

    seat: Seat


class ShowLobby(AtTable, frozen=True, tag="lobby"):
    """Go back from the options to the lobby."""


class ShowOptions(AtTable, frozen=True, tag="options"):
    """Show the options."""


class SetOption(AtVersion, frozen=True, tag="set"):
    """Set an option of the game.

    The button names the new value, so it works whatever the table's version: two people may press at once, and one
    person may press fast.
    """

    name: OptionName
    value: Value
    """0 or 1 for a switch, the index of a choice, or a number."""


class ApplyPreset(AtTable, frozen=True, tag="preset"):
    """Set the options of a preset: quick, classic or long."""

    preset: PresetName


class SetTime(AtVersion, frozen=True, tag="time"):
    """Set the time for a turn, whatever the table's version."""

    seconds: Value
    """0 for no limit."""


class StartMatch(AtVersion, frozen=True, tag="start"):
    """Start the match."""


class CloseTable(AtTable, frozen=True, tag="close"):
    """Close the table. During a match, the players vote on that."""

    sure: bool | None = False
    """False to close an open table or to ask for a vote, true for a vote to close, null for a vote against."""


class ShowHand(AtTable, frozen=True, tag="hand"):
    """Show the player their own hand."""


class MakeMove(AtVersion, frozen=True, tag="m"):
    """Play a move. The tag has one letter, to leave space for long codes."""

    code: Code


class PickCard(AtVersion, frozen=True, tag="pick"):
    """Select or deselect a card."""

    place: Place
    up: bool
    """Whether to select the card. If the button toggled it, a repeated press would undo the first one."""


class EmptyPlace(AtTable, frozen=True, tag="empty"):
    """Do nothing: the button of a place in the hand whose card has been played."""


class PutCardsBack(AtVersion, frozen=True, tag="put_back"):
    """Deselect all cards."""


class TakeHandBack(AtTable, frozen=True, tag="return"):
    """Take the hand back from the computer player."""


class LeaveTable(AtTable, frozen=True, tag="leave"):
    """Leave the table during a match."""

    sure: bool | None = False
    """False to ask first, true to leave, null to stay."""


class OfferRemarks(AtTable, frozen=True, tag="speak"):
    """Show the buttons for remarks in the player's hand, or hide them again."""

    shown: bool = True


class SayRemark(AtTable, frozen=True, tag="say"):
    """Make a remark at the table."""

    remark: RemarkName


class MuteSeat(OfMatch, frozen=True, tag="mute"):
    """Mute the person at a seat for the person who presses, at all tables, or unmute them."""

    seat: Seat
    muted: bool


class AskHint(AtVersion, frozen=True, tag="hint"):
    """Show a hint."""


class ReviewMatch(OfMatch, frozen=True, tag="review"):
    """Send the player a review: their costliest moves of a finished match."""


class StopPlaying(OfMatch, frozen=True, tag="stop"):
    """Decline another match at this table."""


class PlayAgain(OfMatch, frozen=True, tag="again"):
    """Agree to another match at this table, which starts once the other players have answered."""


class StartLesson(CallbackData, frozen=True, tag="learn"):
    """Begin the lesson of a game."""

    game: GameName


class EndLesson(CallbackData, frozen=True, tag="enough"):
    """End the lesson."""


class ShowProof(OfMatch, frozen=True, tag="proof"):
    """Send the proof of a match's shuffle to the private chat."""


class OpenRules(AtTable, frozen=True, tag="open_rules"):
    """Send the rules of a table's game to the private chat."""


class ShowRules(CallbackData, frozen=True, tag="rules"):
    """Show a page of a game's rules; with `ref`, mark the options in use at that table."""

    game: GameName
    page: Annotated[int, Meta(ge=0, le=999)]
    ref: Ref | None = None


class ShowLeaderboard(CallbackData, frozen=True, tag="leaderboard"):
    """Show a game's leaderboard."""

    game: GameName
    by: LeaderboardOrder = "wins"


class ChangeSetting(CallbackData, frozen=True, tag="setting"):
    """Change a setting of the group, or of the person in their private chat."""

    name: SettingName
    value: Value


class ForgetPerson(CallbackData, frozen=True, tag="forget"):
    """Delete all data on a person, only their leaderboard results, or nothing."""

    what: Literal["all", "boards", "nothing"]


class FixEvening(CallbackData, frozen=True, tag="fix"):
    """Fix the time and the game of the group's evening."""

    weekday: Annotated[int, Meta(ge=0, le=6)]
    minute: Annotated[int, Meta(ge=0, le=1439)]
    game: GameName
    weekly: bool | None
    """Whether the evening is held each week or once; null while the person still chooses the game."""


class DropEvenings(CallbackData, frozen=True, tag="drop"):
    """Delete the group's plan for evenings, and cancel an announced evening."""


class ComeToEvening(OfEvening, frozen=True, tag="come"):
    """Answer an evening's invitation."""

    comes: bool


class NextRound(OfEvening, frozen=True, tag="round"):
    """Deal the next round of an evening."""

    after: Annotated[int, Meta(ge=1, le=999)]
    """The number of rounds so far, so that a repeated press does not deal two rounds."""
    by_standing: bool = False
    """Whether to seat people by their standing instead of by the plan."""


class EndEvening(OfEvening, frozen=True, tag="end"):
    """End an evening."""


class SetSeason(CallbackData, frozen=True, tag="season"):
    """Set how long the group's seasons last."""

    length: Literal["month", "week", "ended"]


class EndSeason(CallbackData, frozen=True, tag="close_season"):
    """End the season."""

    number: Annotated[int, Meta(ge=1, le=99_999)]
    sure: bool | None = False
    """False to ask first, true to end the season, null to continue it."""


class VoteOnChange(CallbackData, frozen=True, tag="decide"):
    """Vote on a proposed change of the group's evenings or seasons."""

    by: Annotated[int, Meta(ge=0, le=1 << 53)]
    """The person who proposed the change."""
    asked: Annotated[int, Meta(ge=0, le=1 << 40)]
    """When the change was proposed (Unix seconds)."""
    agree: bool


BASES = (CallbackData, AtTable, AtVersion, OfMatch, OfEvening)
TYPES = tuple(button_type for base in BASES for button_type in base.__subclasses__() if button_type not in BASES)

PACKED = 8192
"""Size of the cache of packed buttons: each button is packed twice, to store it and to send it."""
MOST_IN_DIGITS = 1_000_000
"""The highest version that is packed as a decimal number."""
DIGITS = string.ascii_letters + string.digits + "-_"
SHORT_CHOICE = "g"
"""Tag of a `ChooseGame` whose long names would exceed 64 bytes; the preset is packed as a number."""
PRESETS: tuple[PresetName | None, ...] = (None, *get_args(PresetName))
VERSION_FIELD = 2
"""Index of the version in the array of an `AtVersion`: after the tag and the table."""
VERSIONED_TAGS = {button_type.__struct_config__.tag for button_type in AtVersion.__subclasses__()}

_AnyCallbackData = reduce(or_, TYPES)
_decoder: msgspec.json.Decoder[CallbackData] = msgspec.json.Decoder(_AnyCallbackData)


@lru_cache(PACKED)
def pack(data: CallbackData) -> str:
    """Return callback data as text. Raises `ValueError` if it has more than 64 bytes."""
    shortened = None
    if isinstance(data, AtVersion) and data.version > MOST_IN_DIGITS:
        shortened = msgspec.to_builtins(data)
        shortened[VERSION_FIELD] = _short(data.version)
    packed = _json(shortened or data)
    if isinstance(data, ChooseGame) and len(packed) > LIMIT:
        _, *fields, preset = msgspec.to_builtins(data)
        packed = _json([SHORT_CHOICE, *fields, PRESETS.index(preset)])
    if len(packed.encode()) > LIMIT:
        raise ValueError(f"{type(data).__name__} outgrows {LIMIT} bytes of callback data")
    return packed


def _json(data: object) -> str:
    return FORMAT + msgspec.json.encode(data).decode()


def table_of(data: CallbackData | None) -> str | None:
    """Return the table reference in callback data, or None."""
    return data.ref if isinstance(data, AtTable | ShowRules) else None


def unpack(packed: str) -> CallbackData | None:
    """Parse the callback data of a button; return None for an unknown format or invalid data."""
    if not packed.startswith(FORMAT):
        return None
    try:
        return _unpacked(packed[len(FORMAT) :])
    except (msgspec.MsgspecError, ValueError):
        return None


def _unpacked(array: str) -> CallbackData:
    try:
        return _decoder.decode(array)
    except msgspec.ValidationError:
        fields = msgspec.json.decode(array, type=list[str | int | bool | None])
        if fields and fields[0] == SHORT_CHOICE:
            return _long_choice(fields)
        if len(fields) <= VERSION_FIELD or fields[0] not in VERSIONED_TAGS:
            raise
        fields[VERSION_FIELD] = _number(fields[VERSION_FIELD])
        return msgspec.convert(fields, _AnyCallbackData)


def _long_choice(fields: list[str | int | bool | None]) -> CallbackData:
    """Parse a `ChooseGame` with the short tag. Raises `ValueError`."""
    _, *named, preset = fields
    if not isinstance(preset, int) or preset not in range(len(PRESETS)):
        raise ValueError("this is no preset")
    return msgspec.convert(["choose", *named, PRESETS[preset]], ChooseGame)


def _short(version: int) -> str:
    """Return a version as five base-64 digits."""
    return "".join(DIGITS[version >> shift & 63] for shift in (24, 18, 12, 6, 0))


def _number(short: object) -> int:
    """Parse a version of five base-64 digits. Raises `ValueError`."""
    if not isinstance(short, str) or len(short) != len("AAAAA"):
        raise ValueError("this is no version")
    return reduce(lambda number, digit: number << 6 | DIGITS.index(digit), short, 0)
