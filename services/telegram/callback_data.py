"""Callback data: what each inline button carries, packed into 1 to 64 bytes (Bot API, InlineKeyboardButton).

A button names its table by the bot's short reference and, if it acts on a state, the version that it was drawn from.
`handlers.callbacks.on_button` registers the handler of each type.
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
"""Prefix of all callback data. It grows when the data changes."""
LIMIT = 64

Ref = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8}$")]
EveningRef = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8}[0-9]{8}$")]
GameName = Annotated[str, Meta(pattern=f"^{NAME.pattern}$")]
Version = Annotated[int, Meta(ge=0, le=999_999_999)]
"""A table's version. One of more than six digits, as the engine gives them after its store was restored, is packed into
five characters: otherwise the longest move would not fit beside it."""
MatchNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
Code = Annotated[str, Meta(pattern="^[ -!#-\\[\\]-~]{1,36}$")]
"""A move in the game's own spelling: a card's code, or `-` for a pass."""
Seat = Annotated[int, Meta(ge=0, le=63)]
"""A seat of a table, counted from 0."""
Place = Annotated[int, Meta(ge=0, le=63)]
"""The place of a card among the cards that the player may select, counted from 0."""
OptionName = Annotated[str, Meta(pattern="^[a-z_]{1,24}$")]
LevelName = Annotated[str, Meta(pattern="^(easy|medium|hard|@[a-z0-9_-]{1,12})$")]
LeaderboardOrder = Literal["wins", "rating"]
SettingName = Literal["language", "seconds", "hosts", "nudges", "photos", "passing", "pictures", "reminders", "remarks"]
Value = Annotated[int, Meta(ge=0, le=1_000_000)]


class CallbackData(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of all callback data; the tag of a type begins its JSON array."""


class AtTable(CallbackData, frozen=True):
    """Base class of buttons that name a table."""

    ref: Ref


class AtVersion(AtTable, frozen=True):
    """Base class of buttons that act on a state of a table: the version from which the button was drawn."""

    version: Version


class OfMatch(AtTable, frozen=True):
    """Base class of buttons that refer to one match of a table."""

    match: MatchNumber


class OfEvening(CallbackData, frozen=True):
    """Base class of buttons that name an evening."""

    evening: EveningRef


class ChooseGame(AtTable, frozen=True, tag="choose"):
    """Open a lobby for this game; in the private chat, start a match against computer players, or ask how many."""

    game: GameName
    computers: Annotated[int, Meta(ge=0, le=9)] = 0
    """The number of computer players; 0 to ask."""
    level: LevelName = "medium"
    preset: PresetName | None = None
    """The preset of this match only; None for the options that were played last."""


class TakeSeat(AtTable, frozen=True, tag="sit"):
    """Take a seat."""


class StandUp(AtTable, frozen=True, tag="stand"):
    """Give up the seat at an open table."""


class ChangeComputers(AtVersion, frozen=True, tag="computers"):
    """Add or remove one computer player."""

    step: Literal[1, -1]


class ChangeLevel(AtTable, frozen=True, tag="level"):
    """Set the level of a computer player at an open table, at any version."""

    seat: Seat
    level: LevelName


class SetSubstitutes(AtTable, frozen=True, tag="substitutes"):
    """Set how well computers play for those who leave or are away, at any version."""

    level: ComputerLevel


class SetHints(AtTable, frozen=True, tag="hints"):
    """Allow or forbid hints, at any version."""

    allowed: bool


class RemovePlayer(AtVersion, frozen=True, tag="remove"):
    """Free a person's seat at an open table; during a match, give their hand to a computer player."""

    seat: Seat


class ShowLobby(AtTable, frozen=True, tag="lobby"):
    """Go back from the options to the lobby."""


class ShowOptions(AtTable, frozen=True, tag="options"):
    """Show the options."""


class SetOption(AtVersion, frozen=True, tag="set"):
    """Set an option: 0 or 1 of a switch, the index of a choice, or a number itself.

    The button names the value, so that it is set at any version: two people may tap at once, and one may tap fast.
    """

    name: OptionName
    value: Value


class ApplyPreset(AtTable, frozen=True, tag="preset"):
    """Set the options that make a match quick, classic or long."""

    preset: PresetName


class SetTime(AtVersion, frozen=True, tag="time"):
    """Set the time for a turn in seconds, at any version; 0 is no limit."""

    seconds: Value


class StartMatch(AtVersion, frozen=True, tag="start"):
    """Start the match."""


class CloseTable(AtTable, frozen=True, tag="close"):
    """Close the table; one in mid-match is asked about first.

    `sure` is false to ask, true for a vote to close it and null for one against.
    """

    sure: bool | None = False


class ShowHand(AtTable, frozen=True, tag="hand"):
    """Show the player their own hand."""


class MakeMove(AtVersion, frozen=True, tag="m"):
    """Play a move. The tag is one letter because a long code needs the other bytes."""

    code: Code


class PickCard(AtVersion, frozen=True, tag="pick"):
    """Select a card (`up`), or deselect it; stating which makes a repeated press harmless."""

    place: Place
    up: bool


class EmptyPlace(AtTable, frozen=True, tag="empty"):
    """Do nothing: a place in the hand from which the card has gone."""


class PutCardsBack(AtVersion, frozen=True, tag="put_back"):
    """Deselect all cards."""


class TakeHandBack(AtTable, frozen=True, tag="return"):
    """Take the hand back from the computer player."""


class LeaveTable(AtTable, frozen=True, tag="leave"):
    """Leave the table during a match. `sure` is false to ask first, true to leave and null to stay."""

    sure: bool | None = False


class OfferRemarks(AtTable, frozen=True, tag="speak"):
    """Show the remarks in the hand, or hide them again."""

    shown: bool = True


class SayRemark(AtTable, frozen=True, tag="say"):
    """Make a remark at the table."""

    remark: RemarkName


class MuteSeat(OfMatch, frozen=True, tag="mute"):
    """Hide the remarks of a seat of this match from the presser's hands at all tables, or show them again."""

    seat: Seat
    muted: bool


class AskHint(AtVersion, frozen=True, tag="hint"):
    """Show a hint."""


class ReviewMatch(OfMatch, frozen=True, tag="review"):
    """Send the player their costliest moves of a match that is over."""


class StopPlaying(OfMatch, frozen=True, tag="stop"):
    """Play no other match after this one."""


class PlayAgain(OfMatch, frozen=True, tag="again"):
    """Play another match after this one, once the others have answered too."""


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
    """Show a page of a game's rules; with a table, mark the options that are on there."""

    game: GameName
    page: Annotated[int, Meta(ge=0, le=999)]
    ref: Ref | None = None


class ShowLeaderboard(CallbackData, frozen=True, tag="leaderboard"):
    """Show a game's leaderboard."""

    game: GameName
    by: LeaderboardOrder = "wins"
    """The sorting of the leaderboard."""


class ChangeSetting(CallbackData, frozen=True, tag="setting"):
    """Change a setting of the group, or of the person in their private chat."""

    name: SettingName
    value: Value


class ForgetPerson(CallbackData, frozen=True, tag="forget"):
    """Delete the bot's data on a person, or only their results on the leaderboards."""

    what: Literal["all", "boards", "nothing"]


class FixEvening(CallbackData, frozen=True, tag="fix"):
    """Fix the group's evening."""

    weekday: Annotated[int, Meta(ge=0, le=6)]
    minute: Annotated[int, Meta(ge=0, le=1439)]
    game: GameName
    weekly: bool | None
    """The time; null to choose only the game."""


class DropEvenings(CallbackData, frozen=True, tag="drop"):
    """Stop the group's evenings, and cancel an announced one."""


class ComeToEvening(OfEvening, frozen=True, tag="come"):
    """Say whether the person comes."""

    comes: bool


class NextRound(OfEvening, frozen=True, tag="round"):
    """Deal the next round of an evening, after `after` rounds: to tables as planned, or by standing."""

    after: Annotated[int, Meta(ge=1, le=999)]
    by_standing: bool = False


class EndEvening(OfEvening, frozen=True, tag="end"):
    """End an evening."""


class SetSeason(CallbackData, frozen=True, tag="season"):
    """Set how long the group's seasons last."""

    length: Literal["month", "week", "ended"]


class EndSeason(CallbackData, frozen=True, tag="close_season"):
    """End the season. `sure` is false to ask first, true to end it and null to continue the season."""

    number: Annotated[int, Meta(ge=1, le=99_999)]
    sure: bool | None = False


class VoteOnChange(CallbackData, frozen=True, tag="decide"):
    """Vote on the change of evenings or seasons that somebody has asked for, at that second (Unix time)."""

    by: Annotated[int, Meta(ge=0, lt=1 << 53)]
    asked: Annotated[int, Meta(ge=0, lt=1 << 40)]
    agree: bool


BASES = (CallbackData, AtTable, AtVersion, OfMatch, OfEvening)
TYPES = tuple(button_type for base in BASES for button_type in base.__subclasses__() if button_type not in BASES)

PACKED = 8192
"""How many packed buttons are remembered: each is stored before it is sent, so it is packed twice."""
MOST_IN_DIGITS = 1_000_000
"""The highest version that is packed as a number."""
DIGITS = string.ascii_letters + string.digits + "-_"
SHORT_CHOICE = "g"
"""Replaces the tag of `ChooseGame` if long names of a game and an own player leave no room for it; then the preset is a
number."""
PRESETS: tuple[PresetName | None, ...] = (None, *get_args(PresetName))
VERSION_FIELD = 2
"""The place of the version in the array of an `AtVersion`: after the tag and the table."""
VERSIONED_TAGS = {button_type.__struct_config__.tag for button_type in AtVersion.__subclasses__()}

_AnyCallbackData = reduce(or_, TYPES)
_decoder: msgspec.json.Decoder[CallbackData] = msgspec.json.Decoder(_AnyCallbackData)


@lru_cache(PACKED)
def pack(data: CallbackData) -> str:
    """Return the callback data as Telegram stores it. Raises `ValueError` beyond Telegram's 64 bytes."""
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
    """Return the reference of the table that callback data names, if any."""
    return data.ref if isinstance(data, AtTable | ShowRules) else None


def unpack(packed: str) -> CallbackData | None:
    """Return the callback data of a button; None for an unknown format or invalid data."""
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
    """Return a choice that was shortened. Raises `ValueError`."""
    _, *named, preset = fields
    if not isinstance(preset, int) or preset not in range(len(PRESETS)):
        raise ValueError("this is no preset")
    return msgspec.convert(["choose", *named, PRESETS[preset]], ChooseGame)


def _short(version: int) -> str:
    """Return a version as five digits to the base 64."""
    return "".join(DIGITS[version >> shift & 63] for shift in (24, 18, 12, 6, 0))


def _number(short: object) -> int:
    """Return the version of five digits. Raises `ValueError`."""
    if not isinstance(short, str) or len(short) != len("AAAAA"):
        raise ValueError("this is no version")
    return reduce(lambda number, digit: number << 6 | DIGITS.index(digit), short, 0)
